//! The ways to local servers as a plan has them, in the words of the crate that builds them.

use plan::{Cpus, Plan, PoolMode, Reach, ServerStep, Target, Via, Way, WordChoice as _};
use server::{Environment, LoadRoute, Pooling, RouteEntry, RouteLayers};

use problem::Problem;

use super::limits::network_limits;

/// Refuses ways that only root can build, by the names of all targets that have one, before anything is started.
pub(super) fn check_root_routes(plan: &Plan, environment: &Environment) -> Result<(), Problem> {
    if environment.is_root() {
        return Ok(());
    }
    let named = plan.targets.iter().filter_map(|target| {
        let way = target.reach.way_to_server().filter(|way| way.steps_for_way().iter().any(ServerStep::needs_root))?;
        let cpus = way.cpus.map(|cpus| format!("cpus: {cpus}"));
        let via = route_of_way(way).entry.in_namespace().then(|| format!("via: {}", way.via.as_word()));
        let keys: Vec<String> = via.into_iter().chain(cpus).collect();
        Some(format!("{} ({})", target.name, keys.join(", ")))
    });
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        return Ok(());
    }
    Err(Problem::could_not_measure(format!("only root can build the route to: {}", named.join(", ")))
        .detail("network namespaces and CPU limits require the privileges of root")
        .hint("run pgdyno as root, or remove these from `targets` and `ladder`; the other targets need no root"))
}

/// The way to a server that pgdyno starts.
pub(super) fn route_of_way(way: Way) -> LoadRoute {
    let entry = match way.via {
        Via::Unix => RouteEntry::Unix,
        Via::Tcp => RouteEntry::Tcp,
        Via::Veth => RouteEntry::Veth,
        Via::Service => RouteEntry::Service,
    };
    LoadRoute { entry, tls: way.tls, pgbouncer: way.pgbouncer }
}

/// The limit of the server's CPUs while this way is measured.
pub(super) fn cpu_limit_of_way(way: Way) -> Option<f64> {
    way.cpus.map(Cpus::cpu_count)
}

/// What must be built beside the server of a local target: for its own way and for those of the targets that share it.
pub(super) fn layers_of_target(plan: &Plan, owner: &str) -> RouteLayers {
    let reaches_it = |target: &&Target| target.name == owner || target.reach.server_of() == Some(owner);
    let steps = plan.targets.iter().filter(reaches_it).flat_map(Target::server_steps);
    let pooling = match plan.target_by_name(owner).map(|target| &target.reach) {
        Some(Reach::Local(local)) => local.pooling.map(pooling_of_plan).unwrap_or_default(),
        Some(Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_)) | None => Pooling::default(),
    };
    let limits = plan.target_by_name(owner).and_then(|target| target.machine.limits.as_ref());
    let network = limits.map(network_limits).unwrap_or_default();
    steps.fold(RouteLayers { pooling, network, ..RouteLayers::default() }, |layers, step| match step {
        ServerStep::Download(_)
        | ServerStep::RunPrograms(_)
        | ServerStep::Start { .. }
        | ServerStep::Wal(_)
        | ServerStep::Standby(_) => layers,
        ServerStep::Certificate => RouteLayers { tls: true, ..layers },
        ServerStep::Namespace | ServerStep::Dnat => RouteLayers { namespace: true, ..layers },
        ServerStep::Pooler => RouteLayers { pgbouncer: true, ..layers },
        ServerStep::CpuGroup => RouteLayers { cpu_group: true, ..layers },
    })
}

/// How a PgBouncer lends connections, in the words of the crate that starts it.
fn pooling_of_plan(plan::Pooling { mode, size, max_prepared_statements }: plan::Pooling) -> Pooling {
    let for_a_transaction = mode.map(|mode| match mode {
        PoolMode::Session => false,
        PoolMode::Transaction => true,
    });
    Pooling { for_a_transaction, size, max_prepared_statements }
}
