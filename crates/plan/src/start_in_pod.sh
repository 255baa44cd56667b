# Makes a cluster in an empty volume and starts its server. Arguments: settings, as postgres takes them; GRANTS: what its
# user is granted, a statement a line.
set -eu
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    rm -rf "$PGDATA.new"
    initdb --pgdata "$PGDATA.new" --username postgres --encoding UTF8 --locale C --auth peer --no-instructions
    printf '%s\n' 'local all postgres peer' 'local all all scram-sha-256' 'host all all all scram-sha-256' > "$PGDATA.new/pg_hba.conf"
    printf '%s\n' "CREATE ROLE $(cat /secret/username) LOGIN PASSWORD '$(cat /secret/password)'" "$GRANTS" \
        "CREATE DATABASE $(cat /secret/dbname) OWNER $(cat /secret/username)" |
        postgres --single -D "$PGDATA.new" postgres
    mv "$PGDATA.new" "$PGDATA"
fi
exec postgres -D "$PGDATA" -c "listen_addresses=*" -c port=5432 -c unix_socket_directories=/run/postgresql \
    -c ssl=on -c ssl_cert_file=/secret/tls.crt -c ssl_key_file=/secret/tls.key "$@"
