# Runs each job file of fio that is put into a directory of /work once, in the volume; what fio says stays beside it.
trap 'exit 0' TERM
mkdir -p /volume/pgdyno && cd /volume/pgdyno || exit
while :; do
    for go in /work/*/go; do
        [ -e "$go" ] || continue
        of=${go%/go}
        rm -f "$go" ./*.log
        fio --output-format=json "$of/job.fio" >"$of/output" 2>"$of/errors" &
        echo $! >"$of/pid"
        wait $!
        echo $? >"$of/end.new"
        mv "$of/end.new" "$of/end"
    done
    sleep 0.2 &
    wait $!
done
