//! What a disk means for PostgreSQL: the throughput at which it has no more to give, beside what was reached.
//!
//! The demand of a transaction on the disk (requests and bytes as the kernel counted them, calls that flush WAL as
//! PostgreSQL counted them) is divided into what fio got of the same disk. The smallest quotient is the ceiling; it
//! holds as far as the demand stays what it was, and PostgreSQL's requests are to the disk what fio's are.

use results::probe_fields::{ProbeField, host_cpu, host_disk, host_server, pg_wal};
use results::trial::Trial;
use stats::batch_means::within_trial;
use stats::centre::arithmetic_mean;
use stats::positive::non_negative_mean_estimate;
use stats::quotient::quotient_of_estimates;
use stats::{ClosedInterval, Estimate};

use super::{DiskJudged, DiskUnit, StageFigures};
use crate::observed::WatchedPhase;
use crate::units::format_clients;

/// From this share of the ceiling on, the disk is the bottleneck.
const REACHED: f64 = 0.90;

/// Less than this of a resource per transaction is none: a request, a byte or a flush in a thousand transactions.
const NONE_PER_TRANSACTION: f64 = 1e-3;

/// The trials of one target in one workload with one number of clients, as far as they count.
#[derive(Debug)]
pub struct WorkloadTrials<'a> {
    /// The target.
    pub target: &'a str,
    /// The workload.
    pub workload: &'a str,
    /// Clients.
    pub clients: u32,
    /// Its trials and what was watched during them.
    pub trials: Vec<(&'a Trial, &'a WatchedPhase)>,
}

/// What a disk has a limit of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskResource {
    /// Requests per second, reads and writes together: as the job `oltp` got them.
    Requests,
    /// Bytes read per second: `seq-read`.
    ReadBandwidth,
    /// Bytes written per second: `seq-write`.
    WriteBandwidth,
    /// Bytes per second in both directions together, where a cap was found.
    Bandwidth,
    /// Flushes of WAL per second, of which PostgreSQL has one at a time under way: `wal`.
    Flushes,
}

/// The ceiling at one number of clients.
#[derive(Debug, Clone, PartialEq)]
pub struct Ceiling {
    /// Clients.
    pub clients: u32,
    /// Transactions per second that were reached: the mean of the trials.
    pub reached: f64,
    /// Transactions per second at which the disk has no more to give.
    pub limit: Estimate,
    /// Of what.
    pub resource: DiskResource,
    /// How much of it a transaction takes.
    pub per_transaction: f64,
    /// Share of the CPUs' time that they idled while a request was under way; absent where it was not read.
    pub iowait: Option<f64>,
    /// CPUs that the server would use at the ceiling; absent where its CPU time was not read.
    pub cores: Option<f64>,
    /// The ceiling if nothing had to be read, as in a server that holds the whole database in memory; absent when there
    /// would be none.
    pub without_reads: Option<f64>,
}

/// Whether the disk is the bottleneck of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bottleneck {
    /// From this number of clients on.
    From(u32),
    /// At no number of clients that was measured.
    No,
    /// It cannot be told, and why.
    CannotTell(String),
}

/// What a disk means for one workload of its target.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskMeaning {
    /// The target.
    pub target: String,
    /// The workload.
    pub workload: String,
    /// By clients, ascending, where a ceiling can be told.
    pub ceilings: Vec<Ceiling>,
    /// Whether the disk is the bottleneck.
    pub bottleneck: Bottleneck,
}

/// What each disk means for each workload of its target.
pub(super) fn meanings_for_workloads(disks: &[DiskJudged], loads: &[WorkloadTrials<'_>]) -> Vec<DiskMeaning> {
    let mut places: Vec<(&str, &str)> = loads.iter().map(|load| (load.target, load.workload)).collect();
    places.sort_unstable();
    places.dedup();
    places
        .into_iter()
        .filter_map(|(target, workload)| {
            let disk = disks.iter().find(|disk| disk.target == target)?;
            let mut own: Vec<&WorkloadTrials<'_>> =
                loads.iter().filter(|load| (load.target, load.workload) == (target, workload)).collect();
            own.sort_by_key(|load| load.clients);
            let told: Vec<Result<Ceiling, String>> = own.iter().map(|load| ceiling_at_place(disk, load)).collect();
            let bottleneck = find_bottleneck(&told);
            let ceilings = told.into_iter().filter_map(Result::ok).collect();
            Some(DiskMeaning { target: target.to_owned(), workload: workload.to_owned(), ceilings, bottleneck })
        })
        .collect()
}

fn find_bottleneck(told: &[Result<Ceiling, String>]) -> Bottleneck {
    if let Some(first) = told.iter().flatten().find(|ceiling| ceiling.reached >= REACHED * ceiling.limit.point) {
        return Bottleneck::From(first.clients);
    }
    told.iter()
        .find_map(|told| match told {
            Err(why) => Some(why.clone()),
            Ok(ceiling) => (ceiling.reached >= REACHED * ceiling.limit.interval.low).then(|| {
                format!(
                    "the interval of the ceiling reaches down to the throughput of {}",
                    format_clients(ceiling.clients)
                )
            }),
        })
        .map_or(Bottleneck::No, Bottleneck::CannotTell)
}

/// One resource: what the disk has of it per second, and the figures of the demand that are added up.
struct Supply {
    resource: DiskResource,
    per_s: Estimate,
    demand: &'static [ProbeField],
    /// Whether only reading takes it.
    of_reads: bool,
}

fn supplies_of_disk(disk: &DiskJudged) -> Vec<Supply> {
    let stage = |name: &str, read: fn(&StageFigures) -> Option<Estimate>| disk.stage_by_name(name).and_then(read);
    let cap = disk.caps.iter().find(|cap| cap.unit == DiskUnit::Bandwidth).map(|cap| cap.level);
    let all: [(DiskResource, Option<Estimate>, &'static [_], bool); 5] = [
        (DiskResource::Requests, stage("oltp", |s| s.steady_iops), &[host_disk::READS, host_disk::WRITES], false),
        (DiskResource::ReadBandwidth, stage("seq-read", |s| s.steady_bytes_per_s), &[host_disk::READ_BYTES], true),
        (
            DiskResource::WriteBandwidth,
            stage("seq-write", |s| s.steady_bytes_per_s),
            &[host_disk::WRITTEN_BYTES],
            false,
        ),
        (DiskResource::Bandwidth, cap, &[host_disk::READ_BYTES, host_disk::WRITTEN_BYTES], false),
        (DiskResource::Flushes, stage("wal", |s| s.steady_iops), &[pg_wal::SYNCS], false),
    ];
    all.into_iter()
        .filter_map(|(resource, per_s, demand, of_reads)| Some(Supply { resource, per_s: per_s?, demand, of_reads }))
        .collect()
}

/// The ceiling at one place, or why it cannot be told.
fn ceiling_at_place(disk: &DiskJudged, load: &WorkloadTrials<'_>) -> Result<Ceiling, String> {
    if load.trials.iter().any(|(trial, _)| trial.turns.is_some()) {
        return Err(
            "the sides alternate in slices, and the activity of the disks cannot be attributed to one side".to_owned()
        );
    }
    let supplies = supplies_of_disk(disk);
    if supplies.is_empty() {
        return Err("no stage of the disk was long enough for an interval".to_owned());
    }
    let mut lowest: Option<(Estimate, &Supply, f64)> = None;
    let mut without_reads: Option<f64> = None;
    for supply in &supplies {
        let demand = demand_per_transaction(load, supply.demand)?;
        if demand.point < NONE_PER_TRANSACTION {
            continue;
        }
        let limit = quotient_of_estimates(supply.per_s, demand)
            .ok_or_else(|| format!("the demand of a transaction for {} varies too much", in_words(supply.resource)))?;
        if lowest.as_ref().is_none_or(|(lowest, ..)| limit.point < lowest.point) {
            lowest = Some((limit, supply, demand.point));
        }
        if !supply.of_reads {
            let of_reads = [host_disk::READS, host_disk::READ_BYTES];
            let writes: Vec<_> = supply.demand.iter().copied().filter(|field| !of_reads.contains(field)).collect();
            let rest = self::demand_per_transaction(load, &writes)?.point;
            if rest >= NONE_PER_TRANSACTION {
                let limit = supply.per_s.point / rest;
                without_reads = Some(without_reads.map_or(limit, |lowest: f64| lowest.min(limit)));
            }
        }
    }
    let (limit, supply, per_transaction) = lowest.ok_or("its transactions hardly use the disk")?;
    let each = |read: fn(&Trial, &WatchedPhase) -> Option<f64>| {
        arithmetic_mean(load.trials.iter().filter_map(|(trial, watched)| read(trial, watched)))
    };
    Ok(Ceiling {
        clients: load.clients,
        reached: each(|trial, _| transactions_per_s(trial)).ok_or("no trial is usable")?,
        cores: each(cpu_s).map(|seconds| seconds * limit.point),
        limit,
        resource: supply.resource,
        per_transaction,
        iowait: each(|_, watched| iowait_share(watched)),
        without_reads,
    })
}

/// How much of some figures one transaction takes: over several trials with Student's interval, within a single one
/// with that of batch means, whose n is then 1.
fn demand_per_transaction(load: &WorkloadTrials<'_>, figures: &[ProbeField]) -> Result<Estimate, String> {
    let each = load
        .trials
        .iter()
        .map(|(trial, watched)| {
            let rates: Vec<f64> = figures
                .iter()
                .map(|figure| counter_increase_per_s(watched, *figure).ok_or_else(|| missing_figure(watched, figure)))
                .collect::<Result<_, String>>()?;
            let throughput = transactions_per_s(trial).ok_or("no transaction was completed")?;
            Ok(rates.iter().sum::<f64>() / throughput)
        })
        .collect::<Result<Vec<f64>, String>>()?;
    match (&each[..], &load.trials[..]) {
        ([only], [(_, watched)]) => {
            let estimate = within_trial(&by_second(watched, figures)).map(|within| within.mean);
            let none = Estimate { point: *only, interval: ClosedInterval { low: *only, high: *only }, n: 1 };
            match estimate {
                Some(estimate) => Ok(Estimate { n: 1, ..estimate }),
                None if *only < NONE_PER_TRANSACTION => Ok(none),
                None => {
                    Err("a single trial of so few seconds gives no interval; repeat it or measure longer".to_owned())
                }
            }
        }
        (each, _) => non_negative_mean_estimate(each).ok_or_else(|| "no trial is usable".to_owned()),
    }
}

fn missing_figure(watched: &WatchedPhase, field: &ProbeField) -> String {
    format!("{} {} is missing: {}", field.probe, field.name, watched.why_missing(field.probe))
}

/// Some figures per transaction, second by second; seconds with a gap or without a transaction are left out.
fn by_second(watched: &WatchedPhase, figures: &[ProbeField]) -> Vec<f64> {
    (0..watched.seconds.len())
        .filter_map(|at| {
            let second = watched.seconds.get(at)?;
            let rates = figures.iter().map(|figure| watched.value_at(*figure, at));
            let rate: f64 = rates.sum::<Option<f64>>()?;
            (second.transactions > 0).then_some(rate / second.throughput_per_s()?)
        })
        .collect()
}

/// A counter's increase per second over a whole trial; none where it was never read.
fn counter_increase_per_s(watched: &WatchedPhase, field: ProbeField) -> Option<f64> {
    let (sum, over_us) = watched.rise_of_counter(field)?;
    (over_us > 0).then(|| sum * 1e6 / over_us as f64)
}

fn transactions_per_s(trial: &Trial) -> Option<f64> {
    let load = trial.load.as_ref()?;
    (load.transactions > 0 && load.measure_us > 0).then(|| load.transactions as f64 * 1e6 / load.measure_us as f64)
}

/// CPU seconds of the server's processes per transaction, with those that have ended.
fn cpu_s(trial: &Trial, watched: &WatchedPhase) -> Option<f64> {
    let of_living = counter_increase_per_s(watched, host_server::BACKENDS_CPU_US)?
        + counter_increase_per_s(watched, host_server::OTHERS_CPU_US)?;
    let us = of_living + counter_increase_per_s(watched, host_server::ENDED_CPU_US).unwrap_or_default();
    Some(us / 1e6 / transactions_per_s(trial)?)
}

/// Share of the CPUs' time in which they idled while a request was under way.
fn iowait_share(watched: &WatchedPhase) -> Option<f64> {
    let waited = counter_increase_per_s(watched, host_cpu::IOWAIT_US)?;
    let cpus = watched.all_readings(host_cpu::CPUS).last()?.0;
    (cpus > 0.0).then(|| waited / 1e6 / cpus)
}

/// What a resource is called in a sentence.
pub fn in_words(resource: DiskResource) -> &'static str {
    match resource {
        DiskResource::Requests => "requests",
        DiskResource::ReadBandwidth => "bytes read",
        DiskResource::WriteBandwidth => "bytes written",
        DiskResource::Bandwidth => "bytes read and written",
        DiskResource::Flushes => "flushes of WAL",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(clients: u32, reached: f64, limit: [f64; 3]) -> Result<Ceiling, String> {
        let [low, point, high] = limit;
        Ok(Ceiling {
            clients,
            reached,
            limit: Estimate { point, interval: ClosedInterval { low, high }, n: 3 },
            resource: DiskResource::Requests,
            per_transaction: 1.0,
            iowait: None,
            cores: None,
            without_reads: None,
        })
    }

    #[test]
    fn the_disk_is_the_bottleneck_from_the_fewest_clients_that_reach_90_percent_of_the_ceiling() {
        let limit = [950.0, 1000.0, 1050.0];
        let cases: [(&[(u32, f64)], Bottleneck); 3] = [
            (&[(8, 400.0), (32, 910.0), (64, 990.0)], Bottleneck::From(32)),
            (&[(8, 400.0), (32, 700.0)], Bottleneck::No),
            (&[(8, 910.0)], Bottleneck::From(8)),
        ];
        for (reached, expected) in cases {
            let told: Vec<_> = reached.iter().map(|(clients, tps)| told(*clients, *tps, limit)).collect();
            assert_eq!(find_bottleneck(&told), expected);
        }
    }

    #[test]
    fn a_ceiling_that_may_be_as_low_as_what_was_reached_or_is_missing_tells_nothing() {
        let wide = find_bottleneck(&[told(8, 600.0, [500.0, 1000.0, 2000.0])]);
        assert!(matches!(wide, Bottleneck::CannotTell(why) if why.contains("the throughput of 8 clients")));
        assert_eq!(find_bottleneck(&[Err("a gap".to_owned())]), Bottleneck::CannotTell("a gap".to_owned()));
    }

    #[test]
    fn a_demand_of_several_trials_is_never_negative() {
        let found = non_negative_mean_estimate(&[0.05, 0.2, 0.1]).unwrap();
        assert!((found.point - 0.1).abs() < 1e-9 && found.interval.low > 0.0, "{found:?}");
    }
}
