//! Where `bench` connects: pgbench's options as what libpq makes of them.

use std::collections::BTreeMap;

use conninfo::Secret;
use server::{Environment, FoundSpec, PostgresSpec, Target};

use crate::cli::BenchArgs;
use crate::command::run;
use problem::Problem;

/// Reaches the server that the options name.
pub(super) async fn connect_to_target(arguments: &BenchArgs) -> Result<Target, Problem> {
    let mut environment = Environment::of_this_process(run::own_executable());
    // As with libpq, a connection string in place of the database's name wins over the options, and those over the
    // environment.
    environment.variables.extend(connection_options(arguments).map(|(variable, value)| (variable.to_owned(), value)));
    let spec = PostgresSpec::Url(FoundSpec { conninfo: Secret::new(connection_string(arguments)), agent: None });
    server::acquire_target("server", &spec, &BTreeMap::new(), &environment, &mut |_| {}).await.map_err(Problem::from)
}

/// The options with the variables that stand for them.
fn connection_options(arguments: &BenchArgs) -> impl Iterator<Item = (&'static str, String)> {
    let options = [
        ("PGHOST", arguments.host.clone()),
        ("PGPORT", arguments.port.map(|port| port.to_string())),
        ("PGUSER", arguments.username.clone()),
    ];
    options.into_iter().filter_map(|(variable, value)| Some((variable, value?)))
}

/// The database as a connection string, which its name may be itself.
fn connection_string(arguments: &BenchArgs) -> String {
    match arguments.dbname.as_deref().or(arguments.database.as_deref()) {
        Some(text) if text.starts_with("postgres://") || text.starts_with("postgresql://") => text.to_owned(),
        Some(text) if text.contains('=') => text.to_owned(),
        Some(name) => format!("dbname='{}'", name.replace('\\', "\\\\").replace('\'', "\\'")),
        None => String::new(),
    }
}
