#!/bin/bash
# Run once by the image of PostgreSQL, when it has made the cluster: the roles of gateways and standby.
set -euo pipefail

psql --username postgres --quiet --set ON_ERROR_STOP=1 <<'SQL'
\set moraine `cat /run/secrets/moraine-password`
\set standby `cat /run/secrets/standby-password`
CREATE ROLE moraine LOGIN PASSWORD :'moraine';
-- A gateway on the standby sees how far the primary is ahead.
GRANT pg_read_all_stats TO moraine;
CREATE DATABASE moraine OWNER moraine;
CREATE ROLE standby LOGIN REPLICATION PASSWORD :'standby';
SELECT pg_create_physical_replication_slot('standby');
SQL

echo 'host replication standby all scram-sha-256' >>"$PGDATA/pg_hba.conf"
