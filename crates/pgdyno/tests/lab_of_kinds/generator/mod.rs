//! Conditions drawn from seeds: a base situation and what is injected. Pure: neither servers nor files nor clocks.

// The lab makes conditions of what a test only draws.
#![allow(dead_code)]

pub mod causes;
pub mod condition;
pub mod random;
pub mod server_settings;
pub mod situation;

use causes::{ANY, FAMILIES, Kind, clients};
use condition::{Base, Condition, Injection, Outside, Shape};
use random::{Random, hash_of_seed};
use situation::draw_base;

/// Controls in a hundred conditions, in which nothing is injected.
const CONTROLS_PERCENT: u64 = 8;

/// Conditions in a hundred in which two causes are injected.
const TWO_CAUSES_PERCENT: u64 = 8;

/// Kinds whose sides are on a disk and are measured by whole trials, one after the other.
const ON_DISK: &[&str] = &[
    "WAL setting",
    "any setting",
    "logged",
    "memory limit",
    "writes of the disk",
    "bandwidth of the disk",
    "snapshot held",
    "prepared transaction",
    "vacuum",
    "base backup",
    "logical decoding",
    "synchronous receiver",
    "index being created",
    "checkpoints",
];

/// The half of the seeds that a seed belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Whose results are looked at while rules are changed.
    Open,
    /// Whose results are looked at in the end only.
    Sealed,
}

impl Half {
    /// That of a seed.
    pub fn of_seed(seed: u64) -> Self {
        if hash_of_seed(seed, "half").is_multiple_of(2) { Self::Open } else { Self::Sealed }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Sealed => "sealed",
        }
    }
}

/// Draws the condition of a seed.
pub fn draw_condition(seed: u64) -> Condition {
    let mut random = Random::for_matter(seed, "condition");
    let injected_causes = random.number_between(1, 100);
    let injured_is_baseline = random.happens(50);
    let plain_role = random.happens(50);
    if injected_causes <= CONTROLS_PERCENT {
        let base = draw_base(seed, random.choose(ANY));
        return Condition { seed, base, injections: Vec::new(), injured_is_baseline, plain_role };
    }
    let first = draw_kind(&mut random, None);
    let base = draw_base(seed, random.choose(first.shapes));
    let mut injections = vec![draw_injection(seed, first, &base)];
    if injected_causes > 100 - TWO_CAUSES_PERCENT {
        let second = draw_kind(&mut random, Some((base.shape, first.name)));
        injections.push(draw_injection(seed, second, &base));
    }
    let mut condition = Condition { seed, base, injections, injured_is_baseline, plain_role };
    condition.fit_to_kinds();
    condition
}

/// Draws a kind, by the weights of families and kinds; of a second one, whose load is there, one of another family
/// that its statements suit.
fn draw_kind(random: &mut Random, first: Option<(Shape, &str)>) -> &'static Kind {
    let of_families: u64 = FAMILIES.iter().map(|family| family.weight).sum();
    loop {
        let family = pick(random.number_between(1, of_families), FAMILIES, |family| family.weight);
        let of_kinds: u64 = family.kinds.iter().map(|kind| kind.weight).sum();
        let kind = pick(random.number_between(1, of_kinds), family.kinds, |kind| kind.weight);
        match first {
            None => return kind,
            Some((shape, name)) => {
                let same_family = family.kinds.iter().any(|kind| kind.name == name);
                if !same_family && kind.shapes.contains(&shape) {
                    return kind;
                }
            }
        }
    }
}

/// The element in whose part of the sum of weights a number lies.
fn pick<T>(number: u64, of: &'static [T], weight: fn(&T) -> u64) -> &'static T {
    let mut left = number;
    for one in of {
        if left <= weight(one) {
            return one;
        }
        left -= weight(one);
    }
    panic!("a number beyond the sum of weights")
}

fn draw_injection(seed: u64, kind: &Kind, base: &Base) -> Injection {
    let injection = (kind.draw)(&mut Random::for_matter(seed, kind.name), base);
    Injection { kind: kind.name, ..injection }
}

impl Condition {
    /// What the kinds ask of the load.
    fn fit_to_kinds(&mut self) {
        let kinds: Vec<&str> = self.injections.iter().map(|injection| injection.kind).collect();
        if kinds.iter().any(|kind| clients::LOGINS.contains(kind)) {
            self.base.reconnects = true;
        }
        if kinds.contains(&"policy") || kinds.contains(&"memberships of the role") {
            self.plain_role = true;
        }
        // PgBouncer before 1.21 knows no prepared statements when it pools transactions.
        let pooled =
            |injection: &Injection| injection.injured.outside.iter().any(|it| matches!(it, Outside::Pooler(_)));
        if self.injections.iter().any(pooled) {
            self.base.mode = "simple";
        }
    }

    /// Whether a cause is about the disk or what is written to it, or outlasts a slice of the load.
    pub fn needs_disk_and_trials(&self) -> bool {
        self.injections.iter().any(|injection| ON_DISK.contains(&injection.kind))
    }

    /// Its kind in the results: that of its first cause.
    pub fn kind(&self) -> &'static str {
        self.injections.first().map_or("control", |injection| injection.kind)
    }

    /// Its line in the list of seeds: the seed, the half, the kind, the shape, the causes and the words expected.
    pub fn line(&self) -> String {
        let mut causes = Vec::new();
        let mut facts = Vec::new();
        for injection in &self.injections {
            causes.push(injection.cause.clone());
            let alternatives: Vec<String> = injection.facts.iter().map(|words| words.join(" + ")).collect();
            facts.push(alternatives.join(" | "));
        }
        let cause = if causes.is_empty() { "none".to_owned() } else { causes.join(" AND ") };
        format!(
            "{}\t{}\t{}\t{:?}\t{cause}\t{}",
            self.seed,
            Half::of_seed(self.seed).name(),
            self.kind(),
            self.base.shape,
            facts.join(" AND ")
        )
    }
}
