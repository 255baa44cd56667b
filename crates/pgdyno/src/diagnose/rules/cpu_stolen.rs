//! `cpu-stolen`: the hypervisor gave the CPUs of the server's virtual machine to somebody else.

use crate::diagnose::case::Case;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{Amount, Confidence, Cost, Found, Kind, figure};
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::Drawn;

/// The rule.
pub const RULE: Rule = Rule {
    name: "cpu-stolen",
    finds: "The hypervisor withholds CPU time from the server's virtual machine (steal).",
    why: "The machine is not as large as it says: it shares its CPUs, or has used up its credit; figures change with the neighbours.",
    look,
};

/// From this share of the CPU time that the machine wanted on: on an idle host steal is around 1 %, from rounding and the
/// hypervisor's own work.
const STOLEN: f64 = 0.05;

fn look(case: &Case<'_>) -> Looked {
    let stolen = case.share_of_cpus(&["steal_us"])?;
    let wanted = case.cpu_busy()?;
    if wanted == 0.0 || stolen / wanted < STOLEN {
        return Ok(None);
    }
    let share = stolen / wanted;
    let windows = case.all_the_time();
    Ok(Some(Found {
        title: "the hypervisor gives the server's CPUs to others".to_owned(),
        kind: Kind::Problem,
        confidence: Confidence::High,
        cost: Cost::Throughput { share },
        figures: vec![
            figure("CPU time stolen, of that which was wanted", Amount::Share(share)),
            figure("CPU time stolen, of all", Amount::Share(stolen)),
        ],
        chart: case.chart(&windows, &[Drawn::rate("host.cpu", "steal_us", "CPUs stolen", "CPUs", 1e-6)]),
        windows,
        would_disprove: "the same throughput on a machine of this size whose steal is 0".to_owned(),
        confirm: Confirm::again(
            case,
            "move the server to dedicated CPUs, run this plan, and compare: steal is 0 and throughput higher",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn steal_is_found_with_its_share_of_what_was_wanted() {
        let stolen = Built::healthy().with(|cell| cell.probe("host.cpu", &[("steal_us", 0.4e6), ("idle_us", 1.9e6)]));
        assert_eq!(stolen.finds(&RULE).cost, Cost::Throughput { share: 0.2 });
    }

    #[test]
    fn a_little_steal_is_not() {
        Built::healthy().with(|cell| cell.probe("host.cpu", &[("steal_us", 0.02e6)])).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_hosts_figures_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.cpu", "no /proc"));
        assert_eq!(built.lacks(&RULE), "host.cpu the time of the CPUs: no /proc");
    }
}
