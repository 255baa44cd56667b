//! Caveats in words that a person can act on.

use plan::{Cache, WordChoice as _};
use results::trial::{Incident, KernelValue, Unrestored};

use super::{CacheFound, Caveat, GeneratorDifference, OfTurns};
use crate::{failures, units};

/// A caveat of a trial: what, and what to do about it.
pub fn in_words(caveat: &Caveat) -> (String, String) {
    match caveat {
        Caveat::Noted(incident) => describe_incident(incident),
        Caveat::ClientBound { generators, busiest_thread, demand } => (
            format!(
                "the load engine's busiest thread{} was on a CPU for {} of the time{}",
                generators.as_ref().map_or_else(String::new, |names| format!(" (generator {names})")),
                units::format_percent(*busiest_thread),
                describe_cpu_wait(*busiest_thread, *demand)
            ),
            "the generator may be the bottleneck: raise `threads`, or give it a machine of its own".to_owned(),
        ),
        Caveat::GeneratorDiffers { generator, of } => describe_generator(generator, of),
        Caveat::BelowOffered { offered_per_s, achieved_per_s, skipped } => (
            format!(
                "{} were offered and {} completed{}",
                units::format_tps(*offered_per_s),
                units::format_tps(*achieved_per_s),
                if *skipped > 0 { format!(" ({skipped} arrivals were skipped)") } else { String::new() }
            ),
            "the server does not keep up with the offered rate, which raises the latencies: lower the rate, or allow \
             more clients".to_owned(),
        ),
        Caveat::LateSends { late, of } => (
            format!("{late} of {of} transactions began more than 1 ms late although their client was free"),
            "the latencies include delays of the load engine: give it more CPU, or a machine of its own".to_owned(),
        ),
        Caveat::ExternalGenerator { program, version } => (
            format!("{program} {version} sent the load"),
            format!("{program} reports neither single lost connections nor its own CPU time by the second; compare its \
                     figures only with those of the same program"),
        ),
        Caveat::Ledger { lost, unexpected, of } => (
            format!("{lost} of {of} acknowledged commits are lost, and {unexpected} rejected transactions are present"),
            "the server's acknowledgements are not reliable: check fsync, synchronous_commit and the disk before performance"
                .to_owned(),
        ),
        Caveat::Outages { count, cause } => (
            units::lost_connections(*count, cause),
            "find the cause before you rely on a figure of this target; the trial is not compared".to_owned(),
        ),
        Caveat::Failures(account) => (
            failures::failed_of(account),
            "throughput and latency exclude failed transactions; a trial with more than 1 % of them is left out of \
             their comparison, and the shares of failures are compared"
                .to_owned(),
        ),
        Caveat::Cache { wanted, found } => (
            format!("the trial was to start with {} caches: {}", wanted.as_word(), found_in_cache(*wanted, found)),
            "possible causes are other work on the machine, data larger than memory, or a file system without a disk; \
             check the readings of the first seconds"
                .to_owned(),
        ),
        Caveat::SharedHost => (
            "the load engine ran on the server's host and took CPU time from the server".to_owned(),
            "figures of both sides are lower than with a separate load machine; the comparison holds as far as both \
             sides are affected equally"
                .to_owned(),
        ),
        Caveat::BranchContention { scale, clients } => (
            format!("tpcb-like at scale {scale} with {clients} clients measures the wait for {scale} branch rows"),
            "use a scale of at least the number of clients, or simple-update".to_owned(),
        ),
        Caveat::Beside(trouble) => trouble.text_and_hint(),
        Caveat::Provider(trouble) => trouble.in_words(),
        Caveat::OfTurns(said) => of_turns(said),
        Caveat::Viewed { pages, share, here } => describe_page_views(*pages, *share, *here),
    }
}

/// One of several generators beside the others.
fn describe_generator(generator: &str, of: &GeneratorDifference) -> (String, String) {
    match of {
        GeneratorDifference::Figure { figure, change } => (
            format!(
                "the {figure} of generator {generator} differs from that of the others by {}",
                units::change_with_interval(change.point, change.interval.low, change.interval.high)
            ),
            "the latencies are a mixture of two distributions: check the route and the host of this generator, or leave \
             it out"
                .to_owned(),
        ),
        GeneratorDifference::Machine(what) => (
            format!("generator {generator} is another machine than the others ({what})"),
            "its clients may be slower or faster than the others: use equal machines where the latency matters"
                .to_owned(),
        ),
    }
}

/// Who looked.
fn describe_page_views(pages: u32, share: f64, here: bool) -> (String, String) {
    let (whence, hint) = if here {
        (
            "on the load's machine, or through a port that is forwarded to it",
            "a browser on the load's machine takes CPU time from the load: close the page, hide it, or open it on \
             another machine",
        )
    } else {
        (
            "on another machine",
            "the process that serves the page takes CPU time on the load's machine: close the page for measurements \
             that count",
        )
    };
    let pages = if pages > 1 { format!(", in up to {pages} windows") } else { String::new() };
    (
        format!(
            "the page of the run was open for {} of the measurement{pages}, {whence}",
            units::format_percent(share)
        ),
        hint.to_owned(),
    )
}

/// What the turns say.
fn of_turns(said: &OfTurns) -> (String, String) {
    match said {
        OfTurns::Lost { lost, of } => (
            format!("{lost} of {of} slices were lost: no client had a connection"),
            "find the cause before you rely on a figure of this target; a trial with an outage is not compared"
                .to_owned(),
        ),
        OfTurns::Overrun { share, length_us } => (
            format!(
                "{} of the time of its slices of {} passed until the last transactions had ended",
                units::format_percent(*share),
                units::format_milliseconds(*length_us as f64 / 1e3)
            ),
            "idle clients waited meanwhile: make the slices many times as long as a transaction".to_owned(),
        ),
        OfTurns::Edge { longer, length_us } => (
            format!(
                "transactions take {} {} in the first quarter of a slice of {} than later in the slice",
                units::format_percent(longer.abs()),
                if *longer > 0.0 { "longer" } else { "less time" },
                units::format_milliseconds(*length_us as f64 / 1e3)
            ),
            "each slice starts with caches that the other side has used: set a longer `slice`, unless this effect is \
             the question"
                .to_owned(),
        ),
        OfTurns::Gaps { share } => (
            format!("no side sent for {} of the time", units::format_percent(*share)),
            "the figures are correct, but time is lost: make the slices longer, or give the load more CPU".to_owned(),
        ),
        OfTurns::Diluted => (
            "the workload writes and the sides alternate in slices: the work that a slice leaves behind (WAL, dirty \
             pages, checkpoints, vacuum) also burdens the other side"
                .to_owned(),
            "the reported difference is biased towards 0: `interleave: trials` shows all of it".to_owned(),
        ),
    }
}

/// What was noted with the trial.
fn describe_incident(incident: &Incident) -> (String, String) {
    match incident {
        Incident::Cancelled { transactions } => (
            format!("{transactions} transactions were still running 5 s after the end of the load and were cancelled"),
            "the latencies exclude transactions that did not end: measure longer, or set statement_timeout".to_owned(),
        ),
        Incident::StepOmitted { statement, why } => (
            format!("{statement} was left out: {why}"),
            format!("trials of this workload start in more different states: {}", privilege_for(statement)),
        ),
        Incident::LedgerUnchecked { why } => (
            format!("the acknowledged commits of its ledger were not checked: {why}"),
            "lost commits of this trial are not known; check the server's log, and measure again".to_owned(),
        ),
        Incident::NotRestored { changed: KernelValue { name, set, .. }, why: Unrestored::ChangedMeanwhile(found) } => (
            format!("sysctl {name} was set to {set}, and another process changed it during the trial: {found}"),
            "part of the trial was measured with another value: stop the program that sets it while pgdyno measures"
                .to_owned(),
        ),
        Incident::NotRestored { changed: KernelValue { name, set, before }, why: Unrestored::Failed(error) } => (
            format!("sysctl {name} was set to {set} and could not be restored to {before}: {error}"),
            "later trials may have been measured with that value; `pgdyno restore` tries again".to_owned(),
        ),
        Incident::PodLost { said } => (
            said.clone(),
            "the server was terminated during the load: the trial is not compared, unless an event of the plan caused \
             it. Find the cause if it recurs"
                .to_owned(),
        ),
        Incident::GeneratorLost { generator, clients, said } => (
            format!("{said}; its {clients} clients sent nothing from then on"),
            format!(
                "the totals contain what {generator} reported before; what its clients received after that is unknown, \
                 and their commits are not checked"
            ),
        ),
        Incident::ConcurrentRun { runs, databases } => (
            format!(
                "{runs} other {} of pgdyno {} connected to the server (database {databases})",
                if *runs == 1 { "run" } else { "runs" },
                if *runs == 1 { "was" } else { "were" },
            ),
            "each run measures the load of the other as well: measure one after the other".to_owned(),
        ),
        Incident::PodUnseen { why } => (
            format!("the state of the server's pod during the load is not known: {why}"),
            "a terminated server would appear as lost connections; check the events of its pod".to_owned(),
        ),
    }
}

/// How a role may execute what was left out.
fn privilege_for(statement: &str) -> &'static str {
    match statement {
        "CHECKPOINT" => "GRANT pg_checkpoint TO the role (PostgreSQL 15 and newer), or use a superuser",
        _ => "use a role with the privilege, or tables that pgdyno creates",
    }
}

fn found_in_cache(wanted: Cache, found: &CacheFound) -> String {
    match found {
        CacheFound::NoSecond => "not verified: no second was recorded".to_owned(),
        CacheFound::Gap(gap) => format!("not verified ({gap})"),
        CacheFound::Reads { seconds, missed_bytes, asked_bytes, disk_bytes } => {
            let [missed, asked, disk] =
                [missed_bytes, asked_bytes, disk_bytes].map(|bytes| format!("{:.1} MiB", bytes / 1_048_576.0));
            match wanted {
                Cache::Cold => format!("in the first {seconds} s the server read {missed} and the disk only {disk}"),
                Cache::Warm | Cache::AsIs => {
                    format!("in the first {seconds} s the server read {missed} of {asked}, and the disk {disk}")
                }
            }
        }
    }
}

/// How long a load thread waited for a CPU, for the end of a sentence.
fn describe_cpu_wait(busiest_thread: f64, demand: Option<f64>) -> String {
    match demand {
        Some(demand) if demand - busiest_thread >= 0.01 => {
            format!(" and waited for a CPU for {} of it", units::format_percent(demand - busiest_thread))
        }
        Some(_) | None => String::new(),
    }
}
