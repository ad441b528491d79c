#!/bin/sh
# Creates the database of the example's shop, with an owner that cannot read Temporal's. PostgreSQL's image
# runs it once, when its volume is empty; psql finds the server by PGHOST and PGPORT, in the image by a socket.
set -eu

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$SHOP_PASSWORD" <<'SQL'
CREATE ROLE shop LOGIN PASSWORD :'password';
CREATE DATABASE shop OWNER shop;
SQL
