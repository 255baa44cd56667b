//! What a workload cannot be: with another program's generator, or with a ledger.

use std::num::NonZeroU32;

use super::super::language::{MappingFields, PlanReadingFindings};
use super::super::workload::{Generator, PlannedRate, Workload, WorkloadPace};
use work::{Arrivals, Connections, Shape, SysbenchScript, Tries, WordChoice as _};

impl Workload {
    /// Reports what its values have against each other.
    pub(crate) fn is_possible(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        self.what_a_generator_can(findings, fields, self.generator, "generator", "use `generator: pgdyno`");
        match self.cross_check {
            Some(same) if same == self.generator => {
                let why = format!("is `{}`, which is already the generator", same.as_word());
                fields.report_misplaced(findings, "cross_check", &why, "use another generator, or remove it");
            }
            Some(other) => self.what_a_generator_can(findings, fields, other, "cross_check", "remove `cross_check`"),
            None => {}
        }
        if self.reads_standby() && self.surely_writes() {
            let why = "is `standby`, which rejects the writes of its transactions";
            fields.report_misplaced(
                findings,
                "reads_from",
                why,
                "use a workload that only reads, such as `select-only`",
            );
        }
        if self.reads_standby() && (self.generator != Generator::Pgdyno || self.cross_check.is_some()) {
            let why = "is `standby`, which only the load engine of pgdyno connects to";
            fields.report_misplaced(findings, "reads_from", why, "use `generator: pgdyno` without `cross_check`");
        }
        let is_captured = self.own_scripts().is_some_and(|scripts| scripts.captured.is_some());
        let limits = [("database_time", self.require.database_time), ("statements", self.require.statements)];
        if let Some((key, _)) = limits.into_iter().find(|(_, limit)| limit.is_some()).filter(|_| !is_captured) {
            let why = format!("has `{key}`, which is for `captured`");
            fields.report_misplaced(findings, "require", &why, &format!("remove `{key}`"));
        } else if self.require.database_time.is_some() && self.capacity_search().is_some() {
            let why = "has `database_time`, which a search for the `capacity` does not have";
            fields.report_misplaced(findings, "require", why, "remove `database_time`");
        }
        if self.timed_replay_speed().is_some() && self.connections == Connections::PerTransaction {
            let why = "does not apply to `replay: timed`, whose sessions have a connection each";
            fields.report_misplaced(findings, "connections", why, "remove it, or use `replay: sampled`");
        }
        if self.ledger && !(self.builtin_script().is_some() && self.can_write()) {
            fields.report_misplaced(findings, "ledger", "applies only to `tpcb-like` and `simple-update`", "remove it");
        }
    }

    /// The real pgbench and sysbench have options of their own; `key` names the one, the hint says what else can be.
    fn what_a_generator_can(
        &self,
        findings: &mut PlanReadingFindings,
        fields: &MappingFields<'_>,
        generator: Generator,
        key: &str,
        hint: &str,
    ) {
        let (tool, works): (&str, &[&str]) = match generator {
            Generator::Pgdyno => return,
            Generator::Pgbench => ("pgbench", &["builtin", "script"]),
            Generator::Sysbench => ("sysbench", &["sysbench"]),
        };
        let is_sysbench = generator == Generator::Sysbench;
        let varying =
            matches!(self.pace, WorkloadPace::Open { rate: PlannedRate::Ramp { .. } | PlannedRate::Steps(_), .. });
        for (name, cannot) in [
            (self.work.plan_key(), !works.contains(&self.work.plan_key())),
            ("think", matches!(self.pace, WorkloadPace::Closed { think: Some(_) })),
            ("arrivals", matches!(self.pace, WorkloadPace::Open { arrivals: Arrivals::Even, .. })),
            ("latency_limit", is_sysbench && self.latency_limit.is_some()),
            ("tries", is_sysbench && self.tries != Tries::AtMost(NonZeroU32::MIN)),
            ("connections", is_sysbench && self.connections == Connections::PerTransaction),
            ("rate", varying),
            ("capacity", self.capacity_search().is_some()),
            ("ledger", self.ledger),
        ] {
            let what = if name == "rate" { "a changing rate" } else { "this" };
            let why = format!("does not apply to `{key}: {tool}`, which does not support {what}");
            if cannot {
                fields.report_misplaced(findings, name, &why, hint);
            }
        }
        if is_sysbench {
            self.what_the_real_sysbench_lacks(findings, fields, key, hint);
        }
    }

    /// What sysbench 1.0 does not know, and what it counts otherwise.
    fn what_the_real_sysbench_lacks(
        &self,
        findings: &mut PlanReadingFindings,
        fields: &MappingFields<'_>,
        key: &str,
        hint: &str,
    ) {
        let Some(sysbench) = self.as_sysbench() else { return };
        let mut refuse = |name: &str, what: &str, why: &str| {
            let why = format!("{what} does not apply to `{key}: sysbench`, {why}");
            fields.misplaced_below(findings, "sysbench", name, &why, hint);
        };
        if sysbench.options.distribution.shape() == Shape::Zipfian {
            refuse("distribution", "zipfian", "whose version 1.0 does not support it");
        }
        if sysbench.script == SysbenchScript::BulkInsert {
            refuse(
                "script",
                "bulk_insert",
                "which counts rows, not statements, and numbers them from 1 again after the warm-up",
            );
        }
    }
}
