//! Local servers: started from installed and downloaded programs, set, kept, refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use server::{AcquireProgress, Disturbance, InitdbOptions, LocalSpec, PostgresSpec, ProgramSource};

use crate::lab::{BIN, Lab, ask, debian, map, over_tcp, print, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a_server_starts_with_its_settings_and_leaves_nothing", starts_and_goes),
        trial("embedded_17_is_downloaded_once_and_starts", embedded_17),
        trial("embedded_18_is_downloaded_once_and_starts", embedded_18),
        trial("two_servers_start_at_the_same_time", two_at_once),
        trial("initdb_options_are_what_the_server_reports", initdb_options),
        trial("a_setting_with_a_bad_value_is_named_with_the_servers_words", bad_value),
        trial("a_setting_that_does_not_exist_is_named_with_the_servers_words", unknown_setting),
        trial("a_setting_of_an_extension_that_is_not_loaded_is_not_confirmed", placeholder),
        trial("a_setting_that_the_server_reports_differently_is_refused_by_name", differs),
        trial("a_setting_that_pgdyno_decides_is_refused_before_anything_starts", reserved),
        trial("a_restart_changes_the_settings_and_keeps_the_data", restart),
        trial("a_failed_restart_can_be_followed_by_a_good_one", failed_restart),
        trial("a_server_that_is_stopped_or_killed_comes_back_at_its_place_with_its_data", comes_back),
        trial("a_directory_that_is_not_empty_is_refused_and_untouched", not_empty),
        trial("an_empty_directory_is_used_and_left_as_it_was", empty_directory),
        trial("a_kept_directory_is_used_again_and_goes_when_no_longer_kept", kept),
        trial("wal_lies_on_a_disk_of_its_own_and_goes_with_the_data", wal_apart),
        trial("a_directory_in_use_is_refused_and_goes_on_working", in_use),
        trial("other_users_of_the_machine_cannot_connect", shut_out),
        trial("a_directory_without_programs_is_refused_with_the_right_one", no_programs),
    ]
}

async fn starts_and_goes(lab: Lab) {
    let settings = map(&[("work_mem", "1MB"), ("cluster_name", "it's \\ odd")]);
    let target_settings = [("work_mem", "64MB"), ("shared_buffers", "65536kB"), ("fsync", "true")];
    let target = lab.start(LocalSpec { settings, ..debian() }, &target_settings).await;
    let traces = lab.traces(&target);
    traces.assert_present();
    let confirmed = target.confirm_settings().await.expect("confirmed");
    assert_eq!(confirmed, map(&[("work_mem", "64MB"), ("shared_buffers", "64MB"), ("fsync", "on")]));
    assert_eq!(ask(&target, "SHOW cluster_name").await, "it's \\ odd");
    target.check_alive().await.expect("alive");
    assert!(
        fs::read_to_string(target.local_server().unwrap().log_path())
            .expect("the log")
            .contains("ready to accept connections")
    );
    target.release_target().await.expect("released");
    traces.assert_gone();
    assert_eq!(lab.content(), Vec::<String>::new());
}

async fn embedded(mut lab: Lab, version: &str) {
    // The user's own cache: only the first run on a machine downloads.
    let caches = ["XDG_CACHE_HOME", "HOME"].map(|name| (name, std::env::var(name).unwrap_or_default()));
    lab.environment.variables.extend(caches.map(|(name, value)| (name.to_owned(), value)));
    let spec = PostgresSpec::Local(LocalSpec { source: ProgramSource::Version(version.to_owned()), ..debian() });
    for attempt in 1..=2 {
        let mut steps = Vec::new();
        let mut on_progress = |step: AcquireProgress| steps.push(step);
        let acquired = server::acquire_target("t", &spec, &BTreeMap::new(), &lab.environment, &mut on_progress).await;
        let target = acquired.unwrap_or_else(|error| panic!("{}", print(&error)));
        let traces = lab.traces(&target);
        let reported = ask(&target, "SHOW server_version").await;
        assert!(reported.starts_with(&format!("{version}.")), "{reported}");
        assert_eq!(ask(&target, "SHOW lc_messages").await, "C");
        let facts = target.collect_facts().await.unwrap_or_else(|error| panic!("{}", print(&error)));
        assert_eq!(facts.server.locale.as_deref(), Some("UTF8 C libc"));
        assert_eq!(facts.settings["data_checksums"].value, if version == "17" { "off" } else { "on" });
        target.release_target().await.expect("released");
        traces.assert_gone();
        let downloads = steps.iter().filter(|step| matches!(step, AcquireProgress::Downloading { .. })).count();
        assert!(downloads <= 2 - attempt, "{steps:?}");
        assert_eq!(steps[steps.len() - 2..], [AcquireProgress::CreatingCluster, AcquireProgress::Starting]);
    }
}

async fn embedded_17(lab: Lab) {
    embedded(lab, "17").await;
}

async fn embedded_18(lab: Lab) {
    embedded(lab, "18").await;
}

async fn two_at_once(lab: Lab) {
    let (one, two) = tokio::join!(lab.start(debian(), &[]), lab.start(debian(), &[("work_mem", "8MB")]));
    let (first, second) = (lab.traces(&one), lab.traces(&two));
    assert_eq!(ask(&one, "SHOW work_mem").await, "4MB");
    assert_eq!(ask(&two, "SHOW work_mem").await, "8MB");
    one.release_target().await.expect("released");
    first.assert_gone();
    second.assert_present();
    two.release_target().await.expect("released");
    second.assert_gone();
}

async fn initdb_options(lab: Lab) {
    let initdb = InitdbOptions {
        wal_segment_size_mb: Some(1),
        data_checksums: Some(true),
        locale: Some("C.UTF-8".to_owned()),
        encoding: None,
    };
    let target = lab.start(LocalSpec { initdb, ..debian() }, &[]).await;
    assert_eq!(ask(&target, "SHOW wal_segment_size").await, "1MB");
    assert_eq!(ask(&target, "SHOW data_checksums").await, "on");
    assert_eq!(target.collect_facts().await.expect("facts").server.locale.as_deref(), Some("UTF8 C.UTF-8 libc"));
    target.release_target().await.expect("released");
}

async fn refused(lab: &Lab, spec: LocalSpec, target_settings: &[(&str, &str)]) -> String {
    let error = lab.acquire(&PostgresSpec::Local(spec), target_settings).await.map(drop).expect_err("refused");
    assert_eq!(lab.content().iter().filter(|name| name.starts_with("pgdyno-")).count(), 0, "something was left");
    print(&error)
}

async fn bad_value(lab: Lab) {
    let printed = refused(&lab, debian(), &[("work_mem", "banana"), ("jit", "off")]).await;
    assert!(printed.starts_with("error: target \"t\": could not apply setting work_mem = \"banana\"\n"), "{printed}");
    assert!(printed.contains("invalid value for parameter \"work_mem\": \"banana\""), "{printed}");
}

async fn unknown_setting(lab: Lab) {
    let printed = refused(&lab, debian(), &[("wrok_mem", "1MB")]).await;
    assert!(printed.starts_with("error: target \"t\": could not apply setting wrok_mem = \"1MB\"\n"), "{printed}");
    assert!(printed.contains("unrecognized configuration parameter \"wrok_mem\""), "{printed}");
}

async fn placeholder(lab: Lab) {
    let printed = refused(&lab, debian(), &[("pg_stat_statements.track", "all")]).await;
    let expected = "error: target \"t\": could not confirm setting pg_stat_statements.track = \"all\"\n\
                    detail: the server reports no setting of this name\n";
    assert!(printed.starts_with(expected), "{printed}");
}

async fn differs(lab: Lab) {
    let target = lab.start(debian(), &[("work_mem", "64MB")]).await;
    ask(&target, "ALTER ROLE postgres SET work_mem = '2MB'").await;
    let printed = print(&target.confirm_settings().await.expect_err("it differs"));
    let expected = "error: target \"t\": could not apply setting work_mem = \"64MB\"\n\
                    detail: the server reports 2MB (source: user)\nhint: a source with higher precedence";
    assert!(printed.starts_with(expected), "{printed}");
    target.release_target().await.expect("released");
}

async fn reserved(lab: Lab) {
    let settings = map(&[("Port", "1")]);
    let printed =
        refused(&lab, LocalSpec { settings, source: ProgramSource::Bin("/absent".into()), ..debian() }, &[]).await;
    assert!(
        printed.starts_with("error: target \"t\": setting port of a local server is reserved for pgdyno"),
        "{printed}"
    );
    let printed = refused(&lab, debian(), &[("work mem", "1")]).await;
    assert!(printed.starts_with("error: target \"t\": \"work mem\" is not the name of a setting"), "{printed}");
}

async fn restart(lab: Lab) {
    let mut target = lab.start(debian(), &[("shared_buffers", "16MB"), ("work_mem", "8MB")]).await;
    ask(&target, "CREATE TABLE kept AS SELECT 42 AS x").await;
    let before = target.local_server().expect("local").postmaster_pid();
    target
        .restart_with_settings(&map(&[("shared_buffers", "32MB")]))
        .await
        .unwrap_or_else(|error| panic!("{}", print(&error)));
    assert_ne!(target.local_server().expect("local").postmaster_pid(), before);
    assert_eq!(ask(&target, "SHOW shared_buffers").await, "32MB");
    assert_eq!(ask(&target, "SHOW work_mem").await, "4MB");
    assert_eq!(ask(&target, "SELECT x FROM kept").await, "42");
    let traces = lab.traces(&target);
    target.release_target().await.expect("released");
    traces.assert_gone();
}

async fn failed_restart(lab: Lab) {
    let mut target = lab.start(debian(), &[]).await;
    let traces = lab.traces(&target);
    let error = target.restart_with_settings(&map(&[("max_connections", "-3")])).await.expect_err("refused");
    assert_eq!(error.primary_message(), "target \"t\": could not apply setting max_connections = \"-3\"");
    target.check_alive().await.expect_err("it does not run");
    target.restart_with_settings(&map(&[("max_connections", "7")])).await.expect("restarted");
    assert_eq!(ask(&target, "SHOW max_connections").await, "7");
    target.release_target().await.expect("released");
    traces.assert_gone();
}

async fn comes_back(lab: Lab) {
    let mut target = lab.start(debian(), &[("work_mem", "8MB")]).await;
    let traces = lab.traces(&target);
    ask(&target, "CREATE TABLE kept AS SELECT 42 AS x").await;
    for how in [Disturbance::Restart, Disturbance::KillPostmaster] {
        let (conninfo, before) =
            (target.load_conninfo().clone(), target.local_server().expect("local").postmaster_pid());
        // A process of the old server that is at work keeps the new one out until it has ended.
        let busy = target.connect_control().await.unwrap_or_else(|error| panic!("{}", print(&error)));
        let at_work = tokio::spawn(async move { busy.simple_query("SELECT pg_sleep(60)").await });
        target.disturb_server(how).await.unwrap_or_else(|error| panic!("{how:?}: {}", print(&error)));
        assert!(at_work.await.expect("it ends").is_err(), "{how:?} ends the sessions");
        assert_ne!(target.local_server().expect("local").postmaster_pid(), before, "{how:?}");
        assert_eq!((target.load_conninfo().host.clone(), target.load_conninfo().port), (conninfo.host, conninfo.port));
        assert_eq!(ask(&target, "SELECT x FROM kept").await, "42");
        assert_eq!(ask(&target, "SHOW work_mem").await, "8MB");
    }
    let log = fs::read_to_string(target.local_server().unwrap().log_path()).expect("the log");
    assert!(log.contains("automatic recovery in progress"), "{log}");
    target.release_target().await.expect("released");
    traces.assert_gone();
}

async fn not_empty(lab: Lab) {
    let data = lab.path().join("precious");
    fs::create_dir(&data).expect("made");
    fs::write(data.join("file"), "mine").expect("written");
    let before = fs::metadata(&data).expect("there");
    for keep in [false, true] {
        let printed = refused(&lab, LocalSpec { data_directory: Some(data.clone()), keep, ..debian() }, &[]).await;
        let expected = format!("error: target \"t\": data directory {} is not empty\n", data.display());
        assert!(printed.starts_with(&expected), "{printed}");
    }
    assert_eq!(fs::read_to_string(data.join("file")).expect("still there"), "mine");
    let after = fs::metadata(&data).expect("there");
    assert_eq!(after.permissions(), before.permissions());
    assert_eq!(std::os::unix::fs::MetadataExt::uid(&after), std::os::unix::fs::MetadataExt::uid(&before));
}

async fn empty_directory(lab: Lab) {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let data = lab.path().join("empty");
    fs::create_dir(&data).expect("made");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o751)).expect("set");
    let target = lab.start(LocalSpec { data_directory: Some(data.clone()), ..debian() }, &[]).await;
    assert_eq!(ask(&target, "SHOW data_directory").await, data.display().to_string());
    target.release_target().await.expect("released");
    let after = fs::metadata(&data).expect("it stays");
    assert_eq!((after.mode() & 0o777, after.uid()), (0o751, lab.environment.uid));
    assert_eq!(fs::read_dir(&data).expect("readable").count(), 0);
}

async fn kept(lab: Lab) {
    let data = lab.path().join("kept");
    let spec = |keep, initdb| LocalSpec { data_directory: Some(data.clone()), keep, initdb, ..debian() };
    let target = lab.start(spec(true, InitdbOptions::default()), &[("work_mem", "8MB")]).await;
    ask(&target, "CREATE TABLE kept AS SELECT 42 AS x").await;
    target.release_target().await.expect("released");
    let log = "database system was shut down";
    let initdb = InitdbOptions { data_checksums: Some(true), ..InitdbOptions::default() };
    let printed = refused(&lab, spec(true, initdb), &[]).await;
    assert!(printed.contains("was kept from a different server"), "{printed}");
    let target = lab.start(spec(false, InitdbOptions::default()), &[]).await;
    assert_eq!(ask(&target, "SELECT x FROM kept").await, "42");
    assert_eq!(ask(&target, "SHOW work_mem").await, "4MB");
    let text = fs::read_to_string(target.local_server().expect("local").log_path()).expect("the log");
    assert!(text.contains(log), "it was not shut down in order: {text}");
    target.release_target().await.expect("released");
    assert!(!data.exists());
}

async fn wal_apart(lab: Lab) {
    let (data, disk) = (lab.path().join("with-wal"), lab.path().join("disk-of-wal"));
    fs::create_dir(&disk).expect("made");
    let of_disk = || fs::read_dir(&disk).expect("readable").map(|entry| entry.expect("an entry").path());
    let spec =
        |keep| LocalSpec { data_directory: Some(data.clone()), wal_directory: Some(disk.clone()), keep, ..debian() };
    let target = lab.start(spec(true), &[]).await;
    ask(&target, "CREATE TABLE kept AS SELECT 42 AS x").await;
    let wal: Vec<_> = of_disk().collect();
    assert_eq!(fs::read_link(data.join("pg_wal")).ok().as_ref(), wal.first());
    assert!(fs::read_dir(&wal[0]).expect("readable").count() > 1, "segments");
    target.release_target().await.expect("released");
    // Kept with the data, found again with them, and gone with them.
    let target = lab.start(spec(false), &[]).await;
    assert_eq!((ask(&target, "SELECT x FROM kept").await.as_str(), of_disk().count()), ("42", 1));
    target.release_target().await.expect("released");
    assert!(!data.exists() && of_disk().next().is_none());
    let nowhere = LocalSpec { wal_directory: Some(lab.path().join("nowhere")), ..debian() };
    let printed = refused(&lab, nowhere, &[]).await;
    assert!(printed.contains("nowhere/pgdyno-wal-"), "{printed}");
}

async fn in_use(lab: Lab) {
    let spec = LocalSpec { data_directory: Some(lab.path().join("data")), ..debian() };
    let target = lab.start(spec.clone(), &[]).await;
    let printed = refused(&lab, spec, &[]).await;
    assert!(printed.contains("is in use by another pgdyno"), "{printed}");
    target.check_alive().await.expect("untouched");
    target.release_target().await.expect("released");
}

async fn shut_out(lab: Lab) {
    let target = lab.start(LocalSpec { route: over_tcp(), ..debian() }, &[]).await;
    assert_eq!(ask(&target, "SELECT 1").await, "1");
    let server = target.local_server().expect("local");
    // Over TCP without the password.
    let conninfo = format!("host=127.0.0.1 port={} user=postgres", server.tcp_port());
    let error = lab.reach(&conninfo, &[]).await.map(drop).expect_err("no password");
    assert!(print(&error).contains("did not accept user \"postgres\""), "{}", print(&error));
    // Over the socket as another user of the machine; only root can try that.
    use std::os::unix::fs::MetadataExt as _;
    use std::os::unix::process::CommandExt as _;
    let sockets = server.socket_directory();
    assert_eq!(fs::metadata(sockets).expect("there").mode() & 0o777, 0o700);
    if lab.environment.is_root() {
        let mut psql = std::process::Command::new(Path::new(BIN).join("psql"));
        psql.arg("-h").arg(sockets).args(["-p", &server.tcp_port().to_string(), "-U", "postgres", "-c", "SELECT 1"]);
        let output = psql.uid(65534).gid(65534).current_dir("/").output().expect("psql runs");
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("Permission denied"), "{output:?}");
    }
    target.release_target().await.expect("released");
}

async fn no_programs(lab: Lab) {
    let bin = Path::new(BIN).parent().expect("a parent");
    let printed = refused(&lab, LocalSpec { source: ProgramSource::Bin(bin.to_owned()), ..debian() }, &[]).await;
    let expected = format!("error: target \"t\": no postgres in {}\nhint: did you mean {BIN}?", bin.display());
    assert_eq!(printed, expected);
}
