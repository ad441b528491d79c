#!/bin/sh
# Waits for the Temporal server, creates the namespace and registers perdure's search attributes. May run
# again at any time. Where the server is, the CLI reads from TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE (and TLS …).
set -eu

temporal=${TEMPORAL_CLI:-temporal}
namespace=${TEMPORAL_NAMESPACE:-default}

attempts=60
until "$temporal" operator cluster health >/dev/null 2>&1; do
  attempts=$((attempts - 1))
  if [ "$attempts" -eq 0 ]; then
    echo "error: no Temporal server at ${TEMPORAL_ADDRESS:-localhost:7233}:" >&2
    exec "$temporal" operator cluster health
  fi
  sleep 1
done

"$temporal" operator namespace describe --namespace "$namespace" >/dev/null 2>&1 ||
  "$temporal" operator namespace create --namespace "$namespace" --retention "${RETENTION:-168h}"

# A new namespace is known to all of the server's services only after some seconds.
attempts=60
until "$temporal" operator search-attribute create --namespace "$namespace" \
  --name PerdureAgent --type Keyword \
  --name PerdureModel --type Keyword \
  --name PerdureStopReason --type Keyword \
  --name PerdureWaitingFor --type Keyword \
  --name PerdureForkedFrom --type Keyword \
  --name PerdureSteps --type Int \
  --name PerdureTokens --type Int \
  --name PerdureCostUsd --type Double; do
  attempts=$((attempts - 1))
  [ "$attempts" -gt 0 ] || exit 1
  sleep 1
done
