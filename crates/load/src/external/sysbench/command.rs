//! The command line of a run of sysbench.

use super::{SysbenchJob, Tool};
use crate::extent::JobExtent;
use crate::external::error::ExternalError;
use crate::external::login;
use crate::external::program::InstalledTool;
use std::process::Command;

/// The command with its environment: sysbench passes an empty password on to libpq, which then looks there.
pub(super) fn sysbench_command(program: &InstalledTool, job: &SysbenchJob, arguments: &[String]) -> Command {
    let mut command = Command::new(&program.path);
    command.args(arguments);
    login::set_libpq_environment(&mut command, &job.server);
    command
}

/// The arguments that run `job` for `length`.
pub(super) fn sysbench_arguments(job: &SysbenchJob, length: JobExtent) -> Result<Vec<String>, ExternalError> {
    let seconds = match length {
        JobExtent::Time(length) if length.subsec_nanos() == 0 => length.as_secs(),
        JobExtent::Time(_) | JobExtent::Transactions(_) => {
            let what = "run for a fraction of a second".to_owned();
            return Err(ExternalError::Unsupported { tool: Tool::Sysbench, what });
        }
    };
    let (host, port) = job.server.host_and_port();
    let mut arguments = vec![job.script.clone(), "--db-driver=pgsql".to_owned()];
    let mut add = |name: &str, value: &str| arguments.push(format!("--{name}={value}"));
    add("pgsql-host", &host);
    add("pgsql-port", &port);
    add("pgsql-user", &job.server.user);
    add("pgsql-db", &job.server.dbname);
    add("threads", &job.threads.to_string());
    add("time", &seconds.to_string());
    // Else a run would end after the default number of events of an older version.
    add("events", "0");
    add("rate", &job.rate.map_or(0, std::num::NonZeroU32::get).to_string());
    add("rand-seed", &job.seed.to_string());
    add("report-interval", "1");
    add("histogram", "on");
    for (name, value) in &job.options {
        add(name, value);
    }
    arguments.push("run".to_owned());
    Ok(arguments)
}
