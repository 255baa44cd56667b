//! What a workload cannot be: with another program's generator, or with a ledger.

use std::num::NonZeroU32;

use super::super::language::{Fields, Findings};
use super::super::workload::{Generator, Pace, Rate, Workload};
use work::{Arrivals, Connections, Shape, SysbenchScript, Tries};

impl Workload {
    /// Reports what its values have against each other.
    pub(crate) fn is_possible(&self, findings: &mut Findings, fields: &Fields<'_>) {
        self.what_the_generator_can(findings, fields);
        self.what_the_real_sysbench_lacks(findings, fields);
        if self.ledger && !(self.builtin().is_some() && self.writes()) {
            fields.misplaced(findings, "ledger", "is for `tpcb-like` and `simple-update`", "remove it");
        }
    }

    /// The real pgbench and sysbench have options of their own.
    fn what_the_generator_can(&self, findings: &mut Findings, fields: &Fields<'_>) {
        let (tool, works): (&str, &[&str]) = match self.generator {
            Generator::Pgdyno => return,
            Generator::Pgbench => ("pgbench", &["builtin", "script"]),
            Generator::Sysbench => ("sysbench", &["sysbench"]),
        };
        let is_sysbench = self.generator == Generator::Sysbench;
        let varying = matches!(self.pace, Pace::Open { rate: Rate::Ramp { .. } | Rate::Steps(_), .. });
        for (name, cannot) in [
            (self.work.key(), !works.contains(&self.work.key())),
            ("think", matches!(self.pace, Pace::Closed { think: Some(_) })),
            ("arrivals", matches!(self.pace, Pace::Open { arrivals: Arrivals::Even, .. })),
            ("latency_limit", is_sysbench && self.latency_limit.is_some()),
            ("tries", is_sysbench && self.tries != Tries::AtMost(NonZeroU32::MIN)),
            ("connections", is_sysbench && self.connections == Connections::PerTransaction),
            ("rate", varying),
            ("capacity", self.capacity().is_some()),
            ("ledger", self.ledger),
        ] {
            let what = if name == "rate" { "a rate that changes" } else { "this" };
            let why = format!("is not for `generator: {tool}`, which cannot do {what}");
            if cannot {
                fields.misplaced(findings, name, &why, "use `generator: pgdyno`");
            }
        }
    }

    /// What sysbench 1.0 does not know, and what it counts otherwise.
    fn what_the_real_sysbench_lacks(&self, findings: &mut Findings, fields: &Fields<'_>) {
        let (Generator::Sysbench, Some(sysbench)) = (self.generator, self.sysbench()) else { return };
        let mut refuse = |key: &str, why: &str| {
            fields.misplaced_below(findings, "sysbench", key, why, "use `generator: pgdyno`");
        };
        if sysbench.options.distribution.shape() == Shape::Zipfian {
            refuse("distribution", "zipfian is not for `generator: sysbench`, whose version 1.0 does not know it");
        }
        if sysbench.script == SysbenchScript::BulkInsert {
            refuse(
                "script",
                "bulk_insert is not for `generator: sysbench`, which counts rows, not statements, and numbers them from 1 \
                 again after the warm-up",
            );
        }
    }
}
