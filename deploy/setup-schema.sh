#!/bin/sh
# Creates the two databases of the Temporal server, or upgrades their schema. May run again at any time.
# Where PostgreSQL is, temporal-sql-tool reads from SQL_HOST, SQL_PORT, SQL_USER, SQL_PASSWORD (and SQL_TLS…).
set -eu

tool=${SQL_TOOL:-temporal-sql-tool}
schema=${SCHEMA_DIR:-/etc/temporal/schema/postgresql/v12}
export SQL_PLUGIN=postgres12

set_up() {
  "$tool" --database "$1" create-database
  "$tool" --database "$1" setup-schema --version 0.0
  "$tool" --database "$1" update-schema --schema-dir "$schema/$2/versioned"
}

set_up temporal temporal
set_up temporal_visibility visibility
