//! `run --serve`: the page of a run, by a process beside it.
//!
//! It is `pgdyno serve` in a process group of its own, so that no Ctrl-C of the run reaches it, and it ends by itself
//! once nobody has looked for a while and the run is at rest, however that has ended. The port is taken before anything
//! is made, and handed to it: one that is in use keeps the run from beginning.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use results::store::RunDir;

use super::run::own_executable;
use super::serve::refused_to_serve;
use measure::progress::print_to_stderr;
use problem::Problem;

/// How long the page stays when nobody looks at it and the run is at rest.
const LINGER: &str = "10m";

/// The variables by which it finds the token; of whatever else stands in the environment, passwords too, it needs
/// nothing.
const NEEDED: [&str; 2] = ["HOME", "XDG_STATE_HOME"];

/// The port of a page, taken for a run that is yet to be made.
#[derive(Debug)]
pub(super) struct Port(TcpListener);

impl Port {
    /// Takes it; 0 is any that is free.
    pub(super) fn bind_port(port: u16) -> Result<Self, Problem> {
        let refused = |error| refused_to_serve(error).hint("choose another with --serve=PORT, or omit the port");
        serve::listen_on_address(IpAddr::V4(Ipv4Addr::LOCALHOST), port).map(Self).map_err(refused)
    }

    /// Starts the process that answers there, and says where to look.
    pub(super) fn serve_run_page(self, dir: &RunDir) -> Result<(), Problem> {
        let failed = |error: io::Error| page_start_problem(dir).detail(error.to_string());
        let path = fs::canonicalize(dir.path()).map_err(failed)?;
        let mut process = self.start_server_process(&path).map_err(failed)?;
        let address = read_printed_address(&mut process).map_err(failed)?;
        print_to_stderr(&format!(
            "serving the run at {address} (process {}; exits after {LINGER} without a request and without a run in progress)",
            process.id()
        ));
        Ok(())
    }

    fn start_server_process(self, run: &Path) -> io::Result<Child> {
        let mut command = Command::new(own_executable());
        command.arg0("pgdyno").args(["serve", "--on-standard-input", "--linger", LINGER]).arg(run).current_dir("/");
        command.env_clear().envs(NEEDED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        // Nothing of it may keep the pipe open that the run's own output may go to.
        command.stdin(OwnedFd::from(self.0)).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        command.spawn()
    }
}

fn page_start_problem(dir: &RunDir) -> Problem {
    let show = format!("`pgdyno serve {}` in another terminal also shows the run", dir.path().display());
    Problem::could_not_measure("could not start the process that serves the page").hint(show)
}

/// The address that it prints once it is there.
fn read_printed_address(process: &mut Child) -> io::Result<String> {
    let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
    let mut line = String::new();
    BufReader::new(stdout.expect("it is a pipe")).read_line(&mut line)?;
    if line.is_empty() {
        stderr.expect("it is a pipe").read_to_string(&mut line)?;
        process.wait()?;
        return Err(io::Error::other(line));
    }
    Ok(line.trim_end().to_owned())
}
