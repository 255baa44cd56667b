//! The tree of a plan file → a `Plan`: one function per record of the grammar.
//!
//! Reading goes on after an error, so that one reading reports them all. What concerns several values at once is
//! checked in `check.rs`.

mod keys;
mod values;

use std::collections::BTreeSet;

use super::document::{Entry, Node, Span};
use super::error::Finding;
use super::grammar::{Form, PLAN, Record};
use super::model::{Binaries, Blocks, Initdb, Local, Plan, Reach, Target, TrialPhases, Workload};

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
        let baseline = self.value(&fields, "baseline", Self::target_name);
        let may_differ = self.value(&fields, "may_differ", |r, at| r.list(at, Self::difference));
        let workloads = self.value(&fields, "workloads", |r, at| r.named(at, Self::workload));
        let clients = self.value(&fields, "clients", |r, at| r.list(at, Self::whole_u32));
        let threads = self.optional(&fields, "threads", Self::whole_u32);
        let trial = self.value(&fields, "trial", Self::trial);
        let blocks = self.value(&fields, "blocks", Self::blocks);
        let practical_threshold = self.value(&fields, "practical_threshold", Self::percent);
        let noise_floor = self.value(&fields, "noise_floor", Self::boolean);
        let seed = self.optional(&fields, "seed", Self::whole);
        Some(Plan {
            name: name?,
            targets: targets?,
            baseline: baseline?,
            may_differ: BTreeSet::from_iter(may_differ?),
            workloads: workloads?,
            clients: clients?,
            threads: threads?,
            trial: trial?,
            blocks: blocks?,
            practical_threshold: practical_threshold?,
            noise_floor: noise_floor?,
            seed: seed?,
        })
    }

    fn target(&mut self, name: &str, at: &At<'_>) -> Option<Target> {
        let fields = self.record(at)?;
        let url = self.optional(&fields, "url", Self::url);
        let local = self.optional(&fields, "local", Self::local);
        let knobs = self.value(&fields, "knobs", Self::settings);
        let reach = match (url?, local?) {
            (Some(url), None) => Reach::Url(url),
            (None, Some(local)) => Reach::Local(local),
            // `fields` has reported these.
            (None, None) | (Some(_), Some(_)) => return None,
        };
        Some(Target { name: name.to_owned(), reach, knobs: knobs? })
    }

    fn local(&mut self, at: &At<'_>) -> Option<Local> {
        let fields = self.record(at)?;
        let version = self.optional(&fields, "version", Self::version);
        let bin = self.optional(&fields, "bin", Self::path);
        let initdb = self.value(&fields, "initdb", Self::initdb);
        let settings = self.value(&fields, "settings", Self::settings);
        let data_directory = self.optional(&fields, "data_directory", Self::path);
        let keep = self.value(&fields, "keep", Self::boolean);
        let via = self.value(&fields, "via", Self::word);
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
            via: via?,
        })
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

    fn workload(&mut self, name: &str, at: &At<'_>) -> Option<Workload> {
        let fields = self.record(at)?;
        let builtin = self.value(&fields, "builtin", Self::word);
        let scale = self.value(&fields, "scale", Self::whole_u32);
        let mode = self.value(&fields, "mode", Self::word);
        let data = self.value(&fields, "data", Self::word);
        Some(Workload { name: name.to_owned(), builtin: builtin?, scale: scale?, mode: mode?, data: data? })
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
