//! Servers that exist: every way in which they cannot be worked with has its own words, and settings change nothing
//! there.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use libtest_mimic::Trial;
use results::facts::ConnectionEncryption;
use server::{FoundSpec, LoadRoute, LocalSpec, RouteLayers, Target};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::lab::{Lab, ask, debian, map, over_tcp, print, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a_server_is_reached_and_settings_are_applied_to_the_loads_sessions_only", target_settings),
        trial("wrong_password_database_and_role_are_told_apart", wrong_login),
        trial("a_wrong_password_is_told_before_what_pg_hba_says_of_the_second_attempt", encrypted_only),
        trial("a_password_file_opens_the_door", password_file),
        trial("a_closed_port_an_absent_socket_and_an_unknown_host_are_told_apart", nobody_there),
        trial("an_http_server_is_not_taken_for_postgresql", http),
        trial("an_ssh_server_is_not_taken_for_postgresql", ssh),
        trial("a_server_that_says_nothing_times_out", mute),
        trial("a_server_older_than_14_is_refused", too_old),
        trial("a_host_that_drops_packets_leaves_the_next_one_its_time", dead_first),
    ]
}

/// A local server reached as a user would: by its address and password.
async fn served(lab: &Lab) -> (Target, String) {
    let server = lab.start(LocalSpec { route: over_tcp(), ..debian() }, &[]).await;
    ask(&server, "CREATE ROLE bench LOGIN PASSWORD 'open sesame'").await;
    ask(&server, "CREATE DATABASE bench OWNER bench").await;
    let port = server.load_conninfo().port;
    (server, format!("postgresql://bench:open%20sesame@127.0.0.1:{port}/bench"))
}

async fn failure(lab: &Lab, conninfo: &str, target_settings: &[(&str, &str)]) -> String {
    print(&lab.reach(conninfo, target_settings).await.map(drop).expect_err(conninfo))
}

async fn target_settings(lab: Lab) {
    let (server, url) = served(&lab).await;
    let target_settings = [("work_mem", "12MB"), ("search_path", "\"a b\", public"), ("random_page_cost", "1.5")];
    let mut target = lab.reach(&url, &target_settings).await.unwrap_or_else(|error| panic!("{}", print(&error)));
    let expected = [("work_mem", "12MB"), ("search_path", "\"a b\", public"), ("random_page_cost", "1.5")];
    assert_eq!(target.confirm_settings().await.expect("confirmed"), map(&expected));
    assert_eq!(ask(&target, "SHOW work_mem").await, "4MB", "the control plane goes without");
    target.restart_with_settings(&map(&[("work_mem", "13MB")])).await.expect("new sessions");
    assert_eq!(target.confirm_settings().await.expect("confirmed"), map(&[("work_mem", "13MB")]));
    for (name, value, said) in [
        ("shared_buffers", "64MB", "parameter \"shared_buffers\" cannot be changed without restarting the server"),
        ("checkpoint_timeout", "60s", "parameter \"checkpoint_timeout\" cannot be changed now"),
        ("work_mem", "banana", "invalid value for parameter \"work_mem\": \"banana\""),
        ("wrok_mem", "1MB", "unrecognized configuration parameter \"wrok_mem\""),
        ("log_min_duration_statement", "0", "permission denied to set parameter \"log_min_duration_statement\""),
    ] {
        let printed = failure(&lab, &url, &[("jit", "off"), (name, value)]).await;
        let expected = format!("error: target \"t\": could not apply setting {name} = \"{value}\"\ndetail: {said}");
        assert!(printed.starts_with(&expected) && printed.contains("\nhint: "), "{printed}");
    }
    target.release_target().await.expect("nothing to do");
    server.release_target().await.expect("released");
}

async fn wrong_login(lab: Lab) {
    let (server, url) = served(&lab).await;
    let at = format!("127.0.0.1:{}", server.load_conninfo().port);
    let cases = [
        (url.replace("sesame", "hunter2"), format!("{at} did not accept user \"bench\"\ndetail: password auth")),
        (url.replace(":open%20sesame", ""), format!("{at} did not accept user \"bench\"\ndetail: the server requires")),
        (format!("{url}ed"), format!("{at} has no database \"benched\"\n")),
        (url.replace("//bench", "//absent"), format!("{at} did not accept user \"absent\"\ndetail: password auth")),
        (url.replace("//bench", "//bench:x@bench"), "malformed connection string".to_owned()),
    ];
    for (conninfo, expected) in cases {
        let printed = failure(&lab, &conninfo, &[]).await;
        assert!(printed.starts_with(&format!("error: target \"t\": {expected}")), "{printed}");
        assert!(!printed.contains("hunter2") && !printed.contains("sesame"), "{printed}");
    }
    server.release_target().await.expect("released");
}

async fn encrypted_only(lab: Lab) {
    let route = LoadRoute { tls: true, ..over_tcp() };
    let layers = RouteLayers { tls: true, ..RouteLayers::default() };
    let server = lab.start(LocalSpec { route, layers, ..debian() }, &[]).await;
    ask(&server, "CREATE ROLE bench LOGIN PASSWORD 'open sesame'").await;
    ask(&server, "CREATE DATABASE bench OWNER bench").await;
    let hba = server.local_server().expect("a local server").data_directory().join("pg_hba.conf");
    fs::write(&hba, "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n").expect("written");
    ask(&server, "SELECT pg_reload_conf()").await;
    let port = server.load_conninfo().port;
    let url = format!("postgresql://bench:open%20sesame@127.0.0.1:{port}/bench");
    let printed = failure(&lab, &url.replace("sesame", "hunter2"), &[]).await;
    let said = "detail: with TLS: password authentication failed for user \"bench\"; without TLS: no pg_hba.conf entry";
    assert!(printed.contains(said) && printed.contains("hint: check the password"), "{printed}");
    // Whoever demands encryption makes one attempt.
    let printed = failure(&lab, &format!("{}?sslmode=require", url.replace("sesame", "hunter2")), &[]).await;
    assert!(printed.contains("detail: password authentication failed for user \"bench\"\n"), "{printed}");

    let target = lab.reach(&url, &[]).await.unwrap_or_else(|error| panic!("{}", print(&error)));
    let encryption = target.collect_facts().await.expect("its facts").path.encryption;
    assert!(matches!(encryption, Some(ConnectionEncryption::Tls { .. })), "{encryption:?}");
    let log = fs::read_to_string(server.log_file().expect("a log")).expect("read");
    assert!(!log.contains("SSL"), "no handshake is broken off: {log}");
    server.release_target().await.expect("released");
}

async fn password_file(lab: Lab) {
    let (server, url) = served(&lab).await;
    let port = server.load_conninfo().port;
    let file = lab.path().join(".pgpass");
    fs::write(&file, format!("127.0.0.1:{port}:*:bench:open sesame\n")).expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("set");
    let bare = url.replace(":open%20sesame", "");
    let target = lab.reach(&bare, &[]).await.unwrap_or_else(|error| panic!("{}", print(&error)));
    assert_eq!(ask(&target, "SELECT current_user").await, "bench");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("set");
    let spec = server::PostgresSpec::Url(FoundSpec { conninfo: conninfo::Secret::new(bare), agent: None });
    let mut steps = Vec::new();
    let refused = server::acquire_target("t", &spec, &map(&[]), &lab.environment, &mut |step| steps.push(step)).await;
    assert!(refused.is_err());
    assert!(
        matches!(&steps[..], [server::AcquireProgress::Warning(text)] if text.contains("group or world access")),
        "{steps:?}"
    );
    server.release_target().await.expect("released");
}

async fn nobody_there(lab: Lab) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address").to_string();
    drop(listener);
    let socket = lab.path().join(".s.PGSQL.5432").display().to_string();
    let cases = [
        (format!("postgresql://{at}/d"), format!("connection to {at} was refused\n")),
        (format!("host={} user=x", lab.path().display()), format!("connection to {socket} was refused\n")),
        ("postgresql://no-such-host.invalid/d".to_owned(), "cannot resolve host \"no-such-host.invalid\"\n".to_owned()),
    ];
    for (conninfo, expected) in cases {
        let printed = failure(&lab, &conninfo, &[]).await;
        assert!(printed.starts_with(&format!("error: target \"t\": {expected}")), "{printed}");
    }
}

/// Serves connections by a conversation of what is awaited (a number of bytes) and what is then said.
async fn fake(conversation: &'static [(usize, &'static [u8])]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address").to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                for (awaited, said) in conversation {
                    let mut buffer = vec![0; *awaited];
                    stream.read_exact(&mut buffer).await.ok()?;
                    stream.write_all(said).await.ok()?;
                }
                // Whatever else is asked stays unanswered until the other side gives up.
                stream.read_to_end(&mut Vec::new()).await.ok()
            });
        }
    });
    at
}

/// A port of 127.0.0.1 that answers no packet: nobody accepts, and there is no room to wait.
async fn silent_port() -> (u16, Vec<tokio::task::JoinHandle<()>>) {
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("bound");
    let listener = socket.listen(0).expect("listens");
    let at = listener.local_addr().expect("an address");
    let waiting = (0..4).map(|_| {
        tokio::spawn(async move {
            let _open = tokio::net::TcpStream::connect(at).await;
            std::future::pending::<()>().await;
        })
    });
    let mut waiting: Vec<_> = waiting.collect();
    waiting.push(tokio::spawn(async move {
        let _kept = listener;
        std::future::pending::<()>().await;
    }));
    let soon = std::time::Duration::from_millis(300);
    while tokio::time::timeout(soon, tokio::net::TcpStream::connect(at)).await.is_ok() {}
    (at.port(), waiting)
}

async fn dead_first(lab: Lab) {
    let (server, _) = served(&lab).await;
    let (dead, _waiting) = silent_port().await;
    let alive = server.load_conninfo().port;
    let conninfo = format!(
        "host=127.0.0.1,127.0.0.1 port={dead},{alive} user=bench password='open sesame' dbname=bench connect_timeout=2"
    );
    let target = lab.reach(&conninfo, &[]).await.unwrap_or_else(|error| panic!("{}", print(&error)));
    assert_eq!(ask(&target, "SELECT inet_server_port()::text").await, alive.to_string());
    server.release_target().await.expect("released");
}

async fn http(lab: Lab) {
    let at = fake(&[(8, b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")]).await;
    let printed = failure(&lab, &format!("postgresql://{at}/d"), &[]).await;
    let expected = format!(
        "error: target \"t\": {at} is not a PostgreSQL server\ndetail: the peer answered \"HTTP/1.1 400 Bad Request\\r\\n"
    );
    assert!(printed.starts_with(&expected), "{printed}");
}

async fn ssh(lab: Lab) {
    let at = fake(&[(0, b"SSH-2.0-OpenSSH_9.2p1\r\n")]).await;
    let printed = failure(&lab, &format!("postgresql://{at}/d"), &[]).await;
    assert!(printed.starts_with(&format!("error: target \"t\": {at} is not a PostgreSQL server\n")), "{printed}");
}

async fn mute(lab: Lab) {
    let at = fake(&[]).await;
    let printed = failure(&lab, &format!("postgresql://{at}/d?connect_timeout=2"), &[]).await;
    assert!(printed.starts_with(&format!("error: target \"t\": no answer from {at} within 2 s\n")), "{printed}");
}

async fn too_old(lab: Lab) {
    // It lets everybody in, and reports 13.9.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address").to_string();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.ok()?;
        let length = stream.read_u32().await.ok()? as usize - 4;
        stream.read_exact(&mut vec![0; length]).await.ok()?;
        let ready = b"Z\0\0\0\x05I";
        let greeting: &[&[u8]] = &[b"R\0\0\0\x08\0\0\0\0", b"S\0\0\0\x18server_version\x0013.9\0", ready];
        stream.write_all(&greeting.concat()).await.ok()?;
        // The query: SHOW server_version_num.
        assert_eq!(stream.read_u8().await.ok()?, b'Q');
        let length = stream.read_u32().await.ok()? as usize - 4;
        stream.read_exact(&mut vec![0; length]).await.ok()?;
        let description = b"T\0\0\0\x1a\0\x01n\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0";
        let answer: &[&[u8]] = &[description, b"D\0\0\0\x10\0\x01\0\0\0\x06130009", b"C\0\0\0\x09SHOW\0", ready];
        stream.write_all(&answer.concat()).await.ok()?;
        stream.read_to_end(&mut Vec::new()).await.ok()
    });
    let printed = failure(&lab, &format!("postgresql://me@{at}/d?sslmode=disable"), &[]).await;
    assert!(
        printed.starts_with(&format!("error: target \"t\": {at} is PostgreSQL 13.9, older than 14\n")),
        "{printed}"
    );
}
