//! A slower network between the load and a server: a queueing discipline at both ends of the veth pair.

use std::process::Command;

use super::program::{program_command, run_command};
use crate::local::failure::Failure;
use crate::local::route::NetworkLimits;

/// What the layer is called in errors.
pub(super) const LAYER: &str = "a limit of the network";

/// The least amount of bytes that passes at once: packets of a veth pair may have 64 kB.
const BURST_BYTES_MIN: u64 = 128 << 10;

/// The discipline of one end, in the words of tc(8), its kind first; none without a limit.
fn discipline_in_words(limits: NetworkLimits) -> Option<Vec<String>> {
    let rate = limits.bytes_per_s.map(|bytes| format!("{}bit", bytes * 8));
    let words = match (limits.added_us, rate) {
        (None, None) => return None,
        // Half of the time of a round trip in each direction.
        (Some(added_us), rate) => {
            let mut words = vec!["netem".to_owned(), "limit".to_owned(), "100000".to_owned()];
            words.extend(["delay".to_owned(), format!("{}us", added_us / 2)]);
            words.extend(rate.into_iter().flat_map(|rate| ["rate".to_owned(), rate]));
            words
        }
        (None, Some(rate)) => {
            // The kernel lets pass what has been saved up, at least once per tick of its clock.
            let burst = limits.bytes_per_s.unwrap_or_default() / 100;
            let burst = burst.max(BURST_BYTES_MIN).to_string();
            ["tbf", "rate", &rate, "burst", &burst, "latency", "200ms"].map(str::to_owned).to_vec()
        }
    };
    Some(words)
}

/// Gives a device this discipline and reads it back; `enter` makes a command that runs tc where the device is.
pub(super) fn limit_device(
    limits: NetworkLimits,
    device: &str,
    enter: impl Fn() -> Result<Command, Failure>,
) -> Result<(), Failure> {
    let Some(words) = discipline_in_words(limits) else { return Ok(()) };
    let kind = words[0].clone();
    let added = run_command(enter()?.args(["qdisc", "add", "dev", device, "root"]).args(&words));
    added.map_err(|failure| match failure {
        Failure::System { why, .. } => Failure::NoNetworkLimit { kind: kind.clone(), why },
        other => other,
    })?;
    let shown = enter()?.args(["qdisc", "show", "dev", device]).output();
    let shown = shown.map_err(Failure::system_call_failed(format!("read the queueing discipline of {device}")))?;
    let text = String::from_utf8_lossy(&shown.stdout);
    if text.contains(&format!("qdisc {kind} ")) {
        return Ok(());
    }
    Err(Failure::NoNetworkLimit { kind, why: format!("{device} has {}", text.trim()) })
}

/// tc on this side of the pair.
pub(super) fn tc_here() -> Result<Command, Failure> {
    program_command("tc", "iproute2", LAYER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_round_trip_is_added_at_each_end() {
        let words = |added_us, bytes_per_s| {
            discipline_in_words(NetworkLimits { added_us, bytes_per_s }).map(|words| words.join(" "))
        };
        assert_eq!(words(None, None), None);
        assert_eq!(words(Some(1000), None).as_deref(), Some("netem limit 100000 delay 500us"));
        let both = "netem limit 100000 delay 2500us rate 80000000bit";
        assert_eq!(words(Some(5000), Some(10_000_000)).as_deref(), Some(both));
        let slow = "tbf rate 8000000bit burst 131072 latency 200ms";
        assert_eq!(words(None, Some(1_000_000)).as_deref(), Some(slow));
        let fast = "tbf rate 8000000000bit burst 10000000 latency 200ms";
        assert_eq!(words(None, Some(1_000_000_000)).as_deref(), Some(fast));
    }
}
