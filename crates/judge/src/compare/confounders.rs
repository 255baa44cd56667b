//! What differs between candidates and the baseline although the plan does not allow it: what belongs together is one
//! difference, the same one of several candidates is said once, and what can cost most comes first.

use std::fmt;

use plan::{Aspect, WordChoice as _};

use super::fact_value::FactValue;
use super::sides::{CERTIFICATE_KEY, ENCRYPTION, EXTENSIONS, FactRow, KnownTarget};

/// A difference between candidates and the baseline that the plan did not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confounder {
    /// The candidates that have it, in the plan's order; at least one.
    pub candidates: Vec<String>,
    /// What differs.
    pub difference: FactDifference,
    /// What to do about it.
    pub hint: String,
}

/// A difference between a candidate and the baseline: one fact, or several of one purpose. It prints as `what:
/// baseline / candidate`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactDifference {
    /// The aspect in which they differ.
    pub aspect: Aspect,
    /// The name of the fact, or what several have in common.
    pub what: String,
    /// The facts, those first that can cost most; at most [`LISTED`].
    pub facts: Vec<DifferingFact>,
    /// How many more there are.
    pub unlisted: usize,
}

/// A fact with its two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferingFact {
    /// Its name.
    pub name: String,
    /// The baseline's value.
    pub baseline: FactValue,
    /// The candidate's value.
    pub candidate: FactValue,
}

impl FactDifference {
    /// The baseline's value and the candidate's; of several facts each with its name.
    pub fn values_in_words(&self) -> [String; 2] {
        [self.list_values(|fact| fact.baseline.to_string()), self.list_values(|fact| fact.candidate.to_string())]
    }

    /// The same without where they come from.
    pub(crate) fn texts_of_values(&self) -> [String; 2] {
        [self.list_values(|fact| fact.baseline.text.clone()), self.list_values(|fact| fact.candidate.text.clone())]
    }

    fn list_values(&self, value: impl Fn(&DifferingFact) -> String) -> String {
        if let [only] = self.facts.as_slice()
            && only.name == self.what
        {
            return value(only);
        }
        let mut parts: Vec<String> = self.facts.iter().map(|fact| format!("{} = {}", fact.name, value(fact))).collect();
        if self.unlisted > 0 {
            parts.push(format!("and {} more", self.unlisted));
        }
        parts.join(", ")
    }
}

impl fmt::Display for FactDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [baseline, candidate] = self.values_in_words();
        write!(f, "{}: {baseline} / {candidate}", self.what)
    }
}

/// Settings that a server has for one purpose.
struct SettingFamily {
    what: &'static str,
    has: fn(&str) -> bool,
}

const FAMILIES: [SettingFamily; 3] = [
    SettingFamily { what: "TLS settings", has: |name| name == "ssl" || name.starts_with("ssl_") },
    SettingFamily { what: "settings of replication and archiving", has: is_of_replication },
    SettingFamily { what: "settings of logging", has: |name| name.starts_with("log") || name.starts_with("csvlog") },
];

/// What belongs to what its operator sets, whatever its purpose.
const BY_OPERATOR: &str = "settings chosen by the operator";

fn is_of_replication(name: &str) -> bool {
    const BEGIN: [&str; 13] = [
        "archive_",
        "hot_standby",
        "max_logical_replication",
        "max_replication_slots",
        "max_slot_wal",
        "max_standby",
        "max_wal_senders",
        "primary_",
        "recovery_",
        "restore_command",
        "wal_keep_size",
        "wal_receiver",
        "wal_sender",
    ];
    ["wal_level", "wal_log_hints", "track_commit_timestamp", "sync_replication_slots"].contains(&name)
        || BEGIN.iter().any(|begin| name.starts_with(begin))
}

/// How much a difference can change the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    /// What is waited for with every transaction or every commit: by factors.
    EveryTransaction,
    /// The machine, and how its way is: by factors.
    Machine,
    /// Tens of percent.
    Strong,
    /// Some percent, at times more.
    Some,
    /// Hardly anything, as a rule.
    Little,
}

fn effect_of_fact(row: &FactRow) -> Effect {
    const EVERY_COMMIT: [&str; 4] = ["fsync", "synchronous_commit", "synchronous_standby_names", "wal_sync_method"];
    const STRONG: [&str; 17] = [
        "archive_mode",
        "autovacuum",
        "checkpoint_timeout",
        "effective_io_concurrency",
        "full_page_writes",
        "huge_pages",
        "io_method",
        "jit",
        "log_min_duration_statement",
        "log_statement",
        "max_parallel_workers_per_gather",
        "max_wal_size",
        "random_page_cost",
        "ssl",
        "wal_compression",
        "wal_level",
        "work_mem",
    ];
    match row.aspect {
        // Only whoever connects waits for what is done with it.
        Aspect::Route if row.name == CERTIFICATE_KEY => Effect::Some,
        Aspect::Route => Effect::EveryTransaction,
        Aspect::Settings if EVERY_COMMIT.contains(&row.name.as_str()) => Effect::EveryTransaction,
        // It decides, as the memory does, whether data are read from memory.
        Aspect::Settings if row.name == "shared_buffers" => Effect::Machine,
        Aspect::Hardware => Effect::Machine,
        Aspect::Settings if STRONG.contains(&row.name.as_str()) => Effect::Strong,
        // One that is at work in every session stands in shared_preload_libraries, too.
        Aspect::Version if row.name == EXTENSIONS => Effect::Little,
        Aspect::Platform | Aspect::Version | Aspect::Build => Effect::Strong,
        Aspect::Kernel | Aspect::Locale => Effect::Some,
        Aspect::Settings => Effect::Little,
    }
}

/// One fact in which one candidate differs.
struct Differs<'a> {
    row: &'a FactRow,
    baseline: &'a FactValue,
    value: &'a FactValue,
    /// What it belongs to, if to anything.
    family: Option<&'static str>,
}

impl Differs<'_> {
    fn differing_fact(&self) -> DifferingFact {
        let Differs { row, baseline, value, .. } = *self;
        DifferingFact { name: row.name.clone(), baseline: baseline.clone(), candidate: value.clone() }
    }
}

/// The differences against the baseline, the first of `targets`, that were not allowed.
pub(super) fn find_confounders(targets: &[KnownTarget<'_>], rows: &[FactRow]) -> Vec<Confounder> {
    let mut all: Vec<(Effect, Confounder)> = Vec::new();
    for (index, target) in targets.iter().enumerate().skip(1) {
        for (effect, found) in of_candidate(target, index, rows) {
            match all.iter_mut().find(|(_, other)| Confounder { candidates: vec![], ..other.clone() } == found) {
                Some((_, other)) => other.candidates.push(target.name().to_owned()),
                None => all.push((effect, Confounder { candidates: vec![target.name().to_owned()], ..found })),
            }
        }
    }
    // Of what stands between two servers, encryption is what costs most and is thought of least.
    all.sort_by_key(|(effect, found)| (found.difference.what != ENCRYPTION, *effect));
    all.into_iter().map(|(_, found)| found).collect()
}

/// Those of one candidate, which are nobody's yet.
fn of_candidate<'a>(target: &KnownTarget<'_>, index: usize, rows: &'a [FactRow]) -> Vec<(Effect, Confounder)> {
    let mut found: Vec<Differs<'a>> = Vec::new();
    for row in rows {
        let (Some(Some(baseline)), Some(Some(value))) = (row.values.first(), row.values.get(index)) else { continue };
        if !row.allowed && !baseline.agrees_with(value) {
            found.push(Differs { row, baseline, value, family: family_of_setting(row, target) });
        }
    }
    let alone = found.iter().filter(|one| one.family.is_none()).map(|one| (effect_of_fact(one.row), of_one(one)));
    let families = FAMILIES.iter().map(|family| family.what).chain([BY_OPERATOR]);
    let together = families.filter_map(|what| {
        let mut members: Vec<&Differs<'_>> = found.iter().filter(|one| one.family == Some(what)).collect();
        members.sort_by_key(|one| effect_of_fact(one.row));
        let strongest = effect_of_fact(members.first()?.row);
        let is_one = members.len() == 1 && what != BY_OPERATOR;
        Some((strongest, if is_one { of_one(members[0]) } else { of_family(what, &members) }))
    });
    alone.chain(together).collect()
}

fn family_of_setting(row: &FactRow, target: &KnownTarget<'_>) -> Option<&'static str> {
    if row.aspect != Aspect::Settings {
        return None;
    }
    if target.is_set_by_operator(&row.name) {
        return Some(BY_OPERATOR);
    }
    FAMILIES.iter().find(|family| (family.has)(&row.name)).map(|family| family.what)
}

fn of_one(one: &Differs<'_>) -> Confounder {
    let row = one.row;
    let word = if row.aspect == Aspect::Settings { row.name.as_str() } else { row.aspect.as_word() };
    Confounder {
        candidates: vec![],
        difference: FactDifference {
            aspect: row.aspect,
            what: row.name.clone(),
            facts: vec![one.differing_fact()],
            unlisted: 0,
        },
        hint: format!("make the sides equal, or add {word:?} to may_differ if it is part of the comparison"),
    }
}

/// So many of several are listed; the facts of the sides have them all.
const LISTED: usize = 6;

/// Several as one, those first that can cost most.
fn of_family(what: &str, members: &[&Differs<'_>]) -> Confounder {
    Confounder {
        candidates: vec![],
        difference: FactDifference {
            aspect: Aspect::Settings,
            what: what.to_owned(),
            facts: members.iter().take(LISTED).map(|one| one.differing_fact()).collect(),
            unlisted: members.len().saturating_sub(LISTED),
        },
        hint:
            "make the sides equal, or add these settings to may_differ (or \"settings\" for all of them) if they are \
             part of the comparison"
                .to_owned(),
    }
}
