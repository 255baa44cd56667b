//! The tree of a plan file → a `Plan`: one function per record of the grammar.
//!
//! Reading goes on after an error, so that one reading reports them all. What concerns several values at once is
//! checked in `check`.

mod disk;
mod keys;
mod sysbench;
mod values;
mod workload;

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::document::{Entry, Node, Span};
use super::error::Finding;
use super::grammar::{Form, PLAN, Record};
use super::model::{
    Agent, Binaries, Blocks, Filesystem, Initdb, Local, Machine, Plan, Reach, Shared, Target, TrialPhases, Way,
};
use super::secret::ServerUrl;
use super::units::parse_file_size;
use super::variants::{self, InitdbChanges, Variant};

/// Reads a plan; when it gives none, `findings` says why, and it may say more when it gives one.
pub(super) fn plan(root: &Node, findings: &mut Vec<Finding>) -> Option<Plan> {
    Reader { findings }.plan(root)
}

struct Reader<'f> {
    findings: &'f mut Vec<Finding>,
}

/// The values of a mapping by the keys of its record.
struct Fields<'n> {
    record: &'static Record,
    /// Where the mapping is in the plan, like `targets.vm.local`; empty for the plan itself.
    path: String,
    span: Span,
    given: Vec<&'n Entry>,
}

/// A value that is being read: what it is, where it is, what it should be.
struct At<'n> {
    node: &'n Node,
    path: &'n str,
    form: &'static Form,
}

impl Fields<'_> {
    fn path_of(&self, key: &str) -> String {
        join(&self.path, key)
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

impl Reader<'_> {
    fn plan(&mut self, root: &Node) -> Option<Plan> {
        let fields = self.fields(root, &PLAN, String::new())?;
        let name = self.value(&fields, "name", Self::text);
        let targets = self.value(&fields, "targets", |r, at| r.named(at, Self::target));
        let targets = targets.map(|targets| targets.into_iter().flatten().collect());
        let baseline = self.value(&fields, "baseline", Self::target_name);
        let ladder = self.optional(&fields, "ladder", |r, at| r.sequence(at, Self::target_name));
        let may_differ = self.value(&fields, "may_differ", |r, at| r.list(at, Self::difference));
        let workloads = self.value(&fields, "workloads", |r, at| r.named(at, Self::workload));
        let clients = self.value(&fields, "clients", |r, at| r.list(at, Self::whole_u32));
        let threads = self.optional(&fields, "threads", Self::whole_u32);
        let trial = self.value(&fields, "trial", Self::trial);
        let blocks = self.value(&fields, "blocks", Self::blocks);
        let practical_threshold = self.value(&fields, "practical_threshold", Self::percent);
        let noise_floor = self.value(&fields, "noise_floor", Self::boolean);
        let probes = self.value(&fields, "probes", Self::boolean);
        let observer_cost = self.value(&fields, "observer_cost", Self::boolean);
        let disk = self.optional(&fields, "disk", Self::disk);
        let seed = self.optional(&fields, "seed", Self::whole);
        Some(Plan {
            name: name?,
            targets: targets?,
            baseline: baseline?,
            ladder: ladder?.unwrap_or_default(),
            may_differ: BTreeSet::from_iter(may_differ?),
            workloads: workloads?,
            clients: clients?,
            threads: threads?,
            trial: trial?,
            blocks: blocks?,
            practical_threshold: practical_threshold?,
            noise_floor: noise_floor?,
            probes: probes?,
            observer_cost: observer_cost?,
            disk: disk?,
            seed: seed?,
        })
    }

    /// A target and its variants as targets.
    fn target(&mut self, name: &str, at: &At<'_>) -> Option<Vec<Target>> {
        let fields = self.record(at)?;
        let url = self.optional(&fields, "url", Self::url);
        let local = self.optional(&fields, "local", Self::local);
        let shared = self.optional(&fields, "shared", Self::shared);
        let knobs = self.value(&fields, "knobs", Self::settings);
        let pooler = self.optional(&fields, "pooler", Self::pooler);
        let disk = self.value(&fields, "disk", Self::target_disk);
        let agent = self.optional(&fields, "agent", Self::agent);
        let filesystem = self.optional(&fields, "filesystem", Self::filesystem);
        let huge_pages = self.optional(&fields, "huge_pages", Self::boolean);
        let sysctl = self.value(&fields, "sysctl", Self::settings);
        let cache = self.optional(&fields, "cache", Self::word);
        let variants = self.optional(&fields, "variants", |r, at| r.named(at, Self::variant));
        let reach = match (url?, local?, shared?) {
            (Some(url), None, None) => Reach::Url(url),
            (None, Some(local), None) => Reach::Local(local),
            (None, None, Some(shared)) => Reach::Shared(shared),
            // `fields` has reported these.
            _ => return None,
        };
        let machine = Machine { filesystem: filesystem?, huge_pages: huge_pages?, sysctl: sysctl? };
        let (name, knobs) = (name.to_owned(), knobs?);
        let target = Target { name, reach, knobs, pooler: pooler?, disk: disk?, machine, cache: cache?, agent: agent? };
        Some(variants::expand(target, variants?.unwrap_or_default()))
    }

    fn variant(&mut self, name: &str, at: &At<'_>) -> Option<Variant> {
        let fields = self.record(at)?;
        let knobs = self.value(&fields, "knobs", Self::settings);
        let initdb = self.value(&fields, "initdb", Self::initdb_changes);
        let filesystem = self.optional(&fields, "filesystem", Self::filesystem);
        let huge_pages = self.optional(&fields, "huge_pages", Self::boolean);
        let sysctl = self.value(&fields, "sysctl", Self::settings);
        let cache = self.optional(&fields, "cache", Self::word);
        Some(Variant {
            name: name.to_owned(),
            knobs: knobs?,
            initdb: initdb?,
            filesystem: filesystem?,
            huge_pages: huge_pages?,
            sysctl: sysctl?,
            cache: cache?,
        })
    }

    fn initdb_changes(&mut self, at: &At<'_>) -> Option<InitdbChanges> {
        let fields = self.record(at)?;
        let wal_segment_size = self.optional(&fields, "wal_segment_size", Self::wal_segment_size);
        let data_checksums = self.optional(&fields, "data_checksums", Self::boolean);
        let locale = self.optional(&fields, "locale", Self::identifier);
        let encoding = self.optional(&fields, "encoding", Self::identifier);
        Some(InitdbChanges {
            wal_segment_size: wal_segment_size?,
            data_checksums: data_checksums?,
            locale: locale?,
            encoding: encoding?,
        })
    }

    fn filesystem(&mut self, at: &At<'_>) -> Option<Filesystem> {
        let fields = self.record(at)?;
        let kind = self.value(&fields, "type", Self::word);
        let size = self.value(&fields, "size", |r, at| r.quantity(at, parse_file_size));
        Some(Filesystem { kind: kind?, size: size? })
    }

    fn pooler(&mut self, at: &At<'_>) -> Option<ServerUrl> {
        let fields = self.record(at)?;
        self.value(&fields, "url", Self::url)
    }

    fn agent(&mut self, at: &At<'_>) -> Option<Agent> {
        let fields = self.record(at)?;
        let ssh = self.optional(&fields, "ssh", Self::text);
        let pgdyno = self.optional(&fields, "pgdyno", Self::path);
        let command = self.optional(&fields, "command", Self::text);
        match (ssh?, pgdyno?, command?) {
            (Some(destination), pgdyno, None) => {
                Some(Agent::Ssh { destination, pgdyno: pgdyno.unwrap_or_else(|| PathBuf::from("pgdyno")) })
            }
            (None, None, Some(command)) => Some(Agent::Command(command)),
            // `fields` has reported these.
            (_, _, _) => None,
        }
    }

    fn local(&mut self, at: &At<'_>) -> Option<Local> {
        let fields = self.record(at)?;
        let version = self.optional(&fields, "version", Self::version);
        let bin = self.optional(&fields, "bin", Self::path);
        let initdb = self.value(&fields, "initdb", Self::initdb);
        let settings = self.value(&fields, "settings", Self::settings);
        let data_directory = self.optional(&fields, "data_directory", Self::path);
        let keep = self.value(&fields, "keep", Self::boolean);
        let way = self.way(&fields);
        let binaries = match (version?, bin?) {
            (Some(version), None) => Binaries::Version(version),
            (None, Some(bin)) => Binaries::Bin(bin),
            // `fields` has reported these.
            (None, None) | (Some(_), Some(_)) => return None,
        };
        Some(Local {
            binaries,
            initdb: initdb?,
            settings: settings?,
            data_directory: data_directory?,
            keep: keep?,
            way: way?,
        })
    }

    fn shared(&mut self, at: &At<'_>) -> Option<Shared> {
        let fields = self.record(at)?;
        let server_of = self.value(&fields, "server_of", Self::target_name);
        let way = self.way(&fields);
        Some(Shared { server_of: server_of?, way: way? })
    }

    fn way(&mut self, fields: &Fields<'_>) -> Option<Way> {
        let via = self.value(fields, "via", Self::word);
        let tls = self.value(fields, "tls", Self::boolean);
        let pgbouncer = self.value(fields, "pgbouncer", Self::boolean);
        let cpus = self.optional(fields, "cpus", Self::cpus);
        Some(Way { via: via?, tls: tls?, pgbouncer: pgbouncer?, cpus: cpus? })
    }

    fn initdb(&mut self, at: &At<'_>) -> Option<Initdb> {
        let fields = self.record(at)?;
        let wal_segment_size = self.value(&fields, "wal_segment_size", Self::wal_segment_size);
        let data_checksums = self.optional(&fields, "data_checksums", Self::boolean);
        let locale = self.value(&fields, "locale", Self::identifier);
        let encoding = self.value(&fields, "encoding", Self::identifier);
        Some(Initdb {
            wal_segment_size: wal_segment_size?,
            data_checksums: data_checksums?,
            locale: locale?,
            encoding: encoding?,
        })
    }

    fn trial(&mut self, at: &At<'_>) -> Option<TrialPhases> {
        let fields = self.record(at)?;
        let warm_up = self.value(&fields, "warm_up", Self::duration);
        let measure = self.value(&fields, "measure", Self::duration);
        Some(TrialPhases { warm_up: warm_up?, measure: measure? })
    }

    fn blocks(&mut self, at: &At<'_>) -> Option<Blocks> {
        let fields = self.record(at)?;
        let at_least = self.value(&fields, "at_least", Self::whole_u32);
        let at_most = self.value(&fields, "at_most", Self::whole_u32);
        let until = self.value(&fields, "until", Self::percent);
        Some(Blocks { at_least: at_least?, at_most: at_most?, until: until? })
    }
}
