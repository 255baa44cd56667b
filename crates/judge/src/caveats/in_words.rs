//! Caveats in words that a person can act on.

use plan::{Cache, Word as _};
use results::trial::{Incident, KernelValue, Unrestored};

use super::{CacheFound, Caveat, OfTurns};
use crate::units;

/// A caveat of a trial: what, and what to do about it.
pub fn in_words(caveat: &Caveat) -> (String, String) {
    match caveat {
        Caveat::Noted(incident) => noted(incident),
        Caveat::ClientBound { busiest_thread, demand } => (
            format!(
                "the load engine's busiest thread was on a CPU for {} of the time{}",
                units::percent(*busiest_thread),
                waited(*busiest_thread, *demand)
            ),
            "the generator may have been the limit: raise `threads`, or give it a machine of its own".to_owned(),
        ),
        Caveat::BelowOffered { offered_per_s, achieved_per_s, skipped } => (
            format!(
                "{} were offered and {} completed{}",
                units::tps(*offered_per_s),
                units::tps(*achieved_per_s),
                if *skipped > 0 { format!(" ({skipped} arrivals were skipped)") } else { String::new() }
            ),
            "the latencies are of a server that does not keep up: offer less, or allow more clients in flight".to_owned(),
        ),
        Caveat::LateSends { late, of } => (
            format!("{late} of {of} transactions began more than 1 ms late although their client was free"),
            "part of the latency is the load engine's own: give it more CPU, or a machine of its own".to_owned(),
        ),
        Caveat::ExternalGenerator { program, version } => (
            format!("{program} {version} sent the load"),
            format!("{program} does not tell of lost connections one by one, nor of its own CPU by the second; compare its figures \
                     with those of the same program only"),
        ),
        Caveat::Ledger { lost, unexpected, of } => (
            format!("of {of} acknowledged commits {lost} are lost, and {unexpected} refused transactions are there"),
            "the server does not keep what it acknowledges: look at fsync, synchronous_commit and its disk before its speed"
                .to_owned(),
        ),
        Caveat::Outages { count, cause } => (
            format!("{count} connections were lost while measuring ({cause})"),
            "find out why before trusting any figure of this target; the trial is not compared".to_owned(),
        ),
        Caveat::Failures { failed, of, because } => (
            format!("{failed} of {of} transactions failed{because}"),
            "failed transactions are not counted in throughput and latency, which are not compared of a trial with more than 1 % \
             of them; that they fail is compared"
                .to_owned(),
        ),
        Caveat::Cache { wanted, found } => (
            format!("the caches were to be {} when the trial began: {}", wanted.word(), found_in_cache(*wanted, found)),
            "other work on the machine, data larger than memory, or a file system without a disk; look at the readings of \
             the first seconds"
                .to_owned(),
        ),
        Caveat::SharedHost => (
            "the load engine ran on the server's host and took CPU time from it".to_owned(),
            "figures of both sides are lower than with a load machine of its own; the comparison stands as far as both \
             sides suffer alike"
                .to_owned(),
        ),
        Caveat::BranchContention { scale, clients } => (
            format!("tpcb-like at scale {scale} with {clients} clients measures the wait for {scale} branch rows"),
            "use a scale of at least the number of clients, or simple-update".to_owned(),
        ),
        Caveat::OfTurns(said) => of_turns(said),
        Caveat::Viewed { pages, share, here } => viewed(*pages, *share, *here),
    }
}

/// Who looked.
fn viewed(pages: u32, share: f64, here: bool) -> (String, String) {
    let (whence, hint) = if here {
        (
            "from the load's machine, or through a port that is forwarded to it",
            "a browser there takes CPU time from the load: close the page, hide it, or look from another machine",
        )
    } else {
        (
            "from another machine",
            "what serves the page takes CPU time on the load's machine: close it for figures that count",
        )
    };
    let pages = if pages > 1 { format!(", in up to {pages} windows") } else { String::new() };
    (
        format!("the page of the run was open for {} of the measurement{pages}, {whence}", units::percent(share)),
        hint.to_owned(),
    )
}

/// What the turns say.
fn of_turns(said: &OfTurns) -> (String, String) {
    let length = |us: &u64| units::milliseconds(*us as f64 / 1e3);
    match said {
        OfTurns::Lost { lost, of } => (
            format!("{lost} of {of} turns were lost: no client had a connection"),
            "find out why before trusting any figure of this target; a trial with an outage is not compared".to_owned(),
        ),
        OfTurns::Overrun { share, length_us } => (
            format!(
                "{} of the time of its turns of {} went by until the last transactions had ended",
                units::percent(*share),
                length(length_us)
            ),
            "clients that were done waited meanwhile: take turns many times as long as a transaction".to_owned(),
        ),
        OfTurns::Edge { longer, length_us } => (
            format!(
                "transactions take {} {} in the first quarter of a turn of {} than later in it",
                units::percent(longer.abs()),
                if *longer > 0.0 { "longer" } else { "less" },
                length(length_us)
            ),
            "each turn finds caches that the other side has used: take longer turns if that is not what you want to know"
                .to_owned(),
        ),
        OfTurns::Gaps { share } => (
            format!("in {} of the time no side had its turn", units::percent(*share)),
            "nothing is wrong with the figures, but time is lost: take longer turns, or give the load more CPU".to_owned(),
        ),
        OfTurns::Diluted => (
            "its workload writes and its sides took turns: what a turn leaves behind (WAL, dirty pages, checkpoints, \
             vacuum), the other side pays, too"
                .to_owned(),
            "a difference is shown smaller than it is: `interleave: trials` shows all of it".to_owned(),
        ),
    }
}

/// What was noted with the trial.
fn noted(incident: &Incident) -> (String, String) {
    match incident {
        Incident::Cancelled { transactions } => (
            format!(
                "{transactions} transactions were still running 5 s after the end of the load; they were cancelled"
            ),
            "what does not end is in no figure of the latency: measure longer, or set statement_timeout".to_owned(),
        ),
        Incident::StepOmitted { statement, why } => (
            format!("{statement} was left out: {why}"),
            "trials of this workload start less alike; use a role that may, or tables that pgdyno makes".to_owned(),
        ),
        Incident::LedgerUnchecked { why } => (
            format!("the acknowledged commits of its ledger were not looked for: {why}"),
            "whether any is lost is not known of this trial; look into the server's log, and measure it again"
                .to_owned(),
        ),
        Incident::NotRestored { changed: KernelValue { name, set, .. }, why: Unrestored::ChangedMeanwhile(found) } => (
            format!("sysctl {name} was set to {set}, and somebody else changed it during the trial: {found}"),
            "part of the trial was measured with another value: keep what sets it away from the machine meanwhile"
                .to_owned(),
        ),
        Incident::NotRestored { changed: KernelValue { name, set, before }, why: Unrestored::Failed(error) } => (
            format!("sysctl {name} was set to {set} and could not be set back to {before}: {error}"),
            "what was measured afterwards may have been measured with that value; `pgdyno restore` tries it again"
                .to_owned(),
        ),
        Incident::PodLost { said } => (
            said.clone(),
            "unless the plan made it happen, the trial is not compared: its load met a server that was ended; see to the \
             reason if it happens again"
                .to_owned(),
        ),
        Incident::PodUnseen { why } => (
            format!("what became of the server's pod during the load is not known: {why}"),
            "a server that was ended would show as lost connections; look at its pod's events".to_owned(),
        ),
    }
}

fn found_in_cache(wanted: Cache, found: &CacheFound) -> String {
    let mib = |bytes: f64| format!("{:.1} MiB", bytes / 1_048_576.0);
    match found {
        CacheFound::NoSecond => "there was no second to verify it by".to_owned(),
        CacheFound::Gap(gap) => format!("it could not be verified ({gap})"),
        CacheFound::Reads { seconds, missed_bytes, asked_bytes, disk_bytes } => {
            let (missed, asked, disk) = (mib(*missed_bytes), mib(*asked_bytes), mib(*disk_bytes));
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
fn waited(busiest_thread: f64, demand: Option<f64>) -> String {
    match demand {
        Some(demand) if demand - busiest_thread >= 0.01 => {
            format!(" and waited for one for {} of it", units::percent(demand - busiest_thread))
        }
        Some(_) | None => String::new(),
    }
}
