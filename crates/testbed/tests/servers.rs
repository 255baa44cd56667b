//! A server of the testbed against what the tests rely on: it comes back with what it held, is followed by others, and
//! leaves nothing.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testbed::{Postgres, Setup};

/// How long what must go may take to do so.
const DEADLINE: Duration = Duration::from_secs(60);

#[test]
fn a_server_comes_back_with_what_it_held_however_it_ended() {
    let server = Setup { settings: "work_mem = 5MB".to_owned(), ..Setup::default() }.start_server();
    assert_eq!(server.query_postgres("SHOW work_mem"), "5MB");
    server.query_postgres("CREATE TABLE t AS SELECT 7 AS a");
    for end in [Postgres::crash_server, Postgres::kill_processes, Postgres::stop_in_order] {
        end(&server);
        server.try_sql(&server.socket_conninfo(), "SELECT 1").expect_err("it does not run");
        server.start_again();
        assert_eq!(server.query_postgres("TABLE t"), "7");
    }
    let standby = server.start_standby("");
    assert_eq!(standby.query_database("postgres", "SELECT a, pg_is_in_recovery() FROM t"), "7|t");
}

#[test]
fn a_server_that_cannot_start_says_why_at_once() {
    let server = Setup { settings: "work_mem = lots".to_owned(), ..Setup::default() }.make_server();
    let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| server.start_again())).expect_err("it cannot");
    let told = told.downcast_ref::<String>().expect("words");
    assert!(told.contains("invalid value for parameter \"work_mem\""), "{told}");
}

#[test]
fn nothing_is_left_of_a_test_whose_process_is_killed() {
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    child.args(["--exact", "the_child_that_is_killed", "--ignored", "--nocapture"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let directory = lines.find_map(|line| line.strip_prefix("in ").map(str::to_owned)).expect("its directory");
    let processes = || processes_in(&directory);
    assert!(Path::new(&directory).exists() && processes() > 0, "a running server shows");
    child.kill().expect("it runs");
    child.wait().expect("a child");
    let begun = Instant::now();
    while Path::new(&directory).exists() || processes() > 0 {
        assert!(begun.elapsed() < DEADLINE, "left: {directory} and {} processes", processes());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "started by the test that kills it"]
fn the_child_that_is_killed() {
    let server = Postgres::start_default();
    println!("\nin {}", server.server_directory().display());
    std::io::stdin().read_line(&mut String::new()).expect("it is killed before");
}

/// The number of processes whose working directory is within another.
fn processes_in(directory: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let directories = processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
    directories.filter(|cwd| cwd.starts_with(directory)).count()
}
