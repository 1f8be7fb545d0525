#!/bin/bash
# Copies the primary at the first start, then follows it.
set -euo pipefail

if [ ! -e "$PGDATA/PG_VERSION" ]; then
  # Under another name first: a copy that was interrupted must not be taken for a whole one.
  draft=$PGDATA.draft
  rm -rf "$draft"
  mkdir -p "$(dirname "$PGDATA")"
  PGPASSWORD=$(cat /run/secrets/standby-password) pg_basebackup \
    --host "${PRIMARY_HOST:-primary}" --port "${PRIMARY_PORT:-5432}" --username standby \
    --pgdata "$draft" --slot standby --write-recovery-conf --checkpoint fast
  rm -rf "$PGDATA"
  mv "$draft" "$PGDATA"
fi
exec "$@"
