//! One server measured directly and through a proxy that delays every byte: what the tests of the budget and of the
//! diagnosis know the cause of.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;
use testbed::{DelayProxy, Postgres};

use crate::lab::Lab;

/// In each direction; far above what a busy machine adds by itself.
pub const DELAY: Duration = Duration::from_millis(50);

/// The report of the comparison of both ways, which is run once for all tests. Three blocks: of two, a busy machine's
/// noise can leave the interval of a difference of 100 ms open.
pub static REPORT: LazyLock<Value> = LazyLock::new(|| {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let proxy = DelayProxy::start_proxy(server.tcp_port(), DELAY);
    let delayed = server.tcp_url().replace(&server.tcp_port().to_string(), &proxy.listening_port().to_string());
    lab.write(
        "plan.yaml",
        format!(
            "name: A delay\ntargets:\n  near: {{ url: \"{}\" }}\n  far: {{ url: \"{delayed}\" }}\nbaseline: near\n\
             may_differ: [route]\nworkloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
             trial: {{ warm_up: 1s, measure: 3s }}\nblocks: {{ at_least: 3, at_most: 3 }}\n",
            server.tcp_url()
        ),
    );
    let ended = lab.pgdyno("run plan.yaml --json");
    ended.measured().json()
});
