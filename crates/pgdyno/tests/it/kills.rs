//! pgdyno, a supervisor or a server killed at random instants, again and again, and then counted: processes, shared
//! memory, directories. Nothing of it may be there.
//!
//! It counts all there is, so it runs in namespaces of its own: as process 1, with a `/tmp` and a `/dev/shm` that
//! nobody else uses. `PGDYNO_TEST_KILLS` says how often it kills (`make test-kills`: 100).

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::lab::{BRIEF, Lab};
use crate::process::Running;
use testbed::{await_ended, newest_version};

/// By which the test knows that it is in its namespaces.
const INSIDE: &str = "PGDYNO_TEST_KILLS_INSIDE";

/// Which random instants, so that they can be had again.
const SEED: &str = "PGDYNO_TEST_KILLS_SEED";

/// How long what was not killed may take to clear away.
const DEADLINE: Duration = Duration::from_secs(60);

#[test]
fn nothing_is_left_after_random_kills_of_pgdyno_supervisors_and_servers() {
    let kills = std::env::var("PGDYNO_TEST_KILLS").ok().map_or(6, |kills| kills.parse().expect("a number"));
    if std::env::var_os(INSIDE).is_some() {
        return kill_again_and_again(kills);
    }
    let user: &[&str] = if testbed::is_root() { &[] } else { &["--user", "--map-current-user"] };
    let unshare = |program: &str| {
        let mut command = Command::new("unshare");
        command.args(user).args(["--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]).arg(program);
        command
    };
    if !unshare("true").status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: unshare cannot make namespaces here");
        return;
    }
    let name = "kills::nothing_is_left_after_random_kills_of_pgdyno_supervisors_and_servers";
    let mounts: String =
        own_directories().iter().map(|path| format!("mount -t tmpfs -o mode=1777 tmpfs {path} && ")).collect();
    let script = format!("{mounts}exec \"$@\"");
    // Inside, the process id is always 1.
    let seed = std::env::var(SEED).unwrap_or_else(|_| std::process::id().to_string());
    let mut inside = unshare("sh");
    inside.args(["-c", &script, "sh"]).arg(std::env::current_exe().expect("this program"));
    let status = inside
        .args(["--exact", name, "--nocapture"])
        .env(INSIDE, "1")
        .env(SEED, seed)
        .status()
        .expect("unshare starts");
    assert!(status.success(), "{status}");
}

/// The directories that are new and empty inside: not `/tmp` where this program itself lies below it.
fn own_directories() -> Vec<&'static str> {
    let program = std::env::current_exe().expect("this program");
    ["/dev/shm", "/tmp"].into_iter().filter(|path| !program.starts_with(path)).collect()
}

/// Who is killed.
#[derive(Debug, Clone, Copy)]
enum Victim {
    Pgdyno,
    Supervisor,
    Postmaster,
    Backend,
    /// Nobody who could clear away is left: `restore` does.
    PgdynoAndSupervisors,
}

const VICTIMS: [Victim; 5] =
    [Victim::Pgdyno, Victim::Supervisor, Victim::Postmaster, Victim::Backend, Victim::PgdynoAndSupervisors];

fn kill_again_and_again(kills: u32) {
    // Not below a directory that has to be empty afterwards.
    let lab = Lab::on_a_disk();
    // This program, and what guards the lab.
    let own = processes();
    let local = format!("{{ local: {{ bin: {} }} }}", newest_version().display());
    lab.write(
        "plan.yaml",
        format!(
            "name: Killed\ntargets:\n  one: {local}\n  two: {local}\nbaseline: one\ninterleave: frozen-slices\n\
             workloads: {{ write: {{ think: 5ms, builtin: simple-update, scale: 1 }} }}\nclients: [2]\n{BRIEF}"
        ),
    );
    let began = Instant::now();
    lab.pgdyno("run plan.yaml").measured();
    let whole = began.elapsed();
    assert_eq!(left(&lab, &own), Vec::<String>::new(), "after a run that nobody killed");
    let seed: u32 = std::env::var(SEED).expect("given").parse().expect("a number");
    eprintln!("{kills} kills, {SEED}={seed}");
    let mut random = Random(u64::from(seed) << 1 | 1);
    for kill in 0..kills {
        let victim = VICTIMS[kill as usize % VICTIMS.len()];
        let instant = whole.mul_f64(random.fraction());
        let mut pgdyno = lab.start("run plan.yaml");
        std::thread::sleep(instant);
        let killed = strike(&mut pgdyno, victim);
        let said = pgdyno.end().to_string();
        let told = format!("kill {kill}: {victim:?} after {instant:?}, {killed} killed\n{said}");
        if matches!(victim, Victim::PgdynoAndSupervisors) {
            lab.pgdyno("restore").exits(0);
        }
        await_nothing_left(&lab, &own, &told);
        lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
        fs::remove_dir_all(lab.path().join("runs")).ok();
    }
}

/// Kills whoever of them is there, and says how many were.
fn strike(pgdyno: &mut Running, victim: Victim) -> usize {
    let supervisors = || commands_that(|command| command.contains("__supervise"));
    let servers = || commands_that(|command| command.contains("/postgres -D "));
    let backends = || commands_that(|command| command.starts_with("postgres: "));
    let victims = match victim {
        Victim::Pgdyno => vec![],
        Victim::Supervisor => supervisors().into_iter().take(1).collect(),
        Victim::Postmaster => servers().into_iter().take(1).collect(),
        Victim::Backend => backends().into_iter().take(1).collect(),
        Victim::PgdynoAndSupervisors => supervisors(),
    };
    if matches!(victim, Victim::Pgdyno | Victim::PgdynoAndSupervisors) || victims.is_empty() {
        pgdyno.signal(Signal::KILL);
    }
    for process in &victims {
        // It may have ended by itself in between.
        let _ended = kill_process(*process, Signal::KILL);
    }
    // `restore` leaves alone what a living process has made.
    await_ended(&victims);
    victims.len()
}

/// Everything that pgdyno and its servers can leave: processes, shared memory, directories.
fn left(lab: &Lab, own: &[Pid]) -> Vec<String> {
    let entries = |path: &str| {
        let entries = fs::read_dir(path).expect("listed").flatten().map(|entry| entry.path().display().to_string());
        entries.collect::<Vec<_>>()
    };
    let processes = commands_that(|_| true).into_iter().filter(|process| !own.contains(process));
    let processes = processes.map(|process| format!("process {process:?}: {}", command(process)));
    let segments = fs::read_to_string("/proc/sysvipc/shm").expect("the segments");
    let segments = segments.lines().skip(1).map(|line| format!("segment {line}"));
    let temporary = lab.temporary().display().to_string();
    let files = own_directories().into_iter().chain([temporary.as_str()]).flat_map(entries);
    processes.chain(segments).chain(files).collect()
}

#[track_caller]
fn await_nothing_left(lab: &Lab, own: &[Pid], told: &str) {
    let deadline = Instant::now() + DEADLINE;
    loop {
        let left = left(lab, own);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "still there: {left:#?}\n{told}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Processes of this namespace by their command line; zombies have none.
fn commands_that(holds: impl Fn(&str) -> bool) -> Vec<Pid> {
    let mut found = processes();
    found.retain(|it| Some(command(*it)).filter(|command| !command.is_empty()).is_some_and(|it| holds(&it)));
    found
}

fn processes() -> Vec<Pid> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn command(process: Pid) -> String {
    let path = format!("/proc/{}/cmdline", process.as_raw_nonzero());
    fs::read_to_string(path).unwrap_or_default().replace('\0', " ")
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn fraction(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = u32::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32).expect("32 bits");
        f64::from(bits) / f64::from(u32::MAX)
    }
}
