//! What is done outside the servers: control groups, programs beside them, and the loopback interface of the lab's own
//! network namespace. All of it ends with its owner.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::Pid;
use testbed::{Kept, Postgres, Signal, as_postgres, killable_program, newest_version, run_command};

use crate::leftovers::PREFIX;

/// The hierarchies of control groups, version 1.
const HIERARCHIES: &str = "/sys/fs/cgroup";

/// How often a group is removed in vain while its last members end.
const ATTEMPTS: usize = 100;

/// A control group that holds a server.
pub struct Group {
    path: PathBuf,
}

impl Group {
    /// Makes one in a hierarchy, sets a file of it, and moves the server's processes there.
    pub fn with_server(hierarchy: &str, file: &str, value: &str, server: &Postgres) -> Self {
        let path = Path::new(HIERARCHIES).join(hierarchy).join(group_name(server));
        fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let group = Self { path };
        let file = group.path.join(file);
        fs::write(&file, value).unwrap_or_else(|error| panic!("{}: {value}: {error}", file.display()));
        for process in server.process_ids() {
            // One of them may have ended meanwhile.
            let _moved = fs::write(group.path.join("cgroup.procs"), process.as_raw_nonzero().to_string());
        }
        group
    }
}

/// A name that no other server's group has.
fn group_name(server: &Postgres) -> String {
    let directory = server.server_directory().file_name().expect("a name").to_string_lossy();
    format!("{PREFIX}{directory}")
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..ATTEMPTS {
            if fs::remove_dir(&self.path).is_ok() || !self.path.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        eprintln!("could not remove {}", self.path.display());
    }
}

/// The disk of a directory as `blkio` names it.
pub fn device_of(directory: &Path) -> String {
    let device = fs::metadata(directory).expect("a directory").dev();
    format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device))
}

/// Computes nearly all the time: without the pauses a server of the smallest share would answer nobody.
const HOG: &str = "while :; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 0.003; done";

/// A program that computes, until it is dropped.
pub fn start_hog(cpu: Option<u64>, nice: u64) -> Kept {
    let mut hog = killable_program("nice");
    hog.args(["-n", &nice.to_string()]);
    if let Some(cpu) = cpu {
        hog.args(["taskset", "-c", &cpu.to_string()]);
    }
    hog.args(["sh", "-c", HOG]);
    Kept::start_command(&mut hog, Signal::KILL)
}

/// One of PostgreSQL's programs for clients, started again if so asked.
pub fn start_program(server: &Postgres, name: &str, arguments: &[String], again: bool) -> Kept {
    let received = server.server_directory().join("received");
    fs::create_dir_all(&received).expect("a directory");
    testbed::give_to_postgres(&received);
    let mut shell = as_postgres("sh");
    let script = if again { "while :; do \"$@\"; sleep 0.1; done" } else { "exec \"$@\"" };
    shell.args(["-c", script, "sh"]).arg(newest_version().join(name)).arg("--host").arg(server.server_directory());
    shell.arg(format!("--port={}", server.tcp_port())).arg("--username=postgres");
    for argument in arguments {
        shell.arg(argument.replace("RECEIVED", &received.display().to_string()));
    }
    Kept::start_command(shell.stdout(Stdio::null()).stderr(Stdio::null()), Signal::KILL)
}

/// Changes the priority of a server and of the sessions that it is going to have.
pub fn renice(server: &Postgres, nice: u64) {
    for process in server.process_ids() {
        change_process(killable_program("renice").args(["-n", &nice.to_string(), "-p"]), process);
    }
}

/// Confines a server and its sessions to one CPU.
pub fn confine(server: &Postgres, cpu: u64) {
    for process in server.process_ids() {
        change_process(killable_program("taskset").args(["-c", "-p", &cpu.to_string()]), process);
    }
}

/// Changes a process by a command whose last argument is its number, unless it has ended.
fn change_process(command: &mut Command, process: Pid) {
    let number = process.as_raw_nonzero().to_string();
    let output = command.arg(&number).output().expect("the command starts");
    let has_ended = !Path::new("/proc").join(&number).exists();
    assert!(output.status.success() || has_ended, "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Packets that are lost, until it is dropped.
pub struct Loss {
    rule: Vec<String>,
}

impl Loss {
    /// Loses some of the packets that are sent from a port over the loopback interface.
    pub fn from_port(port: u16, per_mille: u64) -> Self {
        let rule = format!(
            "OUTPUT -o lo -p tcp --sport {port} -m statistic --mode random --probability 0.{per_mille:03} -j DROP"
        );
        let rule: Vec<String> = rule.split(' ').map(str::to_owned).collect();
        run_command(killable_program("iptables").args(["-w", "-A"]).args(&rule));
        Self { rule }
    }
}

impl Drop for Loss {
    fn drop(&mut self) {
        run_command(killable_program("iptables").args(["-w", "-D"]).args(&self.rule));
    }
}

/// The address whose packets can be small.
pub const SMALL: &str = "127.0.0.2";

/// The size of packets to and from [`SMALL`], until it is dropped.
pub struct Mtu;

impl Mtu {
    /// Sets it.
    pub fn of_bytes(bytes: u64) -> Self {
        let mtu = bytes.to_string();
        run_command(
            killable_program("ip").args(["route", "add", "table", "local", "local", SMALL, "dev", "lo", "mtu", &mtu]),
        );
        Self
    }
}

impl Drop for Mtu {
    fn drop(&mut self) {
        run_command(killable_program("ip").args(["route", "del", "table", "local", "local", SMALL, "dev", "lo"]));
    }
}

/// A PgBouncer before a server, which pools transactions.
pub struct Pooler {
    port: u16,
    _process: Kept,
}

impl Pooler {
    /// Starts one with so many connections to the server, and waits until it listens.
    pub fn start(server: &Postgres, size: u64) -> Self {
        let port = testbed::free_port();
        let users = server.write_file("users.txt", "\"postgres\" \"\"\n\"loader\" \"\"\n");
        let ini = format!(
            "[databases]\napp = host={} port={} dbname=app\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = transaction\ndefault_pool_size = {size}\nadmin_users = postgres\n\
             stats_users = postgres\nignore_startup_parameters = extra_float_digits,options\nlogfile = {}/pooler.log\n",
            server.server_directory().display(),
            server.tcp_port(),
            users.display(),
            server.server_directory().display()
        );
        let file = server.write_file("pooler.ini", &ini);
        let mut pooler = as_postgres("pgbouncer");
        let process =
            Kept::start_command(pooler.arg("-q").arg(file).stdout(Stdio::null()).stderr(Stdio::null()), Signal::KILL);
        for _ in 0..ATTEMPTS {
            if std::net::TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, port)).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { port, _process: process }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }
}
