//! Whether the route to the servers is what a benchmark compares, as its sides are named and as it says.

use crate::audit::material::{Material, lowercase_words};

/// Words of names and of what may differ by which the way to the server, or what a read does there, is compared.
pub(super) const OF_ROUTES: [&str; 26] = [
    "route",
    "network",
    "direct",
    "proxy",
    "haproxy",
    "pooler",
    "poolers",
    "pool",
    "pgbouncer",
    "odyssey",
    "pgcat",
    "pgpool",
    "tls",
    "ssl",
    "socket",
    "unix",
    "tcp",
    "balancer",
    "zone",
    "region",
    "remote",
    "lan",
    "wan",
    "storage",
    "disk",
    "partitioned",
];

/// Whether a side, or what may differ, is named for a route.
pub(super) fn are_compared(material: &Material) -> bool {
    let names = material.sides.iter().map(|side| &side.name).chain(&material.design.may_differ);
    names.flat_map(|name| lowercase_words(name)).any(|word| OF_ROUTES.contains(&word.as_str()))
}
