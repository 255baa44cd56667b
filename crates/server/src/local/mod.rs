//! Servers on this machine, started for the experiment and gone with it.

mod account;
mod cluster;
pub(crate) mod conf;
mod die_with_parent;
mod directories;
mod failure;
mod layers;
mod lifeline;
mod log_tail;
pub(crate) mod login;
pub(crate) mod orphans;
pub(crate) mod programs;
mod protocol;
pub(crate) mod route;
mod spec;
mod supervised;
mod supervision;
mod supervisor;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use failure::Failure;
pub(crate) use layers::limit;
pub use route::{Entry, Layers, Route};
pub use spec::{Initdb, LocalSpec, Source};
pub use supervised::ServerView;
pub(crate) use supervised::{Stage, Supervised};
pub use supervisor::{SUPERVISE_ARGUMENT, supervise};

use crate::environment::Environment;
use programs::Programs;

/// How long a server may take until it accepts connections.
const START_TIMEOUT_S: u64 = 60;

/// Variables that the server's processes keep from this process.
const VARIABLES: &[&str] = &["PATH", "LD_LIBRARY_PATH", "TZ"];

/// Starts a server.
pub(crate) async fn start(
    spec: &LocalSpec,
    programs: Programs,
    settings: BTreeMap<String, String>,
    verifier: String,
    environment: &Environment,
    on_stage: &mut (dyn FnMut(Stage) + Send),
) -> Result<Supervised, Failure> {
    let absolute = |path: &PathBuf| std::path::absolute(path);
    let data_directory = spec.data_directory.as_ref().map(absolute).transpose();
    let mut variables: BTreeMap<String, String> =
        VARIABLES.iter().filter_map(|&name| Some((name.to_owned(), environment.var(name)?.to_owned()))).collect();
    variables.insert("LC_ALL".to_owned(), "C".to_owned());
    let start = protocol::Start {
        bin: programs.directory,
        major: programs.major,
        initdb: spec.initdb.clone(),
        settings,
        account: account::choose(environment),
        data_directory: data_directory.map_err(Failure::system("find the current directory"))?,
        data_parent: environment.data_parent(),
        keep: spec.keep,
        start_timeout_s: START_TIMEOUT_S,
        variables,
        layers: spec.layers,
        verifier,
    };
    Supervised::start(&environment.executable, start, on_stage).await
}
