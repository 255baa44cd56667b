//! The words that name what everybody measures: they tell nothing of whose a run is, and rules read some of them.

/// Words in lower case, several in a text; numbers at their end are left out.
const KNOWN: [&str; 35] = [
    "author customer notes repetitions cell cells differ",
    "a after all and any arm at avg average before best bound by cold count default each first for from",
    "graviton hot in is last max mean median min new no none not of off old on one only or other over per",
    "raw second the three to true two false unknown value db database databases warm with without yes",
    "main completed failed table study text imported measure up noise floor throughput latency",
    "mean-latency postgres postgresql pg psql mysql mariadb oracle aurora rds alloydb neon cockroachdb",
    "cockroach yugabytedb yugabyte citus timescaledb timescale cnpg cloudnative cloudnativepg crunchy",
    "zalando patroni spilo stackgres operator supabase pgbouncer bouncer pgcat odyssey pgpool haproxy",
    "proxy pooler pool pooled direct router balancer pgbench sysbench fio hammerdb benchbase kbench tpcb",
    "tpcc tpch tproc ycsb tatp oltp tpc postgresbench test bench benchmark workload script builtin job",
    "jobs run runs repetition repetitions trial trials round rounds iteration select insert update delete",
    "read reads write writes readonly writeonly readwrite ro rw rnd random rand randread randwrite randrw",
    "seq sequential mixed mix simple extended prepared query queries transaction transactions tx txn",
    "point range index key lookup scan sort join order orders like batch bulk copy commit sync synced",
    "async fsync fdatasync open_datasync odirect buffered cached cache cachedisk memory inmemory mem ram",
    "disk diskbound data dataset set scenario scale size small medium large huge tiny big client clients",
    "connection connections conn conns thread threads worker workers user users terminal terminals vuser",
    "vusers session sessions concurrency load rate offered tps qps nopm tpm rps iops bandwidth ops req",
    "requests goodput percent change ratio stddev p p50 p90 p95 p99 ms us ns sec seconds minutes hours s",
    "m h kb mb gb tb kib mib gib tib k b g t bs iodepth depth numjobs block blocks bytes file files page",
    "pages vm vms bare metal baremetal physical virtual machine host node server instance container",
    "docker podman pod pods k8s kubernetes kube openshift eks gke aks ec aws amazon azure gcp google",
    "cloud managed self hosted local remote localhost cpu cpus vcpu vcpus core cores socket sockets numa",
    "intel amd epyc xeon ryzen x86 x64 amd64 arm64 aarch64 ssd nvme hdd sata sas ebs gp io st sc premium",
    "standard network net storage volume lvm raid zfs ext4 ext btrfs xfs ceph rbd longhorn openebs rook",
    "nfs iscsi tmpfs overlay class linux ubuntu debian centos rhel rocky alma fedora suse alpine windows",
    "macos freebsd kernel tcp udp unix tls ssl plain encrypted encryption loopback lan wan route vpc zone",
    "region tuned untuned stock baseline base candidate control variant left right side branch patched",
    "patch version release build master head current previous next original optimized optimised vanilla",
    "custom config configuration setting settings compression lz4 lz zstd pglz gzip checksums wal logged",
    "unlogged partitioned partitions hash btree brin gin gist hugepages jit parallel synchronous",
    "asynchronous replica replication standby primary logical platform hardware generator declared",
    "duration tool mode same hostname provider os statistic summary model heading column row result",
    "results measurement lat deviation time elapsed errors error failures total sum excluding including",
    "connecting initial single multi high low",
];

/// Whether a word tells nothing: it is none, begins with a digit, or is of the language of benchmarks.
pub(super) fn is_known_word(word: &str) -> bool {
    if !word.chars().any(char::is_alphabetic) || word.starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let word = word.to_lowercase();
    let parts: Vec<&str> = word.split('_').filter(|part| !part.is_empty()).collect();
    parts.iter().all(|part| {
        let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
        stem.is_empty() || KNOWN.iter().flat_map(|words| words.split(' ')).any(|known| known == stem || known == *part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_benchmarks_are_known_and_others_are_not() {
        for word in ["", "17", "64GB", "pg17", "PostgreSQL", "oltp_read_only", "vm1", "duration_s", "x86_64"] {
            assert!(is_known_word(word), "{word}");
        }
        for word in ["acme", "acme_orders", "Globex", "db1x", "Ärzte"] {
            assert!(!is_known_word(word), "{word}");
        }
    }
}
