//! Delays of a known size and place: the time budgets must show them there.

use std::time::Duration;

use crate::case::{Case, Expected, Prepared};
use crate::injury::group::Group;
use crate::plan::pair;
use crate::said::Said;
use crate::server::Server;
use crate::site::Site;
use testbed::DelayProxy;

/// Every one.
pub fn all() -> Vec<Case> {
    let case = |name, needs_root, check, prepare| Case { name, expected: Expected::Budget(check), needs_root, prepare };
    vec![
        case("2 ms more on the route", false, on_the_path, path),
        case("CPU quota of a quarter of a CPU, beside none", true, waiting_for_a_cpu, quota),
    ]
}

/// Selects by primary key on tables that are there.
const SELECT: &str = "{ builtin: select-only, scale: 1, data: existing }";

/// What the plans call the two sides.
const BASELINE: &str = "baseline";
const DELAYED: &str = "delayed";

/// In each direction. Both sides are delayed by the same program, so that what it takes itself is no difference: they
/// differ by 2 ms in a round trip and nothing else.
const DELAYS: [Duration; 2] = [Duration::from_micros(500), Duration::from_micros(1500)];

fn path(site: &Site) -> Prepared {
    let server = Server::start(site, "");
    server.fill(1);
    let [near, far] = DELAYS.map(|delay| DelayProxy::start_proxy(server.tcp_port(), delay));
    let [near, far] = [near, far].map(|proxy| Server::at(proxy.listening_port(), ""));
    Prepared { plan: pair([(BASELINE, &near), (DELAYED, &far)], SELECT, 1), held: vec![Box::new(server)] }
}

fn on_the_path(said: &Said) -> Result<String, String> {
    let (outside_ms, all_ms) = (said.more_ms(DELAYED, BASELINE, "outside the server"), more_ms(said));
    let words = format!("{outside_ms:.2} ms more outside the server, of {all_ms:.2} ms");
    if (1.8..=2.2).contains(&outside_ms) { Ok(words) } else { Err(words) }
}

fn quota(site: &Site) -> Prepared {
    let [free, held_back] = [(); 2].map(|()| Server::start(site, ""));
    free.fill(1);
    held_back.fill(1);
    let group = Group::with_cpus(site, 0.25);
    group.hold(&held_back);
    let plan = pair([(BASELINE, &free.local()), (DELAYED, &held_back.local())], SELECT, 2);
    Prepared { plan, held: vec![Box::new(free), Box::new(held_back), Box::new(group)] }
}

fn waiting_for_a_cpu(said: &Said) -> Result<String, String> {
    let (waiting_ms, all_ms) = (said.more_ms(DELAYED, BASELINE, "waiting for a CPU"), more_ms(said));
    let words = format!("{waiting_ms:.3} ms more waiting for a CPU, of {all_ms:.3} ms");
    if waiting_ms > 0.5 * all_ms { Ok(words) } else { Err(words) }
}

fn more_ms(said: &Said) -> f64 {
    said.more_ms(DELAYED, BASELINE, "")
}
