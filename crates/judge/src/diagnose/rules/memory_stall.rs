//! `memory-stall`: the machine or the server's control group has too little memory, and tasks wait until some is found.

use crate::diagnose::case::Case;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{Amount, Confidence, Cost, Found, Kind, figure};
use crate::diagnose::quantity::{Measure, Unit};
use crate::diagnose::rule::{Looked, Missing, Rule};
use crate::diagnose::seconds::Drawn;
use crate::diagnose::spent::is_wait;

/// The rule.
pub(super) const RULE: Rule = Rule {
    name: "memory-stall",
    finds: "Tasks wait for memory: the kernel has to reclaim, swap or kill before it can give them any.",
    why: "Whatever a session needs memory for waits, at any point of a transaction; give the host or the group more memory, or the \
          server less of it to use (shared_buffers, work_mem, connections).",
    measure: Measure::Figure { name: "time in which some task waited for memory", unit: Unit::Share, of: pressure },
    look,
};

/// Share of the time in which some task waited for memory.
fn pressure(case: &Case<'_>) -> Result<f64, Missing> {
    case.has_its_host_to_itself("host.pressure of this side alone")?;
    Ok(case.rate("host.pressure", "memory_some_us")? / 1e6)
}

/// Share of the time in which some task waited for memory, from which on it is felt. Pressure of a healthy machine is
/// far below a hundredth; a tenth is where the kernel's documentation of PSI sees a loss of
/// throughput that a monitor should tell.
const PRESSURE: f64 = 0.1;

/// Share of what is read from the disk that had been in memory shortly before (refaults, as the kernel counts them),
/// from which on the waits for the disk are waits for memory: with enough of it most of the reads would not have been.
const REREAD: f64 = 0.5;

/// A page of memory nearly everywhere; some ARM machines have larger ones, of which less is counted here than was read.
const PAGE_BYTES: f64 = 4096.0;

fn look(case: &Case<'_>) -> Looked {
    let some = case.rate("host.pressure", "memory_some_us")? / 1e6;
    // A kernel that does not count them leaves the pressure to tell.
    let kills = case.total("host.vm", "out_of_memory_kills").ok().filter(|kills| *kills >= 1.0);
    if some < PRESSURE && kills.is_none() {
        return Ok(None);
    }
    case.has_its_host_to_itself("host.pressure of this side alone")?;
    let mut figures = vec![figure("time in which some task waited for memory", Amount::Share(some))];
    for (probe, field, name) in [
        ("host.vm", "pages_reclaimed_direct", "pages that tasks had to reclaim themselves"),
        ("host.vm", "pages_refaulted", "pages that were read again soon after they had been given up"),
        ("host.vm", "pages_swapped_in", "pages swapped in"),
        ("host.cgroup", "memory_max_events", "times that the group was at its limit"),
    ] {
        if let Ok(per_s) = case.rate(probe, field).map(|per_s| per_s.max(0.0))
            && per_s > 0.0
        {
            figures.push(figure(format!("{name}, per second"), Amount::PerS(per_s)));
        }
    }
    if let Some(kills) = kills {
        figures.push(figure("processes killed for their memory", Amount::Count(kills)));
    }
    if let Ok(level) = case.level("host.memory", "available_bytes") {
        figures.push(figure("memory available on the host", Amount::Bytes(level)));
    }
    let reread = reread(case);
    figures.extend(
        reread.map(|share| figure("of the bytes read from the disk, those read again", Amount::Share(share.min(1.0)))),
    );
    let felt = |us: f64| us / 1e6 >= PRESSURE;
    let windows = case.windows(|second| {
        second.rate("host.pressure", "memory_some_us").is_some_and(felt)
            || second.rate("host.vm", "out_of_memory_kills").is_some_and(|kills| kills > 0.0)
    });
    Ok(Some(Found {
        title: if kills.is_some() {
            "the kernel killed processes for want of memory".to_owned()
        } else {
            "tasks wait for memory".to_owned()
        },
        kind: Kind::Problem,
        confidence: Confidence::Medium,
        cost: match reread {
            Some(share) if share >= REREAD => case.cost_in(|part| is_wait(part, "IO")),
            // The kernel tells that tasks waited, not which of them.
            Some(_) | None => Cost::NotAttributable,
        },
        figures,
        chart: case.chart(
            &windows,
            &[
                Drawn::rate("host.pressure", "memory_some_us", "some task waits for memory", "s/s", 1e-6),
                Drawn::rate("host.vm", "pages_reclaimed_direct", "pages reclaimed by tasks", "/s", 1.0),
            ],
        ),
        windows,
        would_disprove: "the same throughput with more memory".to_owned(),
        confirm: Confirm::again(
            case,
            "give the host or the server's group more memory, run this plan, and compare: throughput rises",
        ),
        mend: None,
    }))
}

/// Share of the bytes read from the server's disk that had been in memory; none without figures of that disk.
fn reread(case: &Case<'_>) -> Option<f64> {
    let read = case.rate("host.disk", "read_bytes").ok().filter(|bytes| *bytes > 0.0)?;
    Some(case.rate("host.vm", "pages_refaulted").ok()? * PAGE_BYTES / read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn pressed(cell: Measurement, some_us: f64) -> Measurement {
        cell.probe("host.pressure", &[("memory_some_us", some_us)])
            .probe("host.vm", &[("pages_reclaimed_direct", 5000.0), ("out_of_memory_kills", 0.0)])
    }

    #[test]
    fn tasks_that_wait_for_memory_a_third_of_the_time_are_found() {
        let found = Built::healthy().with(|cell| pressed(cell, 330_000.0)).finds(&RULE);
        assert_eq!(found.figures[0].amount, Amount::Share(0.33));
    }

    #[test]
    fn a_killed_process_is_found_whatever_the_pressure() {
        let killed = |cell| pressed(cell, 0.0).probe("host.vm", &[("out_of_memory_kills", 1.0)]);
        let found = Built::healthy().with(killed).finds(&RULE);
        assert_eq!(found.title, "the kernel killed processes for want of memory");
    }

    /// Sessions that wait for reads of 4 MiB a second, of which so much is read again.
    fn rereading(cell: Measurement, share: f64) -> Measurement {
        let disk = [("reads", 512.0), ("read_bytes", 4_194_304.0)];
        let waiting = pressed(cell, 330_000.0).sees("active", Some("IO:DataFileRead"), 400).probe("host.disk", &disk);
        waiting.probe("host.vm", &[("pages_refaulted", share * 1024.0), ("out_of_memory_kills", 0.0)])
    }

    #[test]
    fn what_is_read_again_for_want_of_memory_costs_the_waits_for_the_disk() {
        let found = Built::healthy().with(|cell| rereading(cell, 0.9)).finds(&RULE);
        assert!(found.cost.share().is_some_and(|share| share > 0.5), "{:?}", found.cost);
        let found = Built::healthy().with(|cell| rereading(cell, 0.1)).finds(&RULE);
        assert_eq!(found.cost, Cost::NotAttributable);
    }

    #[test]
    fn of_rules_that_see_the_same_waits_the_cause_is_first() {
        let slow =
            [("read_time_us", 7_500_000.0), ("queue_time_us", 7_500_000.0), ("write_time_us", 0.0), ("writes", 0.0)];
        let slow = move |cell| {
            rereading(cell, 0.9)
                .probe("host.disk", &slow)
                .probe("host.disk", &[("written_bytes", 0.0), ("busy_us", 990_000.0)])
        };
        let names: Vec<&str> =
            Built::healthy().with(slow).diagnosis().findings.iter().map(|finding| finding.rule.name).collect();
        let place = |name| names.iter().position(|found| *found == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
        assert!(place("memory-stall") < place("disk-limit"), "{names:?}");
    }

    #[test]
    fn a_machine_that_reclaims_in_the_background_is_fine() {
        Built::healthy().with(|cell| pressed(cell, 4_000.0)).is_fine_for(&RULE);
    }

    #[test]
    fn a_kernel_without_pressure_information_leaves_it_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.pressure", "no such file"));
        assert_eq!(built.lacks(&RULE), "host.pressure memory_some_us: no such file");
    }
}
