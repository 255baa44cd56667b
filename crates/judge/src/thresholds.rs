//! Thresholds that several families of conclusions share, each with its reason: one question has one answer.
//!
//! A threshold that one rule or check alone uses stands in its file, unless its code is one that several families
//! share ([`crate::codes`]). What is asked of several kinds of observations is a function here, which all of them call.

use std::collections::BTreeMap;

use results::facts::ServerSetting;

/// From this share of the measurement phase on in which a thread of the load generator runs or wants to run, the
/// generator has no CPU time left. The rest is what a loop needs to wake up; at 0.85, the value of the diagnosis
/// before, throughput still rises with the clients.
pub const GENERATOR_AT_LIMIT: f64 = 0.9;

/// Generators that send a load as one differ from so much on in their mean latency or their round trip: less is what
/// the scheduler of a machine does, and moves a percentile of all of them little.
pub const GENERATORS_DIFFER: f64 = 0.05;

/// From this share of the CPU time that a machine wanted on, stolen time is a cause: on an idle host steal is around
/// 1 %, from rounding and the hypervisor's own work, and a neighbour that takes 2 % for a while is within the spread
/// that repetitions show. The audit began at 2 % of all CPU time before.
pub const STOLEN: f64 = 0.05;

/// From this share of all CPU time on, other processes are a neighbour. What a system does by itself, the probes, and a
/// proxy on the route stay below it. The audit began at a tenth before, where a package index that is read anew would
/// do.
pub const FOREIGN: f64 = 0.2;

/// From this share of CPU time in use on, a process that is ready may wait for a CPU; below it a neighbour takes what
/// nobody else wanted.
pub const CPUS_CONTENDED: f64 = 0.8;

/// From this share of CPU time in use on, there is none to spare, but for what a scheduler cannot use.
pub const CPUS_SATURATED: f64 = 0.9;

/// With more failed transactions than this share, figures are of how fast a server refuses.
pub const FAILED_AT_MOST: f64 = 0.01;

/// From this share of the latency on, what is outside the server decides it.
pub const OUTSIDE_DECIDES: f64 = 0.5;

/// In an interval with less than this share of the median next to nothing was done.
pub const STALLED_BELOW: f64 = 0.05;

/// Slow transactions end in some seconds and in others not; from so many a second on there are always some.
pub const STALL_NEEDS_PER_S: f64 = 20.0;

/// Rates of a disk this near to one another are the same: throttles of Linux and of clouds keep theirs within a
/// percent, and figures are rounded.
pub const SAME_RATE: f64 = 0.05;

/// From this mean number of other sessions at work on, they may take what the load needs. A monitor's look at the
/// statistics now and then is not felt.
pub const OTHERS_AT_WORK: f64 = 0.3;

/// A throughput that moves by less is what a cache, a checkpoint or the noise of a machine does.
pub const MOVES: f64 = 0.1;

/// Of what PostgreSQL reads, at least this share comes from the disk where the disk is what is waited for: else the
/// kernel has it.
pub const FROM_DISK: f64 = 0.1;

/// From this share of the latency on sessions wait for their client long enough for the engine to matter.
pub const OUTSIDE_FELT: f64 = 0.3;

/// From this share of the latency on, waiting for a CPU is felt.
pub const CPU_WAIT_FELT: f64 = 0.05;

/// A generator that uses more of the CPUs than this hides a fifth of a change of the server and more: of one of the
/// usual threshold, 5 %, a whole percent.
pub const TAKEN_BY_GENERATOR: f64 = 0.2;

/// Two trials of a cell give no interval that is worth its name.
pub const REPETITIONS_AT_LEAST: u32 = 3;

/// Standing still for less than this share of a trial, or in one interval alone, moves no figure.
pub const STALLED_FOR: f64 = 0.05;

/// What chance does in fewer studies than this share is not put down to it, however many trials a study has. The test
/// errs on the safe side: it takes a drift in part for a memory of the noise.
pub const TREND_BY_CHANCE: f64 = 0.05;

/// An open loop that completes less than this share of what was due has not offered what it says.
pub const ACHIEVED_AT_LEAST: f64 = 0.98;

/// So many missing transactions are the last ones of a trial.
pub const FEW_MISSING: u64 = 20;

/// From this share of late beginnings on, the latencies of an open loop are in part the engine's own.
pub const LATE_SENDS: f64 = 0.01;

/// Of the blocks that a cold server does not have, the disk must have read at least this share, or the kernel had them.
pub const FROM_DISK_WHEN_COLD: f64 = 0.5;

/// Of the blocks that a warm server is asked for, the disk may read at most this share.
pub const FROM_DISK_WHEN_WARM: f64 = 0.05;

/// Less than this many bytes from the disk are of no account.
pub const BYTES_OF_ACCOUNT: f64 = 1_048_576.0;

/// From this share on of the time of its slices that a side's last transactions took, they are too long for them.
pub const SLICE_OVERRUN_FROM: f64 = 0.1;

/// From this difference on, beyond chance, the beginning of a slice is another thing than the rest of it.
pub const SLICE_EDGE_FROM: f64 = 0.05;

/// From this share on, the time between slices is worth a word.
pub const SLICE_GAPS_FROM: f64 = 0.05;

/// Of less than this share of the captured calls or of their time, a verdict is not one on the captured load: what is
/// left out could change it by more than the practical threshold of most plans.
pub const REPLAYED_AT_LEAST: f64 = 0.95;

/// From this share of failed transactions on the data are not those of the capture: ids that a server makes in another
/// order fail less often.
pub const REPLAY_FAILS_AT_MOST: f64 = 0.001;

/// Beyond this factor between the times of a call the baseline is another machine than the captured one. The route
/// between client and server, which only the replay measures, stays below it for most statements.
pub const REPLAY_LATENCY_FACTOR: f64 = 2.0;

/// Whether the load generator is the limit: a thread that runs all the time is, whatever else there is; one that waits
/// for a CPU is unless the server has the CPUs that it waits for, since its wait is the server's limit then.
/// `ran` and `demand` are the busiest thread's shares of the time on a CPU, and on one or waiting for one.
pub fn generator_is_limit(ran: Option<f64>, demand: f64, server_has_its_cpus: bool) -> bool {
    match ran {
        Some(ran) if server_has_its_cpus => ran >= GENERATOR_AT_LIMIT,
        Some(_) | None => demand >= GENERATOR_AT_LIMIT,
    }
}

/// Whether CPU time was stolen: `stolen` as a share of what was wanted.
pub fn is_stolen(stolen: f64) -> bool {
    stolen >= STOLEN
}

/// Whether other processes take CPU time that is wanted; of a host of which it is not known how busy it was, they do.
pub fn is_taken_by_neighbour(foreign: f64, busy: Option<f64>) -> bool {
    foreign >= FOREIGN && busy.is_none_or(|busy| busy >= CPUS_CONTENDED)
}

/// The settings with a change that waits for a restart.
pub fn waiting_for_restart(
    settings: &BTreeMap<String, ServerSetting>,
) -> impl Iterator<Item = (&String, &ServerSetting)> {
    settings.iter().filter(|(_, setting)| setting.pending_restart)
}

/// Whether huge pages that were asked for are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HugePages<'a> {
    /// Nobody asked: at its default, `try`, and with `off`.
    NotAsked,
    /// They are.
    InUse,
    /// They are not, although `huge_pages` has this value.
    Missing(&'a str),
    /// Before version 17 the server does not say; without reserved pages it has none.
    NotSaid(&'a str),
}

/// What a server says of its huge pages.
pub fn huge_pages(settings: &BTreeMap<String, ServerSetting>) -> HugePages<'_> {
    let Some(asked) = settings.get("huge_pages").filter(|asked| asked.source != "default" && asked.value != "off")
    else {
        return HugePages::NotAsked;
    };
    match settings.get("huge_pages_status").map(|status| status.value.as_str()) {
        Some("on") => HugePages::InUse,
        Some("off") => HugePages::Missing(&asked.value),
        Some(_) | None => HugePages::NotSaid(&asked.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_that_waits_for_the_server_s_cpus_is_no_limit_and_one_that_runs_all_the_time_is() {
        for (ran, demand, server_has_its_cpus, expected) in [
            (Some(0.95), 0.95, true, true),
            (Some(0.3), 0.95, true, false),
            (Some(0.3), 0.95, false, true),
            (Some(0.3), 0.5, false, false),
            (Some(0.87), 0.87, false, false),
            (None, 0.95, true, true),
        ] {
            assert_eq!(generator_is_limit(ran, demand, server_has_its_cpus), expected, "{ran:?} {demand}");
        }
    }

    #[test]
    fn two_percent_of_stolen_time_are_no_issue() {
        assert!(!is_stolen(0.022) && is_stolen(0.05));
        assert!(!is_taken_by_neighbour(0.3, Some(0.5)) && is_taken_by_neighbour(0.3, Some(0.85)));
        assert!(is_taken_by_neighbour(0.3, None) && !is_taken_by_neighbour(0.1, None));
    }
}
