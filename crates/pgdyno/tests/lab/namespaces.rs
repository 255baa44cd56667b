//! The lab runs in namespaces of its own, so that the kernel takes its mounts, loop devices, firewall rules and
//! processes away with it, however it ends. What namespaces do not hold, control groups and sysctls, is in `leftovers`.

use std::process::{ExitCode, Stdio};

/// Set within the namespaces.
const INSIDE: &str = "PGDYNO_LAB_INSIDE";

/// Whether this process is root.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Whether this process is in the namespaces.
pub fn inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Starts this program again with the same arguments in mount, network and process namespaces of its own, and waits for
/// its end. A signal that asks this process to end ends everything in them.
pub fn enter() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminated = signal(SignalKind::terminate()).expect("a handler");
        let mut child = command().spawn().expect("unshare (util-linux) starts");
        tokio::select! {
            status = child.wait() => match status.expect("a child").code() {
                Some(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
                None => ExitCode::FAILURE,
            },
            _ = tokio::signal::ctrl_c() => end(&mut child).await,
            _ = terminated.recv() => end(&mut child).await,
        }
    })
}

async fn end(child: &mut tokio::process::Child) -> ExitCode {
    let _ended_already = child.kill().await;
    ExitCode::FAILURE
}

/// A shell brings the loopback interface up and stays as the first process, which adopts orphans.
fn command() -> tokio::process::Command {
    let mut command = tokio::process::Command::new("setpriv");
    command.args(["--pdeathsig=KILL", "--", "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child"]);
    command.args(["--mount-proc", "--", "sh", "-c", "ip link set lo up && \"$@\"; exit $?", "sh"]);
    command.arg(std::env::current_exe().expect("this program")).args(std::env::args_os().skip(1));
    // A group of its own: what the terminal sends, this process decides about.
    command.env(INSIDE, "1").stdin(Stdio::null()).process_group(0).kill_on_drop(true);
    command
}
