//! What was done before the trials of a run so that all of a cell start alike, as one paragraph.

use judge::units;
use results::trial::{Preparation, Trial, WarmCache, WarmedBy};

/// So many statements are named; a workload on many tables has one for each.
const NAMED: usize = 8;

/// The paragraph; none where nothing was done.
pub(crate) fn preparation_paragraph(trials: &[Trial]) -> Option<String> {
    let mut done = PreparationSteps::default();
    for trial in trials {
        trial.preparation.iter().for_each(|step| done.add(step));
    }
    let parts = done.describe_steps();
    if parts.is_empty() {
        return None;
    }
    Some(format!("Before each trial, so that all trials of a cell start in the same state: {}.", parts.join("; ")))
}

/// The steps of all trials by kind.
#[derive(Default)]
struct PreparationSteps<'a> {
    /// Each once.
    kernel_values: Vec<String>,
    /// Each once.
    statements: Vec<&'a str>,
    restarts: usize,
    roll_outs: usize,
    /// Sizes of what was put out.
    cold: Vec<u64>,
    warm: Vec<&'a WarmCache>,
    in_words: Vec<&'a str>,
}

impl<'a> PreparationSteps<'a> {
    fn add(&mut self, step: &'a Preparation) {
        match step {
            Preparation::KernelValue(value) => push_if_new(&mut self.kernel_values, format!("sysctl {value}")),
            Preparation::Statement(sql) => push_if_new(&mut self.statements, sql),
            Preparation::Restart => self.restarts += 1,
            Preparation::Settings => self.roll_outs += 1,
            Preparation::ColdCache { evicted_bytes } => self.cold.push(*evicted_bytes),
            Preparation::WarmCache(warm) => self.warm.push(warm),
            Preparation::InWords(words) => self.in_words.push(words),
        }
    }

    fn describe_steps(&self) -> Vec<String> {
        let mut parts = self.kernel_values.clone();
        if !self.statements.is_empty() {
            let (named, more) = self.statements.split_at(NAMED.min(self.statements.len()));
            let more = if more.is_empty() { String::new() } else { format!(" and {} more like these", more.len()) };
            parts.push(format!("{}{more}", named.join(", ")));
        }
        if self.restarts > 0 {
            parts.push(format!("server restarted before each block ({} times)", self.restarts));
        }
        if self.roll_outs > 0 {
            parts.push(format!(
                "settings of the server changed and rolled out by its operator ({} times)",
                self.roll_outs
            ));
        }
        if let Some(most) = self.cold.iter().max() {
            parts.push(format!(
                "server restarted, and its files (up to {}) evicted from the page cache ({} trials)",
                units::format_bytes(*most as f64),
                self.cold.len()
            ));
        }
        parts.extend([WarmedBy::PgPrewarm, WarmedBy::Scans].into_iter().filter_map(|by| self.describe_warming(by)));
        // Before format 3: all say the same with other figures.
        parts.extend(self.in_words.first().map(|words| format!("{words} ({} trials)", self.in_words.len())));
        parts
    }

    fn describe_warming(&self, by: WarmedBy) -> Option<String> {
        let warm: Vec<&WarmCache> = self.warm.iter().copied().filter(|warm| warm.by == by).collect();
        let most = warm.iter().max_by_key(|warm| warm.bytes)?;
        let by = match by {
            WarmedBy::PgPrewarm => "pg_prewarm",
            WarmedBy::Scans => "scans",
        };
        let unsteady = warm.iter().filter(|warm| !warm.steady).count();
        let unsteady =
            if unsteady == 0 { String::new() } else { format!(", {unsteady} of them not steady at the end") };
        Some(format!(
            "up to {} tables and indexes ({}) read by {by} until the caches were steady ({} trials{unsteady})",
            most.relations,
            units::format_bytes(most.bytes as f64),
            warm.len()
        ))
    }
}

fn push_if_new<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

#[cfg(test)]
mod tests {
    use results::trial::KernelValue;

    use super::*;

    fn said(steps: &[Preparation]) -> String {
        let mut done = PreparationSteps::default();
        steps.iter().for_each(|step| done.add(step));
        done.describe_steps().join("; ")
    }

    #[test]
    fn each_statement_is_named_once_and_of_many_the_first() {
        let value = KernelValue { name: "vm.swappiness".to_owned(), set: "1".to_owned(), before: "60".to_owned() };
        let statement = |sql: &str| Preparation::Statement(sql.to_owned());
        let trial = [Preparation::KernelValue(value), statement("VACUUM a"), statement("CHECKPOINT")];
        let twice = [trial.clone(), trial].concat();
        insta::assert_snapshot!(said(&twice), @"sysctl vm.swappiness = 1 (before: 60); VACUUM a, CHECKPOINT");
        let many: Vec<Preparation> = (1..=10).map(|number| statement(&format!("TRUNCATE t{number}"))).collect();
        assert!(said(&many).ends_with("TRUNCATE t8 and 2 more like these"), "{}", said(&many));
    }

    #[test]
    fn caches_are_told_with_their_size_and_whether_they_were_steady() {
        let warm = |by, bytes, steady| {
            Preparation::WarmCache(WarmCache { by, relations: 7, bytes, passes: Vec::new(), steady, took_us: 1 })
        };
        let steps = [
            Preparation::Restart,
            Preparation::Settings,
            Preparation::ColdCache { evicted_bytes: 64 << 20 },
            Preparation::ColdCache { evicted_bytes: 32 << 20 },
            warm(WarmedBy::PgPrewarm, 16 << 20, true),
            warm(WarmedBy::Scans, 16 << 20, true),
            warm(WarmedBy::Scans, 8 << 20, false),
        ];
        insta::assert_snapshot!(said(&steps).replace("; ", "\n"), @"
        server restarted before each block (1 times)
        settings of the server changed and rolled out by its operator (1 times)
        server restarted, and its files (up to 64 MiB) evicted from the page cache (2 trials)
        up to 7 tables and indexes (16 MiB) read by pg_prewarm until the caches were steady (1 trials)
        up to 7 tables and indexes (16 MiB) read by scans until the caches were steady (2 trials, 1 of them not steady at the end)
        ");
    }

    #[test]
    fn where_nothing_was_done_nothing_is_said() {
        assert_eq!(preparation_paragraph(&[]), None);
    }
}
