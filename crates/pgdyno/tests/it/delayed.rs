//! One server measured directly and through a proxy that delays every byte: what the tests of the budget and of the
//! diagnosis know the cause of.

use std::time::Duration;

use crate::lab::Lab;
use crate::process::Ended;
use testbed::DelayProxy;
use testbed::Postgres;

/// In each direction; far above what a busy machine adds by itself.
pub const DELAY: Duration = Duration::from_millis(50);

/// Runs the comparison of both ways, with its report as JSON.
pub fn run(lab: &Lab) -> Ended {
    let server = Postgres::start();
    let proxy = DelayProxy::start(server.port(), DELAY);
    let delayed = server.url().replace(&server.port().to_string(), &proxy.port().to_string());
    lab.write(
        "plan.yaml",
        format!(
            "name: A delay\ntargets:\n  near: {{ url: \"{}\" }}\n  far: {{ url: \"{delayed}\" }}\nbaseline: near\n\
             may_differ: [path]\nworkloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
             trial: {{ warm_up: 1s, measure: 4s }}\nblocks: {{ at_least: 2, at_most: 2 }}\n",
            server.url()
        ),
    );
    let ended = lab.pgdyno("run plan.yaml --json");
    ended.measured();
    ended
}
