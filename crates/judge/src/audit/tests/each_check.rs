//! One table: what is changed in a clean account, and what the check then says.

use plan::Aspect;
use results::disk::StatedCaps;
use results::imported::{AveragedColumn, ChangedField, StatedAverage, StatedChange};

use super::account::{clean, outcome, trial, verdict};
use crate::audit::material::{
    AuditedSide, Beyond, Material, Residency, Rounding, SideDifference, StatedDiskFlow, StatedDiskStage,
    StatedTrialEnd, TrialAccount, TurnsAccount,
};
use crate::audit::{BenchmarkAudit, CHECKS, CheckRuling, audit_material};
use crate::compare::{DifferingFact, FactDifference, FactValue, Provenance};
use crate::issue::of_audit;

type Change = fn(&mut Material);

fn sides(material: &mut Material, change: fn(&mut AuditedSide)) {
    material.sides.iter_mut().for_each(change);
}

fn trials(material: &mut Material, change: fn(&mut TrialAccount)) {
    material.trials.iter_mut().for_each(change);
}

/// A cell of 500 transactions, of which five are slower than its p99.
fn few_transactions(material: &mut Material, is_interleaved: bool) {
    material.design.interleaved = is_interleaved;
    material.trials[2].transactions = Some(500);
}

/// Sides took turns, of whose time the ends took a share.
fn ending_late(material: &mut Material, ending: f64) {
    material.trials.iter_mut().for_each(|t| t.turns = Some(TurnsAccount { length_s: 0.25, ending }));
}

/// `(check, what is changed, what it then says)`: every check broken and unable to tell,
/// each for every part of its rule.
const TABLE: &[(&str, Change, &str)] = &[
    ("littles-law", |m| m.trials[3].latency_ms_mean = Some(20.0), "broken: single figures"),
    ("littles-law", |m| trials(m, |t| t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 1.2)), "broken: comparison"),
    ("littles-law", |m| trials(m, |t| t.between_ms = t.latency_ms_mean), "broken: comparison"),
    ("littles-law", |m| trials(m, |t| t.latency_ms_mean = None), "cannot tell"),
    ("littles-law", |m| standing_at_the_end(m, 6.0), "broken: single figures"),
    (
        "littles-law",
        |m| {
            standing_at_the_end(m, 6.0);
            m.trials[3].unfinished_s = Some(6.0 * f64::from(m.trials[3].clients.known_count().unwrap()));
        },
        "holds",
    ),
    (
        "littles-law",
        |m| {
            standing_at_the_end(m, 6.0);
            m.trials[3].latency_ms_max = Some(6_000.0);
        },
        "holds",
    ),
    (
        "littles-law",
        |m| {
            m.trials[3].latency_ms_mean = Some(20.0);
            m.trials[3].unfinished_s = Some(60.0 * f64::from(m.trials[3].clients.known_count().unwrap()));
        },
        "broken: single figures",
    ),
    // Clients that were done waited for the ends of their turns.
    (
        "littles-law",
        |m| {
            ending_late(m, 0.2);
            trials(m, |t| t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 0.9));
        },
        "holds",
    ),
    (
        "littles-law",
        |m| {
            ending_late(m, 0.2);
            trials(m, |t| t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 1.2));
        },
        "broken: comparison",
    ),
    ("littles-law", |m| trials(m, |t| t.closed = false), "cannot tell"),
    // A pause within the latency of a script of the author's, and one that is longer than the latency.
    ("littles-law", |m| trials(m, |t| pausing_in_script(t, 0.9)), "holds"),
    ("littles-law", |m| trials(m, |t| pausing_in_script(t, 1.5)), "broken: comparison"),
    // A client that ends in its pause lacks one transaction, which is much of a short trial only.
    ("littles-law", |m| trials(m, |t| pausing(t, 6.0, 0.95, false)), "holds"),
    ("littles-law", |m| trials(m, |t| pausing(t, 60.0, 0.95, false)), "broken: comparison"),
    ("littles-law", |m| trials(m, |t| pausing(t, 6.0, 0.8, false)), "broken: comparison"),
    ("littles-law", |m| trials(m, |t| pausing(t, 60.0, 1.06, true)), "holds"),
    ("littles-law", |m| trials(m, |t| pausing(t, 60.0, 1.06, false)), "broken: comparison"),
    ("storage-queue-depth", |m| deeper(m, 4.0), "broken: comparison"),
    (
        "storage-queue-depth",
        |m| m.stages.iter_mut().for_each(|s| s.stated_in_flight = Some(128.0)),
        "broken: description",
    ),
    ("storage-queue-depth", |m| m.stages.clear(), "cannot tell"),
    ("storage-queue-depth", |m| syncing(m, Some(true)), "cannot tell"),
    ("storage-queue-depth", |m| syncing(m, None), "cannot tell"),
    ("storage-queue-depth", |m| syncing(m, Some(false)), "broken: comparison"),
    (
        "storage-queue-depth",
        |m| {
            m.stages.iter_mut().for_each(|s| s.synced = None);
            deeper(m, 4.0);
        },
        "broken: comparison",
    ),
    ("disk-cap", |m| at_one_limit(m, None), "broken: conclusion"),
    ("disk-cap", |m| at_one_limit(m, Some(3000)), "holds"),
    ("disk-cap", |m| at_block_sizes(m, [3000.0, 3004.0, 3001.0], 32.0, None), "broken: conclusion"),
    ("disk-cap", |m| at_block_sizes(m, [3000.0, 3004.0, 3001.0], 32.0, Some(3000)), "holds"),
    ("disk-cap", |m| at_block_sizes(m, [18_000.0, 14_000.0, 7_500.0], 32.0, None), "holds"),
    // One request under way waits for the network, and the arm of a disk for itself.
    ("disk-cap", |m| at_block_sizes(m, [1200.0, 1195.0, 1190.0], 1.0, None), "holds"),
    ("disk-cap", |m| at_block_sizes(m, [180.0, 179.0, 177.0], 32.0, None), "holds"),
    ("disk-cap", |m| answering_in(m, Some(0.002)), "broken: measurement"),
    ("disk-cap", |m| answering_in(m, Some(0.009)), "holds"),
    ("disk-cap", |m| answering_in(m, None), "broken: measurement"),
    (
        "disk-cap",
        |m| {
            at_one_limit(m, None);
            m.stages
                .iter_mut()
                .flat_map(|s| s.reads.iter_mut().chain(&mut s.writes))
                .for_each(|f| f.latency_ms_mean = Some(0.0));
        },
        "broken: conclusion",
    ),
    ("workload-differs", |m| asked(m, |t, _| t.threads = Some(8)), "holds"),
    ("workload-differs", |m| asked(m, |t, first| t.threads = Some(if first { 8 } else { 2 })), "broken: comparison"),
    ("workload-differs", |m| asked(m, |t, first| t.scale = Some(if first { 100 } else { 300 })), "broken: comparison"),
    ("workload-differs", |m| asked(m, |t, first| t.stated_s = Some(if first { 60.0 } else { 61.0 })), "holds"),
    (
        "workload-differs",
        |m| asked(m, |t, first| t.stated_s = Some(if first { 60.0 } else { 300.0 })),
        "broken: comparison",
    ),
    (
        "workload-differs",
        |m| asked(m, |t, first| lasted(t, if first { 60.0 } else { 300.0 }, 60_123)),
        "broken: comparison",
    ),
    ("workload-differs", |m| asked(m, |t, first| lasted(t, if first { 60.0 } else { 90.0 }, 60_000)), "holds"),
    (
        "workload-differs",
        |m| asked(m, |t, first| t.queries_per_transaction = Some(if first { 20.0 } else { 18.2 })),
        "holds",
    ),
    (
        "workload-differs",
        |m| asked(m, |t, first| t.queries_per_transaction = Some(if first { 20.0 } else { 16.0 })),
        "broken: comparison",
    ),
    // The sides are named for it.
    (
        "workload-differs",
        |m| {
            asked(m, |t, first| t.query_mode = Some(if first { "simple" } else { "prepared" }.to_owned()));
            m.sides[1].name = "prepared".to_owned();
            m.trials.iter_mut().filter(|t| t.side == "pod").for_each(|t| t.side = "prepared".to_owned());
        },
        "holds",
    ),
    (
        "workload-differs",
        |m| {
            asked(m, |t, first| t.scale = Some(if first || t.clients == 4 { 100 } else { 300 }));
        },
        "broken: comparison",
    ),
    // Two cells of one work, which differ between each other and not between the sides.
    ("workload-differs", |m| asked(m, |t, _| t.stated_s = Some(if t.clients == 4 { 120.0 } else { 600.0 })), "holds"),
    (
        "workload-differs",
        |m| asked(m, |t, first| t.stated_s = Some(if first || t.clients == 4 { 600.0 } else { 120.0 })),
        "broken: comparison",
    ),
    ("workload-differs", |m| asked(m, |t, first| t.stated_s = Some(if first { 600.0 } else { 598.7 })), "holds"),
    (
        "workload-differs",
        |m| {
            asked(m, |t, first| t.threads = first.then_some(8));
            trials(m, |t| (t.scale, t.stated_s, t.measured_s, t.transactions) = (None, None, None, None));
        },
        "cannot tell",
    ),
    ("storage-jobs-differ", |m| m.stages[0].direct = Some(false), "broken: comparison"),
    ("storage-jobs-differ", |m| m.stages[0].block_bytes = Some(4096), "broken: comparison"),
    ("storage-jobs-differ", |m| m.stages[2].synced = Some(false), "broken: comparison"),
    ("storage-jobs-differ", |m| m.stages[0].paced = true, "broken: comparison"),
    ("storage-jobs-differ", |m| m.stages[0].pattern = Some("randread".to_owned()), "holds"),
    ("storage-jobs-differ", |m| m.stages[1].runtime_s = Some(15.0), "broken: comparison"),
    ("storage-jobs-differ", |m| m.stages[1].runtime_s = Some(45.0), "holds"),
    ("storage-jobs-differ", |m| m.failed_jobs.push(("wal, pod".to_owned(), "EIO".to_owned())), "broken: comparison"),
    ("storage-jobs-differ", |m| m.stages.retain(|s| s.side == "vm"), "cannot tell"),
    ("percentile-support", |m| few_transactions(m, false), "broken: description"),
    ("percentile-support", |m| few_transactions(m, true), "holds"),
    (
        "percentile-support",
        |m| {
            few_transactions(m, false);
            trials(m, |t| t.percentiles_ms.retain(|(percent, _)| *percent < 90.0));
        },
        "cannot tell",
    ),
    (
        "copied-figures",
        |m| {
            m.trials[0] = trial("vm", "select-only", 4, 1.234_567_8);
            m.trials[8] = trial("pod", "select-only", 4, 1.234_567_8);
        },
        "broken: single figures",
    ),
    ("copied-figures", |m| trials(m, |t| t.closed = false), "cannot tell"),
    ("smallest-latency-differs", |m| trials(m, |t| t.percentiles_ms.clear()), "cannot tell"),
    (
        "smallest-latency-differs",
        |m| m.trials.iter_mut().filter(|t| t.side == "pod").for_each(|t| t.percentiles_ms[0].1 = 0.95),
        "holds",
    ),
    (
        "smallest-latency-differs",
        |m| m.trials.iter_mut().filter(|t| t.side == "vm").for_each(|t| t.percentiles_ms[0].1 = 0.2),
        "broken: comparison",
    ),
    ("latency-order", |m| m.trials[2].percentiles_ms[2].1 = 0.1, "broken: single figures"),
    ("latency-order", |m| m.trials[2].percentiles_ms.push((100.0, 0.2)), "broken: single figures"),
    (
        "latency-order",
        |m| {
            m.trials[2].percentiles_ms = vec![(0.0, 0.1), (100.0, 5.0)];
            m.trials[2].latency_ms_mean = Some(9.0);
        },
        "broken: single figures",
    ),
    ("latency-order", |m| trials(m, |t| t.percentiles_ms.clear()), "cannot tell"),
    ("no-saturation", unknown_cpus, "cannot tell"),
    (
        "no-saturation",
        |m| {
            unknown_cpus(m);
            trials(m, |t| t.latency_ms_mean = Some(20.0));
            trials(m, |t| t.throughput_per_s = t.clients.known_count().map(|clients| f64::from(clients) * 50.0));
        },
        "broken: comparison",
    ),
    ("failures-counted", |m| trials(m, |t| t.goodput_per_s = t.throughput_per_s.map(|tps| 0.995 * tps)), "holds"),
    (
        "failures-counted",
        |m| trials(m, |t| t.goodput_per_s = t.throughput_per_s.map(|tps| 0.7 * tps)),
        "broken: single figures",
    ),
    (
        "failures-counted",
        |m| m.trials[3].goodput_per_s = m.trials[3].throughput_per_s.map(|tps| 0.7 * tps),
        "broken: comparison",
    ),
    // A fifth of all failed: the throughput is of all, or of those that succeeded.
    ("table-contradicts-output", |m| m.told_twice[0].in_tables[0] = 5000.0, "broken: conclusion"),
    ("table-contradicts-output", |m| m.told_twice[0].in_tables[0] = 4300.0, "holds"),
    ("table-contradicts-output", |m| m.told_twice.clear(), "cannot tell"),
    ("failures-counted", |m| fail_transactions(m, 0.2, true), "broken: comparison"),
    ("failures-counted", |m| fail_transactions(m, 0.2, false), "holds"),
    ("failures-counted", |m| fail_transactions(m, 0.005, true), "holds"),
    ("failures-counted", |m| trials(m, |t| t.end = StatedTrialEnd::Unknown), "cannot tell"),
    (
        "incomplete-cells",
        |m| trials(m, |t| t.transactions_stated = t.transactions.map(|done| done + 1)),
        "broken: conclusion",
    ),
    ("incomplete-cells", |m| trials(m, |t| t.transactions_stated = t.transactions), "holds"),
    // Of a throughput that is nine tenths of another's a tenth less, and a ninth more.
    ("change-arithmetic", |m| change_told(m, -10.0), "holds"),
    ("change-arithmetic", |m| change_told(m, 11.1), "holds"),
    ("change-arithmetic", |m| change_told(m, -40.0), "broken: single figures"),
    ("change-arithmetic", |m| trials(m, |t| t.changes.clear()), "cannot tell"),
    ("change-arithmetic", |m| m.computed.changes.push(change_of_columns(40.0)), "holds"),
    ("change-arithmetic", |m| m.computed.changes.push(change_of_columns(60.0)), "broken: single figures"),
    ("incomplete-cells", |m| trials(m, |t| t.skipped = t.transactions.map(|done| done / 8)), "broken: conclusion"),
    ("incomplete-cells", |m| trials(m, |t| t.skipped = t.transactions.map(|done| done / 800)), "holds"),
    // A link of the disk's own, and jobs of unlike depth or that waited on purpose.
    ("disk-cap", |m| at_one_limit_of_blocks(m, 1 << 20, |_| ()), "holds"),
    (
        "disk-cap",
        |m| at_one_limit_of_blocks(m, 8192, |writing| writing.stated_in_flight = Some(64.0)),
        "broken: conclusion",
    ),
    ("disk-cap", |m| at_one_limit_of_blocks(m, 8192, four_times_as_deep), "holds"),
    ("disk-cap", |m| at_one_limit_of_blocks(m, 8192, |writing| writing.paced = true), "holds"),
    // What gives more at another depth had met no limit, and what gives as much had.
    ("disk-cap", |m| at_one_limit_with_another_depth(m, 1.5), "holds"),
    ("disk-cap", |m| at_one_limit_with_another_depth(m, 1.02), "broken: conclusion"),
    // Depths of a sweep have each other beside them.
    ("storage-queue-depth", |m| sweep(m, &[8.0, 32.0], &[8.0, 32.0]), "holds"),
    ("storage-queue-depth", |m| sweep(m, &[8.0, 32.0], &[8.0]), "holds"),
    ("storage-queue-depth", |m| sweep(m, &[8.0, 32.0], &[16.0]), "broken: comparison"),
    ("storage-queue-depth", |m| m.stages.iter_mut().for_each(|s| s.paced = true), "cannot tell"),
    ("storage-queue-depth", |m| rounded(m, 0.25), "holds"),
    ("storage-arithmetic", |m| rounded(m, 0.25), "holds"),
    // Rounded figures, means of several trials, queries, and trials that end at a number of transactions.
    ("littles-law", |m| trials(m, |t| t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 1.06)), "broken: comparison"),
    (
        "littles-law",
        |m| {
            m.design.averaged = true;
            trials(m, |t| t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 1.06));
        },
        "holds",
    ),
    (
        "littles-law",
        |m| {
            trials(m, |t| {
                t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 1.2);
                t.latency_ms_rounding = 0.2 * t.latency_ms_mean.unwrap_or_default();
            });
        },
        "holds",
    ),
    (
        "littles-law",
        |m| {
            m.trials.retain(|t| t.workload.contains("tpcb"));
            trials(m, |t| t.counts_queries = true);
        },
        "cannot tell",
    ),
    (
        "littles-law",
        |m| {
            trials(m, |t| {
                t.transactions_stated = t.transactions;
                t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 0.6);
            });
        },
        "holds",
    ),
    (
        "littles-law",
        |m| {
            trials(m, |t| {
                t.transactions_stated = t.transactions;
                t.latency_ms_mean = t.latency_ms_mean.map(|ms| ms * 1.2);
            });
        },
        "broken: comparison",
    ),
    (
        "duration-mismatch",
        |m| {
            trials(m, |t| {
                t.stated_s = t.measured_s.map(|measured| measured + 8.0);
                t.connecting_s = Some(8.0);
            });
        },
        "holds",
    ),
    ("disk-cap", |m| at_one_limit(m, Some(6000)), "broken: conclusion"),
    (
        "no-repetition",
        |m| {
            m.design.repetitions = None;
            m.design.keeps_best = Some(true);
        },
        "broken: conclusion",
    ),
    ("disk-cap", |m| syncing(m, None), "holds"),
    ("data-size-mismatch", |m| trials(m, |t| t.residency = Some(Residency::Disk)), "broken: conclusion"),
    ("data-size-mismatch", |m| trials(m, |t| t.scale = Some(4000)), "broken: conclusion"),
    ("data-size-mismatch", between_buffers_and_memory, "broken: conclusion"),
    ("data-size-mismatch", |m| trials(m, |t| t.scale = None), "cannot tell"),
    ("data-size-mismatch", |m| trials(m, |t| t.residency = None), "holds"),
    ("no-saturation", proportional, "broken: comparison"),
    (
        "no-saturation",
        |m| {
            proportional(m);
            sides(m, |s| s.cpus = Some(512.0));
        },
        "cannot tell",
    ),
    (
        "no-saturation",
        |m| {
            proportional(m);
            trials(m, |t| t.outside_server = Some(0.9));
        },
        "broken: comparison",
    ),
    ("no-saturation", |m| m.trials.retain(|t| t.clients == 8), "cannot tell"),
    ("unsteady-throughput", |m| m.trials[3].each_per_s = moving(300, -0.2), "broken: single figures"),
    ("unsteady-throughput", |m| m.trials[3].each_per_s = moving(300, 0.2), "broken: single figures"),
    ("unsteady-throughput", |m| m.trials[3].each_per_s = moving(300, -0.05), "holds"),
    ("unsteady-throughput", |m| m.trials[3].each_per_s = moving(12, -0.3), "broken: single figures"),
    ("unsteady-throughput", |m| trials(m, |t| t.each_per_s = moving(12, -0.3)), "broken: single figures"),
    (
        "unsteady-throughput",
        |m| trials(m, |t| t.each_per_s = moving(12, if t.clients == 4 { -0.3 } else { 0.0 })),
        "broken: single figures",
    ),
    ("unsteady-throughput", |m| trials(m, |t| t.each_per_s = moving(9, -0.3)), "cannot tell"),
    ("unsteady-throughput", |m| trials(m, |t| t.each_per_s = vec![]), "cannot tell"),
    ("unsteady-throughput", |m| stands_still(m, 1000.0, 15), "broken: single figures"),
    ("unsteady-throughput", |m| stands_still(m, 1000.0, 2), "holds"),
    // Each trial of one side falls, and one of them alone may do so by the memory of its noise.
    (
        "unsteady-throughput",
        |m| m.trials.iter_mut().filter(|t| t.side == "pod").for_each(|t| t.each_per_s = moving(20, -0.4)),
        "broken: single figures",
    ),
    ("unsteady-throughput", |m| stands_still(m, 2.0, 15), "holds"),
    (
        "duration-mismatch",
        |m| trials(m, |t| t.each_per_s.iter_mut().for_each(|rate| *rate *= 1.2)),
        "broken: single figures",
    ),
    ("duration-mismatch", |m| trials(m, |t| t.each_per_s.iter_mut().for_each(|rate| *rate *= 1.05)), "holds"),
    (
        "duration-mismatch",
        |m| {
            trials(m, |t| {
                t.each_per_s = [0.2, 2.1].repeat(30).iter().map(|by| by * t.throughput_per_s.unwrap()).collect();
            });
        },
        "holds",
    ),
    ("unsteady-throughput", |m| trials(m, |t| t.closed = false), "cannot tell"),
    (
        "unsteady-throughput",
        |m| {
            m.trials[3].each_per_s = moving(300, -0.9);
            m.trials[3].end = StatedTrialEnd::Cut { reason: "killed".to_owned() };
        },
        "holds",
    ),
    ("claim-mismatch", |m| m.design.stated_s = Some(600.0), "broken: description"),
    ("claim-mismatch", |m| m.design.stated_s = Some(62.0), "holds"),
    ("claim-mismatch", |m| m.sides[0].versions = Some(["17".to_owned(), "15.8".to_owned()]), "broken: description"),
    ("claim-mismatch", |m| m.design.stated_clients = vec![(None, vec![4, 8, 16])], "broken: description"),
    ("claim-mismatch", |m| m.design.stated_clients = vec![(Some(Residency::Disk), vec![4])], "holds"),
    (
        "claim-mismatch",
        |m| {
            m.design.stated_clients.clear();
            trials(m, |t| t.stated_s = None);
        },
        "cannot tell",
    ),
    ("peak-not-reached", |m| m.trials.retain(|t| t.clients < 16.into()), "broken: conclusion"),
    (
        "peak-not-reached",
        |m| {
            m.trials.retain(|t| t.clients < 16.into());
            m.design.compares_peaks = Some(false);
        },
        "holds",
    ),
    ("peak-not-reached", |m| m.design.compares_peaks = None, "cannot tell"),
    (
        "round-trips",
        |m| {
            trials(m, |t| {
                if t.side == "vm" {
                    quicker_transactions(t);
                }
            });
        },
        "broken: comparison",
    ),
    (
        "round-trips",
        |m| {
            trials(m, quicker_transactions);
            trials(m, |t| t.outside_server = None);
        },
        "broken: comparison",
    ),
    (
        "round-trips",
        |m| {
            trials(m, quicker_transactions);
            trials(m, |t| t.outside_server = Some(0.2));
        },
        "cannot tell",
    ),
    (
        "round-trips",
        |m| {
            trials(m, quicker_transactions);
            m.trials.retain(|t| t.clients >= 16.into());
        },
        "cannot tell",
    ),
    ("round-trips", |m| m.trials.retain(|t| t.workload.contains("tpcb")), "cannot tell"),
    (
        "duration-mismatch",
        |m| {
            trials(m, |t| {
                t.measured_s = None;
                t.stated_s = Some(12.0);
            });
        },
        "broken: description",
    ),
    ("duration-mismatch", |m| trials(m, |t| t.stated_s = None), "cannot tell"),
    (
        "duration-mismatch",
        |m| {
            trials(m, |t| {
                t.stated_s = t.measured_s.map(|measured| measured + 1.0);
                t.turns = Some(TurnsAccount { length_s: 1.0, ending: 0.0 });
            });
        },
        "holds",
    ),
    // Each turn lasted until its last transactions had ended.
    (
        "duration-mismatch",
        |m| {
            ending_late(m, 0.12);
            trials(m, |t| t.stated_s = t.measured_s.map(|measured| measured / 1.15));
        },
        "holds",
    ),
    (
        "duration-mismatch",
        |m| {
            ending_late(m, 0.12);
            trials(m, |t| t.stated_s = t.measured_s.map(|measured| measured / 1.3));
        },
        "broken: description",
    ),
    // The other side's turns lasted longer, and this one had fewer of them.
    (
        "duration-mismatch",
        |m| {
            trials(m, |t| t.turns = Some(TurnsAccount { length_s: 0.25, ending: 0.0 }));
            let mut ending = m.trials[0].clone();
            m.trials[0].stated_s = ending.measured_s.map(|measured| measured * 1.1);
            ending.turns = Some(TurnsAccount { length_s: 0.25, ending: 0.2 });
            ending.side = "other".to_owned();
            m.trials.push(ending);
        },
        "holds",
    ),
    ("duration-mismatch", |m| m.trials[0] = slow(12.0), "holds"),
    ("duration-mismatch", |m| m.trials[0] = slow(18.0), "broken: description"),
    ("durability-off", |m| sides(m, |s| _ = s.settings.insert("fsync".into(), "off".into())), "broken: conclusion"),
    ("durability-off", |m| _ = m.sides[0].settings.insert("fsync".into(), "off".into()), "holds"),
    ("durability-off", |m| sides(m, |s| s.not_in_force = None), "cannot tell"),
    (
        "no-checkpoint",
        |m| sides(m, |s| _ = s.settings.insert("checkpoint_timeout".into(), "300s".into())),
        "cannot tell",
    ),
    ("no-checkpoint", |m| sides(m, |s| _ = s.settings.remove("checkpoint_timeout")), "cannot tell"),
    ("no-checkpoint", |m| minute_of_wal_compression(m, "64GB"), "broken: conclusion"),
    // A hundred thousand transactions may have written half of it.
    ("no-checkpoint", |m| minute_of_wal_compression(m, "1GB"), "cannot tell"),
    ("no-checkpoint", |m| m.trials.retain(|t| t.workload.contains("select")), "holds"),
    ("no-checkpoint", |m| trials(m, |t| t.script = None), "cannot tell"),
    ("no-checkpoint", |m| trials(m, |t| (t.script, t.wrote) = (None, Some(false))), "holds"),
    (
        "no-checkpoint",
        |m| {
            trials(m, |t| (t.script, t.wrote) = (None, Some(true)));
            sides(m, |s| _ = s.settings.remove("checkpoint_timeout"));
        },
        "cannot tell",
    ),
    ("generator-bound", |m| m.trials[0].generator_demand = Some(0.97), "broken: comparison"),
    ("generator-bound", |m| m.trials[0].generator_demand = None, "cannot tell"),
    ("generator-bound", |m| beside_server(m, 0.3, 0.15), "holds"),
    // It ran all the time.
    ("generator-bound", |m| beside_server(m, 0.95, 0.15), "broken: comparison"),
    // It waited for itself.
    ("generator-bound", |m| beside_server(m, 0.3, 0.3), "broken: comparison"),
    (
        "generator-bound",
        |m| {
            beside_server(m, 0.3, 0.15);
            trials(m, |t| t.host_busy = Some(0.6));
        },
        "broken: comparison",
    ),
    (
        "generator-bound",
        |m| {
            beside_server(m, 0.3, 0.15);
            trials(m, |t| t.foreign = Some(0.3));
        },
        "broken: comparison",
    ),
    (
        "generator-bound",
        |m| {
            beside_server(m, 0.3, 0.15);
            trials(m, |t| t.generator_busy = None);
        },
        "broken: comparison",
    ),
    (
        "generator-bound",
        |m| {
            beside_server(m, 0.3, 0.15);
            sides(m, |s| s.on_generator_host = Some(false));
        },
        "broken: comparison",
    ),
    ("branch-contention", |m| trials(m, |t| t.scale = Some(10)), "broken: comparison"),
    ("branch-contention", |m| trials(m, |t| t.scale = None), "cannot tell"),
    ("branch-contention", |m| m.trials.retain(|t| t.workload.contains("select")), "holds"),
    ("branch-contention", |m| trials(m, |t| t.script = None), "cannot tell"),
    ("disk-cap", |m| deeper(m, 2.0), "broken: conclusion"),
    ("disk-cap", |m| m.beyond_disk.push(burst()), "broken: conclusion"),
    ("disk-cap", |m| m.beyond_disk.extend([burst(), Beyond { is_cached: true, ..burst() }]), "broken: measurement"),
    ("disk-cap", |m| m.stages.clear(), "cannot tell"),
    ("disk-cap", |m| m.swept = false, "cannot tell"),
    (
        "storage-class-mismatch",
        |m| m.stages[0].reads.iter_mut().for_each(|flow| flow.iops *= 3.0),
        "broken: conclusion",
    ),
    ("storage-class-mismatch", |m| sides(m, |s| s.storage = None), "cannot tell"),
    (
        "storage-class-mismatch",
        |m| {
            m.stages.truncate(4);
            m.stages.retain(|s| s.job == "oltp");
            m.stages[0].block_bytes = Some(32 << 10);
            m.stages[0].reads.iter_mut().for_each(|flow| flow.iops /= 3.0);
        },
        "cannot tell",
    ),
    ("storage-arithmetic", |m| m.stages[1].block_bytes = Some(8192), "broken: single figures"),
    ("storage-arithmetic", |m| flows(m, |f| f.bytes_per_s = f.bytes_per_s.map(|rate| rate / 1.073_741_824)), "holds"),
    ("storage-arithmetic", |m| flows(m, |f| f.bytes_per_s = f.bytes_per_s.map(|rate| rate * 1.061)), "holds"),
    (
        "storage-arithmetic",
        |m| flows(m, |f| f.bytes_per_s = f.bytes_per_s.map(|rate| rate * 1.2)),
        "broken: single figures",
    ),
    // One side in MB/s, the other in MiB/s.
    ("storage-arithmetic", |m| second_unit(m, 1.048_576), "broken: single figures"),
    ("storage-arithmetic", |m| second_unit(m, 1.036), "holds"),
    ("storage-arithmetic", |m| m.stages.iter_mut().for_each(|s| s.block_bytes = None), "cannot tell"),
    ("storage-limit-unmeasured", |m| m.stages.iter_mut().for_each(one_request_at_a_time), "cannot tell"),
    ("storage-limit-unmeasured", |m| m.stages.retain(|s| s.synced == Some(true)), "cannot tell"),
    ("storage-limit-unmeasured", |m| one_request_at_a_time(&mut m.stages[1]), "holds"),
    ("commit-path-unmeasured", |m| m.stages.retain(|s| s.job != "wal"), "cannot tell"),
    // Nothing was looked at.
    ("commit-path-unmeasured", |m| m.stages.clear(), "cannot tell"),
    ("commit-path-unmeasured", |m| m.trials.retain(|t| t.workload.contains("select")), "holds"),
    ("commit-path-unmeasured", |m| trials(m, |t| t.script = None), "cannot tell"),
    (
        "commit-path-unmeasured",
        |m| {
            m.stages.retain(|s| s.job != "wal");
            trials(m, |t| (t.script, t.wrote) = (None, Some(true)));
        },
        "cannot tell",
    ),
    ("incomplete-cells", |m| m.trials[0].end = StatedTrialEnd::Whole { failed: 9_000 }, "broken: conclusion"),
    (
        "incomplete-cells",
        |m| m.trials[0].end = StatedTrialEnd::Cut { reason: "killed".to_owned() },
        "broken: conclusion",
    ),
    ("incomplete-cells", |m| drop(m.trials.pop()), "broken: conclusion"),
    ("incomplete-cells", |m| m.design.stated_clients = vec![(None, vec![128])], "broken: conclusion"),
    ("incomplete-cells", |m| m.computed.averages.push(average("vm TPS", "pod TPS")), "broken: conclusion"),
    ("incomplete-cells", |m| m.computed.averages.push(average("TPS", "p99")), "holds"),
    ("incomplete-cells", |m| m.trials[0].end = StatedTrialEnd::Unknown, "cannot tell"),
    ("incomplete-cells", unlike_ladders, "cannot tell"),
    (
        "incomplete-cells",
        |m| {
            unlike_ladders(m);
            m.design.same_clients = true;
        },
        "broken: conclusion",
    ),
    ("peak-not-reached", unlike_ladders, "holds"),
    ("undeclared-difference", |m| m.differences.push(kernel()), "broken: comparison"),
    ("undeclared-difference", |m| m.unknown.push(("pod".to_owned(), "its CPUs".to_owned())), "cannot tell"),
    // Sides that are named for what they run on, and for what differs.
    (
        "undeclared-difference",
        |m| only_difference(m, ["vm", "pod"], (Aspect::Version, "version")),
        "broken: comparison",
    ),
    ("undeclared-difference", |m| only_difference(m, ["vm-16", "pod-17"], (Aspect::Version, "version")), "holds"),
    ("undeclared-difference", |m| only_difference(m, ["old", "new"], (Aspect::Version, "version")), "holds"),
    (
        "undeclared-difference",
        |m| only_difference(m, ["old", "new"], (Aspect::Settings, "fsync")),
        "broken: comparison",
    ),
    ("undeclared-difference", |m| only_difference(m, ["safe", "no fsync"], (Aspect::Settings, "fsync")), "holds"),
    (
        "undeclared-difference",
        |m| only_difference(m, ["sync", "async"], (Aspect::Settings, "synchronous_commit")),
        "holds",
    ),
    (
        "undeclared-difference",
        |m| {
            m.differences.push(kernel());
            m.design.may_differ_is_stated = false;
        },
        "cannot tell",
    ),
    // Names that tell nothing, and such that tell of something else.
    ("undeclared-difference", |m| only_difference(m, ["server1", "server2"], (Aspect::Hardware, "disk")), "holds"),
    ("undeclared-difference", |m| only_difference(m, ["neon", "crunchy"], (Aspect::Version, "version")), "cannot tell"),
    // Of several differences the one that both sides are named for is compared.
    (
        "undeclared-difference",
        |m| {
            only_difference(m, ["pg16", "pg17"], (Aspect::Version, "version"));
            only_difference(m, ["pg16", "pg17"], (Aspect::Settings, "jit"));
        },
        "broken: comparison",
    ),
    (
        "settings-not-applied",
        |m| m.sides[1].not_in_force = Some(vec!["no huge pages".to_owned()]),
        "broken: comparison",
    ),
    ("settings-not-applied", |m| m.sides[1].not_in_force = None, "cannot tell"),
    (
        "settings-not-applied",
        |m| m.trials.last_mut().expect("a trial").backend = Some("io_uring".to_owned()),
        "broken: comparison",
    ),
    ("no-repetition", |m| m.design.repetitions = Some(1), "broken: conclusion"),
    ("no-repetition", |m| m.design.repetitions = None, "cannot tell"),
    // Two of each cell, which show the spread together if they are there.
    ("no-repetition", |m| m.design.repetitions = Some(2), "broken: conclusion"),
    (
        "no-repetition",
        |m| {
            m.trials.extend(m.trials.clone());
            m.design.repetitions = Some(2);
        },
        "holds",
    ),
    ("no-repetition", |m| m.design.keeps_best = Some(true), "broken: conclusion"),
    ("no-repetition", |m| m.design.keeps_best = None, "cannot tell"),
    ("cpu-stolen", |m| trials(m, |t| t.stolen = Some(0.2)), "broken: single figures"),
    ("cpu-stolen", |m| m.trials[0].stolen = Some(0.2), "broken: comparison"),
    ("cpu-stolen", |m| trials(m, |t| t.stolen = None), "cannot tell"),
    ("cpu-stolen", |m| trials(m, |t| t.stolen = Some(0.022)), "holds"),
    ("noisy-neighbour", |m| trials(m, |t| (t.foreign, t.host_busy) = (Some(0.7), Some(0.9))), "broken: single figures"),
    (
        "noisy-neighbour",
        |m| (m.trials[0].foreign, m.trials[0].host_busy) = (Some(0.7), Some(0.9)),
        "broken: comparison",
    ),
    // Nobody else wanted it.
    ("noisy-neighbour", |m| trials(m, |t| (t.foreign, t.host_busy) = (Some(0.3), Some(0.5))), "holds"),
    ("noisy-neighbour", |m| trials(m, |t| t.foreign = None), "cannot tell"),
    ("shared-host", |m| sides(m, |s| s.on_generator_host = Some(true)), "holds"),
    ("shared-host", |m| sides(m, |s| s.on_generator_host = None), "cannot tell"),
    (
        "shared-host",
        |m| {
            sides(m, |s| s.on_generator_host = Some(true));
            trials(m, |t| t.host_busy = Some(1.0));
        },
        "broken: single figures",
    ),
    ("shared-host", |m| beside_server(m, 0.3, 0.15), "holds"),
    ("shared-host", |m| beside_server(m, 0.3, 0.3), "broken: single figures"),
    (
        "cpu-stolen",
        |m| {
            all_repeated(m, &[1.0, 1.0, 1.0]);
            m.trials[0].stolen = Some(0.05);
        },
        "holds",
    ),
    // The generators of two servers of version 15 are of 15 and 17; those of servers of 15 and 17 are their own.
    ("workload-differs", |m| generators(m, ["15", "15"], ["15", "17"]), "broken: comparison"),
    ("workload-differs", |m| generators(m, ["15", "17"], ["15", "17"]), "holds"),
    ("workload-differs", |m| generators(m, ["15", "15"], ["15", "15"]), "holds"),
    // One of many trials was shorter than declared, with the throughput and the latency of the others.
    ("duration-mismatch", |m| m.trials[3] = aborted(&m.trials[3]), "holds"),
    ("incomplete-cells", |m| m.trials[3] = aborted(&m.trials[3]), "broken: conclusion"),
    ("incomplete-cells", |m| trials(m, |t| *t = aborted(t)), "holds"),
    (
        "duration-mismatch",
        |m| {
            m.trials[3] = aborted(&m.trials[3]);
            m.trials[3].latency_ms_mean = Some(99.0);
        },
        "broken: description",
    ),
    // Synced writes of the clean account take 0.83 ms, its transactions 9 ms and more.
    ("commit-without-sync", |m| syncs_in(m, 100.0, None), "broken: comparison"),
    ("commit-without-sync", |m| syncs_in(m, 30.0, None), "holds"),
    ("commit-without-sync", |m| syncs_in(m, 100.0, Some("synchronous_commit")), "cannot tell"),
    ("commit-without-sync", |m| m.stages.retain(|stage| stage.job != "wal"), "cannot tell"),
    ("offered-rate-as-result", |m| at_rate(m, 1.0, 0.1), "broken: conclusion"),
    ("offered-rate-as-result", |m| at_rate(m, 1.1, 0.1), "holds"),
    ("offered-rate-as-result", |m| at_rate(m, 1.0, 60.0), "holds"),
    (
        "offered-rate-as-result",
        |m| {
            at_rate(m, 1.0, 0.1);
            trials(m, |t| t.tool = Some("pgbench".to_owned()));
            m.told_twice.clear();
        },
        "cannot tell",
    ),
    (
        "offered-rate-as-result",
        |m| {
            at_rate(m, 1.0, 0.1);
            trials(m, |t| t.percentiles_ms = vec![(99.0, 20.0)]);
        },
        "holds",
    ),
    ("concurrent-sides", |m| at_once(m, 2.0, ["worker-3", "worker-3"]), "broken: comparison"),
    ("concurrent-sides", |m| at_once(m, 2.0, ["worker-3", "worker-4"]), "holds"),
    ("concurrent-sides", |m| at_once(m, 59.0, ["worker-3", "worker-3"]), "holds"),
    (
        "concurrent-sides",
        |m| {
            at_once(m, 2.0, ["worker-3", "worker-3"]);
            sides(m, |side| side.host = None);
        },
        "cannot tell",
    ),
    // Scale 100, about 1.5 GiB, fits into shared_buffers of one side only: for a reason that nobody compares, and one
    // that the sides are named for.
    ("data-size-mismatch", |m| buffers(m, ["vm", "pod"], "1GB"), "broken: comparison"),
    ("data-size-mismatch", |m| buffers(m, ["4GB", "1GB"], "1GB"), "holds"),
    ("data-size-mismatch", |m| buffers(m, ["vm", "pod"], "2GB"), "holds"),
    ("data-size-mismatch", |m| buffers(m, ["vm", "pod"], "1400MB"), "holds"),
    ("repetition-trend", |m| all_repeated(m, &[0.7, 1.0, 0.98]), "broken: single figures"),
    ("repetition-trend", |m| all_repeated(m, &[1.4, 1.0, 0.98]), "broken: single figures"),
    ("repetition-trend", |m| all_repeated(m, &[1.0, 1.05, 1.1, 1.15]), "broken: single figures"),
    ("repetition-trend", |m| all_repeated(m, &[1.0, 1.15, 0.9, 1.02]), "holds"),
    // ln 1.15 = 0.14 decides nothing between sides that differ by ln 10 = 2.30, and something between such of ln 2.
    ("repetition-trend", |m| rising_beside(m, 10.0), "holds"),
    ("repetition-trend", |m| rising_beside(m, 2.0), "broken: single figures"),
    ("repetition-trend", |m| repeated(m, &[0.7, 1.0, 1.02]), "cannot tell"),
    ("repetition-trend", |m| all_repeated(m, &[0.7, 1.0]), "cannot tell"),
    // A first one of another state, slower or faster, however few there are.
    ("repetition-trend", |m| repeated(m, &[9.0, 1.0]), "broken: single figures"),
    ("repetition-trend", |m| repeated(m, &[0.11, 1.0]), "broken: single figures"),
    ("repetition-trend", |m| repeated(m, &[9.0, 1.0, 1.02]), "broken: single figures"),
    ("repetition-trend", |m| repeated(m, &[1.0, 1.6]), "cannot tell"),
    // Of 45 pairs of ten 38 fall, p = 0.005: one cell of 16 may do so by chance, several do not.
    ("repetition-trend", |m| all_repeated(m, &FALLING), "broken: single figures"),
    ("repetition-trend", |m| repeated(m, &FALLING), "broken: single figures"),
    ("repetition-trend", |m| all_repeated(m, &LEVEL), "holds"),
    // One cell that is cold at first, or falls from trial to trial.
    ("repetition-trend", |m| repeated(m, &[0.2, 1.0, 1.02]), "broken: single figures"),
    ("repetition-trend", |m| repeated(m, &[1.0, 1.02, 0.99, 0.9, 0.8, 0.7, 0.6, 0.5]), "broken: single figures"),
    ("repetition-trend", |m| repeated(m, &[1.0, 1.02, 0.99, 1.01, 0.98, 1.0, 0.99, 0.97]), "holds"),
    (
        "repetition-trend",
        |m| {
            all_repeated(m, &[0.7, 1.0, 0.98]);
            m.design.interleaved = true;
        },
        "holds",
    ),
    ("superlinear-scaling", warming_up, "broken: comparison"),
    // What a generator needs between two transactions is felt where these take tenths of a millisecond.
    ("littles-law", |m| quick_transactions(m, 0.01), "holds"),
    ("littles-law", |m| quick_transactions(m, 0.03), "broken: comparison"),
    // The time of a trial that ends at a number of transactions was not asked for.
    (
        "workload-differs",
        |m| {
            asked(m, |t, first| {
                (t.stated_s, t.transactions_stated) = (None, Some(3));
                lasted(t, if first { 187.0 } else { 235.0 }, 3);
            });
        },
        "holds",
    ),
    ("incomplete-cells", |m| numbered(m, &[1, 2, 3]), "holds"),
    ("incomplete-cells", |m| numbered(m, &[1, 3, 4]), "broken: conclusion"),
    ("no-checkpoint", |m| trials(m, |t| lasted(t, 0.6, 1000)), "broken: conclusion"),
    ("generator-bound", |m| one_thread(m, 70_000.0), "broken: comparison"),
    ("generator-bound", |m| one_thread(m, 7000.0), "cannot tell"),
    ("unsteady-throughput", |m| falling(m, 0.4), "broken: single figures"),
    ("unsteady-throughput", |m| falling(m, 0.9), "holds"),
    // A fixed amount of data, with which the faster disk ends sooner.
    ("storage-jobs-differ", |m| of_amounts(m, [8e9, 8e9]), "holds"),
    ("storage-jobs-differ", |m| of_amounts(m, [8e9, 40e9]), "broken: comparison"),
    ("storage-jobs-differ", |m| of_files(m, [1 << 30, 30 << 30]), "broken: comparison"),
    ("disk-cap", |m| reaching_device(m, 0.001), "broken: measurement"),
    ("disk-cap", |m| reaching_device(m, 0.99), "holds"),
    // A copy into memory is all that the latency of a synced write tells.
    ("disk-cap", |m| copied_quickly(m, Some(true)), "holds"),
    ("disk-cap", |m| copied_quickly(m, Some(false)), "broken: measurement"),
    ("superlinear-scaling", |m| m.design.interleaved = false, "holds"),
    ("superlinear-scaling", |m| repeated(m, &[0.5, 1.0]), "holds"),
    ("superlinear-scaling", |m| repeated(m, &[0.2, 1.0, 1.02]), "holds"),
    // It comes back with the clients; where all of them were measured first, something else may have changed.
    ("superlinear-scaling", |m| repeated(m, &[0.6, 0.61, 0.6]), "holds"),
    (
        "superlinear-scaling",
        |m| {
            repeated(m, &[0.6, 0.61, 0.6]);
            m.trials.sort_by_key(|trial| trial.clients.known_count());
        },
        "broken: comparison",
    ),
    (
        "no-saturation",
        |m| {
            quicker_at_32(m);
            repeated(m, &[0.05, 1.0, 1.02]);
        },
        "holds",
    ),
    (
        "superlinear-scaling",
        |m| {
            m.design.interleaved = false;
            m.trials.clear();
        },
        "cannot tell",
    ),
];

/// Ten repetitions that fall, not each below the one before.
const FALLING: [f64; 10] = [1.0, 0.95, 0.99, 0.92, 0.97, 0.94, 0.9, 0.93, 0.86, 0.87];

/// Ten that vary as much and go nowhere.
const LEVEL: [f64; 10] = [0.93, 1.0, 0.85, 0.97, 0.87, 0.98, 0.84, 0.92, 0.9, 0.96];

/// So many intervals whose throughput moves by this share of the first, with some noise.
fn moving(intervals: u32, share: f64) -> Vec<f64> {
    let at = |index: u32| {
        let place = f64::from(index) / f64::from(intervals - 1);
        1000.0 * (1.0 + share * place) * (1.0 + 0.03 * f64::sin(2.4 * f64::from(index)))
    };
    (0..intervals).map(at).collect()
}

/// One trial of which a share failed; its throughput counts all, or those that succeeded.
fn fail_transactions(material: &mut Material, share: f64, is_counted: bool) {
    let trial = &mut material.trials[3];
    let all = trial.throughput_per_s.unwrap() * trial.measured_s.unwrap();
    trial.transactions = Some(((1.0 - share) * all) as u64);
    trial.end = StatedTrialEnd::Whole { failed: (share * all) as u64 };
    if !is_counted {
        trial.throughput_per_s = trial.throughput_per_s.map(|tps| (1.0 - share) * tps);
    }
}

/// The second side at one number of clients more, which nobody says the first was to be measured at.
fn unlike_ladders(material: &mut Material) {
    for (script, latency_ms) in [("select-only", 4.0), ("tpcb-like", 36.0)] {
        material.trials.push(trial("pod", script, 64, latency_ms));
    }
}

/// Throughput × 6.4 for clients × 8: a little less than in proportion.
fn quicker_at_32(material: &mut Material) {
    for trial in material.trials.iter_mut().filter(|trial| trial.clients == 32) {
        trial.throughput_per_s = trial.throughput_per_s.map(|tps| tps * 1.6);
        trial.latency_ms_mean = trial.latency_ms_mean.map(|ms| ms / 1.6);
    }
}

/// All trials at so many transactions a second and client as take 0.15 ms each, and the generator so long beside them.
fn quick_transactions(material: &mut Material, between_ms: f64) {
    for trial in &mut material.trials {
        let clients = f64::from(trial.clients.known_count().unwrap_or(1));
        trial.latency_ms_mean = Some(0.15);
        trial.tool = Some("pgbench".to_owned());
        trial.throughput_per_s = Some(clients / (0.15 + between_ms) * 1e3);
        (trial.latency_ms_max, trial.unfinished_s, trial.between_ms) = (Some(0.2), None, None);
    }
}

/// It, at the depth of one process that waits for each request.
fn one_request_at_a_time(stage: &mut StatedDiskStage) {
    (stage.stated_in_flight, stage.jobs) = (Some(1.0), Some(1));
    for flow in stage.reads.iter_mut().chain(&mut stage.writes) {
        flow.latency_ms_mean = Some(0.5e3 / flow.iops);
    }
}

/// Three trials of each cell, of the second side with these numbers, and of the first one with 1 to 4.
fn numbered(material: &mut Material, second: &[u32]) {
    let one_each = std::mem::take(&mut material.trials);
    for told in one_each {
        let numbers: &[u32] = if told.side == "pod" { second } else { &[1, 2, 3, 4] };
        for number in numbers {
            material.trials.push(TrialAccount { repetition: Some(*number), ..told.clone() });
        }
    }
}

/// One thread sends this many transactions a second, whatever the clients.
fn one_thread(material: &mut Material, throughput_per_s: f64) {
    for trial in &mut material.trials {
        (trial.threads, trial.generator_demand, trial.generator_busy) = (Some(1), None, None);
        trial.throughput_per_s = Some(throughput_per_s);
        trial.latency_ms_mean = trial.clients.known_count().map(|clients| f64::from(clients) / throughput_per_s * 1e3);
    }
}

/// All trials fall at two thirds of their time to this share of their throughput.
fn falling(material: &mut Material, to: f64) {
    trials(material, |trial| trial.each_per_s = [vec![1000.0; 40], vec![1.0; 20]].concat());
    for trial in &mut material.trials {
        trial.each_per_s[40..].fill(1000.0 * to);
        // Like no series of a program that is not at rest, this one has no noise.
        trial.each_per_s.iter_mut().enumerate().for_each(|(second, rate)| *rate += (second * 7919 % 13) as f64);
    }
}

/// The first job of each side with these bytes, on the second side in a fifth of the time.
fn of_amounts(material: &mut Material, bytes: [f64; 2]) {
    let job = material.stages[0].job.clone();
    let here = material.stages.iter_mut().filter(|stage| stage.job == job);
    for ((stage, bytes), runtime_s) in here.zip(bytes).zip([60.0, 12.0]) {
        (stage.moved_bytes, stage.runtime_s) = (Some(bytes), Some(runtime_s));
    }
}

/// The first job of each side on files of these sizes.
fn of_files(material: &mut Material, bytes: [u64; 2]) {
    let job = material.stages[0].job.clone();
    for (stage, bytes) in material.stages.iter_mut().filter(|stage| stage.job == job).zip(bytes) {
        stage.file_bytes = Some(bytes);
    }
}

/// Random reads of which this share reached a device.
fn reaching_device(material: &mut Material, share: f64) {
    let stage = &mut material.stages[0];
    (stage.pattern, stage.reads_of_device) = (Some("randread".to_owned()), Some(share));
}

/// Writes at depth 1 whose latency is told as 2 µs.
fn copied_quickly(material: &mut Material, synced: Option<bool>) {
    for stage in material.stages.iter_mut().filter(|stage| stage.job == "wal") {
        stage.synced = synced;
        stage.writes.iter_mut().for_each(|flow| flow.latency_ms_mean = Some(0.002));
    }
}

/// Every trial as often, those at the lowest number of clients at so many times the pace.
fn repeated(material: &mut Material, paces: &[f64]) {
    material.design.interleaved = false;
    let one_each = std::mem::take(&mut material.trials);
    for pace in paces {
        material.trials.extend(one_each.iter().cloned().map(|mut told| {
            let pace = if told.clients == 4 { *pace } else { 1.0 };
            told.outside_server = None;
            told.throughput_per_s = told.throughput_per_s.map(|tps| tps * pace);
            told.latency_ms_mean = told.latency_ms_mean.map(|ms| ms / pace);
            told
        }));
    }
}

/// Every trial as often, at so many times the pace.
fn all_repeated(material: &mut Material, paces: &[f64]) {
    repeated(material, &vec![1.0; paces.len()]);
    let each = material.trials.len() / paces.len();
    for (index, trial) in material.trials.iter_mut().enumerate() {
        trial.throughput_per_s = trial.throughput_per_s.map(|tps| tps * paces[index / each]);
    }
}

/// The sides are called so, and the second one has other `shared_buffers` than 4 GB, and another kernel.
fn buffers(material: &mut Material, names: [&str; 2], value: &str) {
    material.design.may_differ_is_stated = false;
    for trial in &mut material.trials {
        trial.side = if trial.side == "vm" { names[0].to_owned() } else { names[1].to_owned() };
    }
    material.sides.iter_mut().zip(names).for_each(|(side, name)| name.clone_into(&mut side.name));
    material.sides[1].settings.insert("shared_buffers".to_owned(), value.to_owned());
    material.differences.push(difference_of(names[1], Aspect::Settings, "shared_buffers", ["4GB", value]));
    material.differences.push(difference_of(names[1], Aspect::Kernel, "kernel", ["6.1", "6.8"]));
}

/// One fact that differs between the baseline and this candidate.
fn difference_of(candidate: &str, aspect: Aspect, what: &str, values: [&str; 2]) -> SideDifference {
    let [baseline, of_candidate] =
        values.map(|text| FactValue { text: text.to_owned(), provenance: Provenance::ReadBack });
    let fact = DifferingFact { name: what.to_owned(), baseline, candidate: of_candidate };
    let difference = FactDifference { aspect, what: what.to_owned(), facts: vec![fact], unlisted: 0 };
    SideDifference { candidate: candidate.to_owned(), difference }
}

/// The major versions of the servers and of what sends their load, which is described by more than one plan.
fn generators(material: &mut Material, servers: [&str; 2], generators: [&str; 2]) {
    trials(material, |trial| trial.work = Some("select-only".to_owned()));
    for (side, (server, generator)) in material.sides.iter_mut().zip(servers.into_iter().zip(generators)) {
        side.server_major = Some(server.to_owned());
        side.generator_major = Some(generator.to_owned());
    }
}

/// It, ended after three quarters of its time.
fn aborted(trial: &TrialAccount) -> TrialAccount {
    let transactions = trial.transactions.map(|count| count * 3 / 4);
    let mut aborted = TrialAccount { transactions, ..trial.clone() };
    aborted.measured_s = Some(45.0);
    aborted
}

/// Synced writes take so long, and a setting is off.
fn syncs_in(material: &mut Material, sync_ms: f64, off: Option<&str>) {
    for flow in material.stages.iter_mut().filter(|stage| stage.job == "wal").flat_map(|stage| &mut stage.writes) {
        flow.iops = 1e3 / sync_ms;
    }
    for side in &mut material.sides {
        side.settings.extend(off.map(|setting| (setting.to_owned(), "off".to_owned())));
    }
}

/// Rows of a table that tell the throughput of loads with a rate, which is so many times as high.
fn at_rate(material: &mut Material, times: f64, lag_ms: f64) {
    for trial in &mut material.trials {
        trial.offered_per_s = trial.throughput_per_s.map(|tps| tps * times);
        trial.lag_ms_mean = Some(lag_ms);
        trial.closed = false;
        trial.percentiles_ms.clear();
    }
    // Latencies stand in the outputs, and not in the rows.
    if lag_ms < 1.0 {
        trials(material, |trial| trial.latency_ms_mean = None);
    }
}

/// Trials of a minute that begin so much later on the second side, and hosts of both.
fn at_once(material: &mut Material, later_s: f64, hosts: [&str; 2]) {
    material.design.interleaved = false;
    material.sides.iter_mut().zip(hosts).for_each(|(side, host)| side.host = Some(host.to_owned()));
    for (index, trial) in material.trials.iter_mut().enumerate() {
        let start_s = 60.0 * (index % 8) as f64 + if trial.side == "vm" { 0.0 } else { later_s };
        trial.measured_at_s = Some([start_s, start_s + 60.0]);
    }
    // Each side has its trials one after the other, and both at the same time.
    if later_s > 30.0 {
        let far = 60.0 * 8.0;
        let of_pod = material.trials.iter_mut().filter(|trial| trial.side == "pod");
        of_pod.for_each(|trial| trial.measured_at_s = trial.measured_at_s.map(|[start, end]| [start + far, end + far]));
    }
}

/// All cells rise by 15 % over their repetitions, and the first side does so many times as much as the other.
fn rising_beside(material: &mut Material, times: f64) {
    all_repeated(material, &[1.0, 1.05, 1.1, 1.15]);
    for trial in material.trials.iter_mut().filter(|trial| trial.side == "vm") {
        trial.throughput_per_s = trial.throughput_per_s.map(|tps| tps * times);
    }
}

/// A job of reads and one of writes of the first side, as fast as each other.
fn at_one_limit(material: &mut Material, stated_iops: Option<u64>) {
    let rounding = Rounding::default();
    let flow = StatedDiskFlow { iops: 3000.0, bytes_per_s: None, latency_ms_mean: Some(16.0 / 3.0), rounding };
    let job = StatedDiskStage {
        stated_in_flight: Some(16.0),
        synced: Some(false),
        stated: stated_iops.map(|iops| StatedCaps { iops: Some(iops), bytes_per_s: None }),
        reads: None,
        writes: None,
        ..material.stages[0].clone()
    };
    material.stages.push(StatedDiskStage { job: "r".to_owned(), reads: Some(flow), ..job.clone() });
    material.stages.push(StatedDiskStage { job: "w".to_owned(), writes: Some(flow), ..job });
}

/// A trial of a script of the author's, with a declared pause of so many times its latency.
fn pausing_in_script(trial: &mut TrialAccount, of_latency: f64) {
    trial.script = None;
    trial.between_ms = trial.latency_ms_mean.map(|ms| of_latency * ms);
}

/// Random reads of the first side in blocks of 4, 8 and 16 KiB with these rates.
fn at_block_sizes(material: &mut Material, iops: [f64; 3], depth: f64, stated_iops: Option<u64>) {
    for (block_bytes, iops) in [4096, 8192, 16_384].into_iter().zip(iops) {
        let latency_ms_mean = Some(depth / iops * 1e3);
        let rounding = Rounding::default();
        material.stages.push(StatedDiskStage {
            job: format!("randread-{block_bytes}"),
            block_bytes: Some(block_bytes),
            stated_in_flight: Some(depth),
            pattern: Some("randread".to_owned()),
            reads: Some(StatedDiskFlow { iops, bytes_per_s: None, latency_ms_mean, rounding }),
            writes: None,
            stated: stated_iops.map(|iops| StatedCaps { iops: Some(iops), bytes_per_s: None }),
            ..material.stages[0].clone()
        });
    }
}

/// A trial of which nobody says how long it was to last.
fn lasted(trial: &mut TrialAccount, measured_s: f64, transactions: u64) {
    trial.stated_s = None;
    trial.measured_s = Some(measured_s);
    trial.transactions = Some(transactions);
}

/// A trial of a minute at a rate that stands still for so many seconds.
fn stands_still(material: &mut Material, per_s: f64, seconds: usize) {
    let trial = &mut material.trials[3];
    trial.each_per_s = vec![per_s; 60];
    trial.each_per_s[30..30 + seconds].fill(0.0);
}

/// A job that has one request under way, of which 400 000 a second are answered; told of it is this mean latency.
fn answering_in(material: &mut Material, latency_ms_mean: Option<f64>) {
    let flow = StatedDiskFlow { iops: 400_000.0, bytes_per_s: None, latency_ms_mean, rounding: Rounding::default() };
    let any = StatedDiskStage { reads: None, writes: None, ..material.stages[0].clone() };
    let one = StatedDiskStage { job: "one".to_owned(), stated_in_flight: Some(1.0), reads: Some(flow), ..any };
    material.stages.push(one);
}

/// One work of both sides, and what is asked of each trial of it, by whether it is of the first side.
fn asked(material: &mut Material, ask: fn(&mut TrialAccount, bool)) {
    for trial in &mut material.trials {
        trial.work = Some("x".to_owned());
        ask(trial, trial.side == "vm");
    }
}

/// A ladder of one statement that rises in proportion to the clients, on a server of which nobody says how many CPUs
/// it has.
fn unknown_cpus(material: &mut Material) {
    proportional(material);
    material.trials.retain(|trial| trial.workload.contains("select"));
    sides(material, |side| side.cpus = None);
    trials(material, |trial| {
        trial.outside_server = None;
        trial.latency_ms_mean = Some(0.5);
        trial.throughput_per_s = trial.clients.known_count().map(|clients| f64::from(clients) * 2000.0);
    });
}

/// One limit of jobs of this block size, of which the writing one is changed.
fn at_one_limit_of_blocks(material: &mut Material, block_bytes: u64, change: fn(&mut StatedDiskStage)) {
    at_one_limit(material, None);
    let [.., reading, writing] = &mut material.stages[..] else { panic!("two jobs") };
    [&mut *reading, &mut *writing].into_iter().for_each(|stage| stage.block_bytes = Some(block_bytes));
    change(writing);
}

/// The sides are called so, and all that differs is this, of which nobody says that it may.
fn only_difference(material: &mut Material, names: [&str; 2], (aspect, what): (Aspect, &str)) {
    material.design.may_differ_is_stated = false;
    material.sides.iter_mut().zip(names).for_each(|(side, name)| name.clone_into(&mut side.name));
    let values = if aspect == Aspect::Version { ["PostgreSQL 16.3", "PostgreSQL 17.2"] } else { ["on", "off"] };
    material.differences.push(difference_of(names[1], aspect, what, values));
}

/// Two trials of one cell, of which the second has nine tenths of the first's throughput, with a change told beside it.
fn change_told(material: &mut Material, percent: f64) {
    material.trials.truncate(1);
    let mut other = material.trials[0].clone();
    other.throughput_per_s = other.throughput_per_s.map(|per_s| 0.9 * per_s);
    other.latency_ms_mean = None;
    other.percentiles_ms.clear();
    other.changes = vec![("change %".to_owned(), percent)];
    material.trials.push(other);
}

/// One limit of two jobs, of which the reading one gives so many times as much at four times its depth.
fn at_one_limit_with_another_depth(material: &mut Material, more: f64) {
    at_one_limit_of_blocks(material, 8192, |_| ());
    let [.., reading, _] = &material.stages[..] else { panic!("two jobs") };
    let mut deeper = reading.clone();
    deeper.stated_in_flight = deeper.stated_in_flight.map(|depth| 4.0 * depth);
    let flow = |flow: &mut StatedDiskFlow| {
        flow.iops *= more;
        flow.bytes_per_s = flow.bytes_per_s.map(|bytes| more * bytes);
        flow.latency_ms_mean = flow.latency_ms_mean.map(|ms| 4.0 / more * ms);
    };
    deeper.reads.iter_mut().for_each(flow);
    material.stages.push(deeper);
}

fn four_times_as_deep(stage: &mut StatedDiskStage) {
    stage.stated_in_flight = stage.stated_in_flight.map(|depth| 4.0 * depth);
    stage.writes.iter_mut().for_each(|flow| flow.latency_ms_mean = flow.latency_ms_mean.map(|ms| 4.0 * ms));
}

/// One job at these depths on either side, whose rate is the same at all of them.
fn sweep(material: &mut Material, vm: &[f64], pod: &[f64]) {
    let any = StatedDiskStage { synced: Some(false), ..material.stages[1].clone() };
    material.stages.clear();
    for (side, depths) in [("vm", vm), ("pod", pod)] {
        for depth in depths {
            let flow = any.reads.map(|flow| StatedDiskFlow { latency_ms_mean: Some(depth / flow.iops * 1e3), ..flow });
            let side = side.to_owned();
            material.stages.push(StatedDiskStage { side, stated_in_flight: Some(*depth), reads: flow, ..any.clone() });
        }
    }
}

/// Storage figures that are off by as much as rounding may have put them off.
fn rounded(material: &mut Material, share: f64) {
    material.stages.retain(|stage| stage.synced == Some(false));
    flows(material, |flow| {
        flow.latency_ms_mean = flow.latency_ms_mean.map(|ms| 1.2 * ms);
        flow.bytes_per_s = flow.bytes_per_s.map(|rate| 1.2 * rate);
    });
    flows(material, |flow| flow.rounding.iops = 0.1);
    let others = share - 0.1;
    for flow in material.stages.iter_mut().flat_map(|stage| stage.reads.iter_mut().chain(&mut stage.writes)) {
        (flow.rounding.latency, flow.rounding.bytes_per_s) = (others, others);
    }
}

/// Only writes one at a time, with a sync after each that takes unlike long on the sides and stands in no latency.
fn syncing(material: &mut Material, synced: Option<bool>) {
    material.stages.retain(|stage| stage.job == "wal");
    for (stage, shorter) in material.stages.iter_mut().zip([20.0, 5.0]) {
        stage.synced = synced;
        stage.writes.iter_mut().for_each(|flow| flow.latency_ms_mean = flow.latency_ms_mean.map(|ms| ms / shorter));
    }
}

fn flows(material: &mut Material, change: fn(&mut StatedDiskFlow)) {
    material.stages.iter_mut().flat_map(|stage| stage.reads.iter_mut().chain(&mut stage.writes)).for_each(change);
}

/// Of 20 clients that pause for 300 ms, a trial of so many seconds, with so much of the throughput that the law asks
/// for.
fn pausing(trial: &mut TrialAccount, measured_s: f64, of_expected: f64, is_random: bool) {
    let latency_ms = 4.05;
    let throughput_per_s = 20.0 / 0.304_05 * of_expected;
    trial.clients = 20.into();
    (trial.latency_ms_mean, trial.latency_ms_max) = (Some(latency_ms), Some(latency_ms));
    (trial.between_ms, trial.between_is_random) = (Some(300.0), is_random);
    (trial.measured_s, trial.throughput_per_s) = (Some(measured_s), Some(throughput_per_s));
    trial.transactions = Some((throughput_per_s * measured_s) as u64);
}

/// The fourth trial ends in a standstill: its transactions are fewer, and their latencies as they were.
fn standing_at_the_end(material: &mut Material, seconds: f64) {
    let rate = &mut material.trials[3].throughput_per_s;
    *rate = rate.map(|tps| tps * (60.0 - seconds) / 60.0);
}

/// On the server's host, of which all CPUs are in use: a thread that runs for a part of the time and waits for the
/// rest, and what the generator takes of the CPUs.
fn beside_server(material: &mut Material, ran: f64, taken: f64) {
    sides(material, |side| side.on_generator_host = Some(true));
    for trial in &mut material.trials {
        trial.host_busy = Some(0.99);
        trial.generator_demand = Some(0.97);
        (trial.generator_busy, trial.generator_share) = (Some(ran), Some(taken));
    }
}

/// A minute of transactions of ten seconds each, which lasted longer than stated.
fn slow(beyond_s: f64) -> TrialAccount {
    let mut slow = trial("vm", "select-only", 4, 10_000.0);
    slow.measured_s = None;
    slow.transactions = slow.throughput_per_s.map(|tps| (tps * (60.0 + beyond_s)) as u64);
    slow
}

/// The second side's bandwidths in another unit.
fn second_unit(material: &mut Material, factor: f64) {
    for stage in material.stages.iter_mut().filter(|stage| stage.side == "pod") {
        for flow in stage.reads.iter_mut().chain(&mut stage.writes) {
            flow.bytes_per_s = flow.bytes_per_s.map(|rate| rate * factor);
        }
    }
}

/// Averages of two columns, one of which has a figure more.
fn average(one: &str, other: &str) -> StatedAverage {
    let of_column = |name: &str, over: &[&str]| AveragedColumn {
        column: name.to_owned(),
        average: 1000.0,
        over: over.iter().map(|row| (*row).to_owned()).collect(),
    };
    let columns = vec![of_column(one, &["8", "16"]), of_column(other, &["8", "16", "32"])];
    StatedAverage { source: "page.md:9".to_owned(), columns }
}

/// A change in percent beside the two figures that it is of.
fn change_of_columns(percent: f64) -> StatedChange {
    let field = |column: &str, figure| ChangedField { column: column.to_owned(), figure };
    StatedChange {
        source: "page.md:9".to_owned(),
        name: "Change".to_owned(),
        percent,
        from: field("before", 100.0),
        to: field("after", 140.0),
        rounding: 0.01,
    }
}

/// Sides that are named for a setting which acts at checkpoints, and trials of a minute.
fn minute_of_wal_compression(material: &mut Material, max_wal_size: &str) {
    for side in &mut material.sides {
        side.name = format!("{} wal_compression", side.name);
        side.settings.insert("checkpoint_timeout".to_owned(), "30min".to_owned());
        side.settings.insert("max_wal_size".to_owned(), max_wal_size.to_owned());
    }
    for trial in &mut material.trials {
        trial.side = format!("{} wal_compression", trial.side);
        (trial.measured_s, trial.stated_s, trial.transactions) = (Some(60.0), Some(60.0), Some(100_000));
    }
}

/// The second side's jobs with more operations in flight, and no more done.
fn deeper(material: &mut Material, times: f64) {
    for stage in material.stages.iter_mut().filter(|stage| stage.side == "pod") {
        for flow in stage.reads.iter_mut().chain(&mut stage.writes) {
            flow.latency_ms_mean = flow.latency_ms_mean.map(|ms| ms * times);
        }
    }
}

/// A data set said to be on the disk that is larger than shared_buffers and smaller than the memory.
fn between_buffers_and_memory(material: &mut Material) {
    trials(material, |trial| {
        trial.residency = Some(Residency::Disk);
        trial.data_bytes = Some(8 << 30);
    });
}

/// Throughput in proportion to the clients, beyond the CPUs, for a reason that nobody looked for.
fn proportional(material: &mut Material) {
    for side in ["vm", "pod"] {
        for clients in [64, 128, 256] {
            let mut told = trial(side, "select-only", clients, 25.0);
            told.workload = "far".to_owned();
            told.outside_server = None;
            material.trials.push(told);
        }
    }
}

fn quicker_transactions(trial: &mut TrialAccount) {
    if trial.workload.contains("tpcb") {
        trial.latency_ms_mean = trial.latency_ms_mean.map(|ms| ms * 0.2);
    }
}

/// Trials in the order of their clients while a cache grows warm.
fn warming_up(material: &mut Material) {
    material.design.interleaved = false;
    let first = |trial: &&mut TrialAccount| trial.clients == 4;
    material.trials.iter_mut().filter(first).for_each(|t| t.throughput_per_s = t.throughput_per_s.map(|tps| tps * 0.7));
}

fn burst() -> Beyond {
    Beyond { side: "pod".to_owned(), text: "oltp: 3000 IOPS until 40 s, then 600 IOPS".to_owned(), is_cached: false }
}

fn kernel() -> SideDifference {
    difference_of("pod", Aspect::Kernel, "kernel", ["6.1", "6.8"])
}

#[test]
fn every_rule_holds_in_a_clean_account() {
    let BenchmarkAudit { findings, .. } = audit_material(&clean());
    for (check, outcome) in findings {
        assert_eq!(outcome.verdict, CheckRuling::Holds, "{}: {outcome:?}", check.code.name);
    }
}

#[test]
fn each_check_says_what_its_rule_says_of_a_changed_account() {
    for (index, (id, change, expected)) in TABLE.iter().enumerate() {
        let mut material = clean();
        change(&mut material);
        assert_eq!(verdict(id, &material), *expected, "row {index}: {id}: {:?}", outcome(id, &material));
    }
}

#[test]
fn effect_of_a_broken_rule_is_one_that_its_code_lists() {
    for (id, change, _) in TABLE {
        let mut material = clean();
        change(&mut material);
        for issue in of_audit(&audit_material(&material)) {
            assert!(issue.has_listed_effect(), "{id}: {} {:?}", issue.code.name, issue.effect);
        }
    }
}

/// What checkpoints cost, what commits wait for and what disks can do is at worst not told.
const NEVER_BROKEN: [&str; 3] = ["no-checkpoint", "commit-path-unmeasured", "storage-limit-unmeasured"];

#[test]
fn the_table_breaks_every_rule_and_leaves_every_one_untold() {
    for check in CHECKS {
        let expected =
            |word: &str| TABLE.iter().any(|(id, _, expected)| *id == check.code.name && expected.starts_with(word));
        assert!(expected("broken") || NEVER_BROKEN.contains(&check.code.name), "{} is never broken", check.code.name);
        assert!(expected("cannot tell"), "{} can always tell", check.code.name);
    }
}

#[test]
fn what_is_broken_says_what_follows_and_what_cannot_be_told_what_is_needed() {
    for (id, change, _) in TABLE {
        let mut material = clean();
        change(&mut material);
        let found = outcome(id, &material);
        match &found.verdict {
            CheckRuling::Broken(_) => {
                assert!(!found.consequence.is_empty(), "{id}");
                assert!(found.figures.first().is_some_and(|figure| figure.breaks), "{id}: {found:?}");
            }
            CheckRuling::CannotTell { needs } => assert!(!needs.is_empty(), "{id}"),
            CheckRuling::Holds => assert!(found.figures.iter().all(|figure| !figure.breaks), "{id}: {found:?}"),
        }
    }
}

#[test]
fn of_an_account_of_nothing_no_rule_can_tell() {
    let BenchmarkAudit { findings, .. } = audit_material(&Material::default());
    for (check, outcome) in findings {
        assert!(matches!(outcome.verdict, CheckRuling::CannotTell { .. }), "{}: {outcome:?}", check.code.name);
    }
}

#[test]
fn rules_about_transactions_do_not_apply_to_disks_alone_nor_rules_about_disks_to_transactions_alone() {
    let left_out = |material: &Material| -> Vec<&str> {
        let BenchmarkAudit { findings, .. } = audit_material(material);
        let mut names: Vec<&str> = CHECKS.iter().map(|check| check.code.name).collect();
        names.retain(|name| findings.iter().all(|(check, _)| check.code.name != *name));
        names
    };
    assert_eq!(left_out(&clean()), [] as [&str; 0]);
    assert_eq!(left_out(&Material { trials: vec![], ..clean() }).len(), CHECKS.len() - 7);
    let storage = [
        "storage-queue-depth",
        "storage-jobs-differ",
        "storage-class-mismatch",
        "disk-cap",
        "storage-limit-unmeasured",
        "commit-path-unmeasured",
        "commit-without-sync",
        "storage-arithmetic",
    ];
    assert_eq!(left_out(&Material { stages: vec![], ..clean() }), storage);
}
