//! Connection strings as tables: what is written, in which surroundings, and what libpq makes of it.

use super::*;

/// A small world: environment variables, files with modes.
#[derive(Default)]
struct World {
    variables: BTreeMap<String, String>,
    files: BTreeMap<PathBuf, File>,
}

impl World {
    fn var(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    fn file(mut self, path: &str, mode: u32, text: &str) -> Self {
        self.files.insert(path.into(), File { text: text.to_owned(), mode });
        self
    }

    fn resolve(&self, text: &str) -> Result<Resolved, ConninfoError> {
        let read = |path: &Path| self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into());
        let socket_directory = Path::new("/run/postgresql");
        resolve_connection_string(
            text,
            &ConninfoSurroundings { variables: &self.variables, os_user: Some("me"), read: &read, socket_directory },
        )
    }
}

/// All parts on one line, the password in the open: these tests are the only place that does so.
fn show(resolved: &Resolved) -> String {
    let ConnInfo { user, password, dbname, options, connect_timeout, encryption, .. } = &resolved.conninfo;
    let host = |(host, port): (&ServerHost, u16)| match host {
        ServerHost::Unix(directory) => format!("unix:{}:{port}", directory.display()),
        ServerHost::Tcp { name, address: None } => format!("{name}:{port}"),
        ServerHost::Tcp { name, address: Some(address) } => format!("{name}={address}:{port}"),
    };
    let hosts: Vec<String> = resolved.conninfo.all_hosts().map(host).collect();
    let mut shown = format!("{user}@{}/{dbname}", hosts.join(","));
    if let Some(password) = password {
        shown += &format!(" password={}", password.expose_secret());
    }
    if let Some(options) = options {
        shown += &format!(" options={options}");
    }
    if let Some(timeout) = connect_timeout {
        shown += &format!(" timeout={}s", timeout.as_secs());
    }
    let over_tcp = resolved.conninfo.all_hosts().any(|(host, _)| is_tcp(host));
    shown += match encryption {
        EncryptionMode::Never if over_tcp => " never",
        EncryptionMode::Never | EncryptionMode::IfPossible(_) => "",
        EncryptionMode::IfInsisted(_) => " if insisted",
        EncryptionMode::Always(_) => " always",
    };
    shown
}

fn check(world: &World, text: &str, expected: &str) {
    match world.resolve(text) {
        Ok(resolved) => assert_eq!(show(&resolved), expected, "{text}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

fn check_error(world: &World, text: &str, primary: &str) -> ConninfoError {
    let error = world.resolve(text).expect_err(text);
    assert_eq!(error.to_string(), primary, "{text}");
    error
}

#[test]
fn a_url_is_read_as_libpq_reads_it() {
    let cases = [
        ("postgresql://", "me@unix:/run/postgresql:5432/me"),
        ("postgres://localhost", "me@localhost:5432/me"),
        ("postgresql://localhost:5433", "me@localhost:5433/me"),
        ("postgresql://localhost/mydb", "me@localhost:5432/mydb"),
        ("postgresql://user@localhost", "user@localhost:5432/user"),
        ("postgresql://user:secret@localhost", "user@localhost:5432/user password=secret"),
        ("postgresql://user:p%40ss%3Aw%2Frd@h/d", "user@h:5432/d password=p@ss:w/rd"),
        ("postgresql://user:a:b?c@h/d", "user@h:5432/d password=a:b?c"),
        (
            "postgresql://other@localhost/otherdb?connect_timeout=10&sslmode=disable",
            "other@localhost:5432/otherdb timeout=10s never",
        ),
        ("postgresql:///mydb?host=localhost&port=5433", "me@localhost:5433/mydb"),
        ("postgresql://[2001:db8::1234]/database", "me@2001:db8::1234:5432/database"),
        ("postgresql://[::1]:6000", "me@::1:6000/me"),
        ("postgresql:///dbname?host=/var/lib/postgresql", "me@unix:/var/lib/postgresql:5432/dbname"),
        ("postgresql://%2Fvar%2Flib%2Fpostgresql/dbname", "me@unix:/var/lib/postgresql:5432/dbname"),
        ("postgresql://u@%2Ftmp%2Fs:5433/d", "u@unix:/tmp/s:5433/d"),
        ("postgresql://h/d?user=a&password=b", "a@h:5432/d password=b"),
        ("postgresql://h/d?options=-c%20work_mem%3D1MB", "me@h:5432/d options=-c work_mem=1MB"),
        ("postgresql://h/d?application_name=x&keepalives=1&client_encoding=UTF8", "me@h:5432/d"),
        ("postgresql://name/d?hostaddr=127.0.0.1", "me@name=127.0.0.1:5432/d"),
        ("  postgresql://h/d", "me@h:5432/d"),
    ];
    for (text, expected) in cases {
        check(&World::default(), text, expected);
    }
}

#[test]
fn key_value_pairs_are_read_as_libpq_reads_them() {
    let cases = [
        ("", "me@unix:/run/postgresql:5432/me"),
        ("host=h port=5433 dbname=d user=u", "u@h:5433/d"),
        ("host = h  dbname= d", "me@h:5432/d"),
        (r"host=h user='a b' password='it\'s \\ x'", r"a b@h:5432/a b password=it's \ x"),
        (r"host=h password=a\ b", "me@h:5432/me password=a b"),
        ("host=h password=''", "me@h:5432/me"),
        ("host=first host=second", "me@second:5432/me"),
        ("host=/tmp port=1", "me@unix:/tmp:1/me"),
        ("hostaddr=::1", "me@::1=::1:5432/me"),
        ("host=h connect_timeout=1", "me@h:5432/me timeout=2s"),
        ("host=h connect_timeout=0", "me@h:5432/me"),
        ("host=h connect_timeout=-5", "me@h:5432/me"),
        ("host=h sslmode=allow", "me@h:5432/me if insisted"),
        ("host=h sslmode=require", "me@h:5432/me always"),
        ("sslmode=verify-full sslrootcert=/absent", "me@unix:/run/postgresql:5432/me"),
        ("host=h\n\tuser=u\n", "u@h:5432/u"),
    ];
    for (text, expected) in cases {
        check(&World::default(), text, expected);
    }
}

#[test]
fn the_string_wins_over_the_service_and_the_service_over_the_environment() {
    let services = "# mine\n[one]\nhost=service-host\nport=6001\nuser=service-user\n\n[two]\nhost=other\n";
    let world = World::default()
        .var("HOME", "/home/me")
        .var("PGHOST", "env-host")
        .var("PGPORT", "7000")
        .var("PGDATABASE", "env-db")
        .var("PGPASSWORD", "env-password")
        .file("/home/me/.pg_service.conf", 0o644, services)
        .file("/etc/postgresql-common/pg_service.conf", 0o644, "[three]\nhost=system\n");
    check(&world, "", "me@env-host:7000/env-db password=env-password");
    check(&world, "service=one port=6002", "service-user@service-host:6002/env-db password=env-password");
    check(&world, "postgresql:///d?service=two", "me@other:7000/d password=env-password");
    check(&world, "service=three", "me@system:7000/env-db password=env-password");
    let world = world.var("PGSERVICE", "one").var("PGSERVICEFILE", "/srv/s").file("/srv/s", 0o644, "[one]\nhost=x\n");
    check(&world, "", "me@x:7000/env-db password=env-password");
    let world = world.var("PGSYSCONFDIR", "/opt/pg").file("/opt/pg/pg_service.conf", 0o600, "[three]\nhost=opt\n");
    check(&world, "service=three", "me@opt:7000/env-db password=env-password");
}

#[test]
fn a_service_that_cannot_be_used_is_named_with_its_file() {
    let world = World::default().var("HOME", "/h");
    let error = check_error(&world, "service=x", "service \"x\" is not defined");
    assert_eq!(
        error.error_detail().as_deref(),
        Some("looked in /h/.pg_service.conf, /etc/postgresql-common/pg_service.conf")
    );
    let world = World::default().file("/f", 0o644, "[x]\nhost=a\nservice=y\n").var("PGSERVICEFILE", "/f");
    check_error(&world, "service=x", "cannot use service file /f: line 3: a service cannot refer to another service");
    let world = World::default().file("/f", 0o644, "[x]\nhots=a\n").var("PGSERVICEFILE", "/f");
    check_error(&world, "service=x", "cannot use service file /f: line 2: unknown connection parameter");
}

#[test]
fn the_first_matching_line_of_the_password_file_gives_the_password() {
    let file = "# h:5432:d:u:commented\nh:5432:d:u:one\nh:*:*:u:tw\\:o\nlocalhost:5432:d:u:local\n\
                a\\:b:5432:d:u:escaped\n/tmp:5432:d:u:socket\n*:*:*:any:last\nshort:5432\n";
    let world = World::default().var("HOME", "/h").file("/h/.pgpass", 0o600, file);
    let cases = [
        ("host=h user=u dbname=d", "u@h:5432/d password=one"),
        ("host=h user=u dbname=e", "u@h:5432/e password=tw:o"),
        ("host=h user=u dbname=d password=given", "u@h:5432/d password=given"),
        ("user=u dbname=d", "u@unix:/run/postgresql:5432/d password=local"),
        ("host=/tmp user=u dbname=d", "u@unix:/tmp:5432/d password=socket"),
        ("host=a:b user=u dbname=d", "u@a:b:5432/d password=escaped"),
        ("host=z user=any dbname=d", "any@z:5432/d password=last"),
        ("host=z user=u dbname=d", "u@z:5432/d"),
    ];
    for (text, expected) in cases {
        check(&world, text, expected);
    }
    let world = world.file("/other", 0o400, "*:*:*:*:elsewhere\n");
    check(&world, "host=h user=u dbname=d passfile=/other", "u@h:5432/d password=elsewhere");
    check(&world.var("PGPASSFILE", "/other"), "host=h user=u dbname=d", "u@h:5432/d password=elsewhere");
}

#[test]
fn a_password_file_that_others_can_read_is_ignored_with_a_warning() {
    for mode in [0o640, 0o604, 0o620] {
        let world = World::default().var("HOME", "/h").file("/h/.pgpass", mode, "*:*:*:*:hunter2\n");
        let resolved = world.resolve("host=h").expect("resolves");
        assert_eq!(resolved.conninfo.password, None);
        let expected = "password file /h/.pgpass was ignored: it has group or world access; chmod 0600 it";
        assert_eq!(resolved.warnings, [expected]);
    }
}

#[test]
fn an_unknown_parameter_is_refused_with_the_nearest_known_one() {
    let cases = [
        ("hots=h", "unknown connection parameter \"hots\"", Some("did you mean host?")),
        ("host=h databse=d", "unknown connection parameter \"databse\"", Some("did you mean dbname?")),
        ("host=h colour=red", "unknown connection parameter \"colour\"", None),
        (
            "postgresql://h/?ssl_mode=disable",
            "unknown connection parameter \"ssl_mode\"",
            Some("did you mean sslmode?"),
        ),
        (
            "postgresql://h/?conect_timeout=1",
            "unknown connection parameter \"conect_timeout\"",
            Some("did you mean connect_timeout?"),
        ),
    ];
    for (text, primary, hint) in cases {
        let error = check_error(&World::default(), text, primary);
        assert_eq!(error.error_hint().as_deref(), hint, "{text}");
    }
}

#[test]
fn what_this_version_cannot_do_is_refused_and_not_ignored() {
    let cases = [
        ("host=h sslmode=on", "invalid value for connection parameter sslmode"),
        ("sslcrl=/x", "connection parameter sslcrl is not supported yet by this version"),
        ("require_auth=scram-sha-256", "connection parameter require_auth is not supported yet by this version"),
        ("target_session_attrs=writable", "invalid value for connection parameter target_session_attrs"),
        ("channel_binding=on", "invalid value for connection parameter channel_binding"),
        ("keepalives_idle=1s", "invalid value for connection parameter keepalives_idle"),
        ("port=0", "invalid value for connection parameter port"),
        ("port=65536", "invalid value for connection parameter port"),
        ("hostaddr=h", "invalid value for connection parameter hostaddr"),
        ("connect_timeout=1s", "invalid value for connection parameter connect_timeout"),
        ("host", "malformed connection string: a word without \"=\" after it"),
        ("host='a", "malformed connection string: a quoted value without its closing quote"),
        ("postgresql://[::1", "malformed connection string: \"[\" without \"]\" in the host"),
        ("postgresql://[::1]x", "malformed connection string: text after \"]\" in the host"),
        ("postgresql://h/%zz", "malformed connection string: \"%\" without two hexadecimal digits"),
        ("postgresql://h/%00", "malformed connection string: %00"),
        ("postgresql://h/d?a", "malformed connection string: a parameter without \"=\" after \"?\""),
        ("postgresql://h/d?user=a=b", "malformed connection string: a second \"=\" in a parameter after \"?\""),
    ];
    for (text, primary) in cases {
        check_error(&World::default(), text, primary);
    }
}

#[test]
fn no_error_and_no_display_repeats_a_piece_of_a_password() {
    let strings = [
        "postgresql://u:hunter2@x@h/d",
        "postgresql://u:x/hunter2@h/d",
        "postgresql://u:5/hunter2@h/d",
        "postgresql://u:hunter2/x@h/d",
        "postgresql://u:x@hunter2@h/d",
        "postgresql://u:%zzhunter2@h/d",
        "host=h password=x hunter2",
        "host=h password=x hunter2=y",
        "host=h password='hunter2",
        "host=h port=hunter2",
        "postgresql://u@h/d?password=x&hunter2=y",
    ];
    for text in strings {
        let error = World::default().resolve(text).expect_err(text);
        let all = format!("{error} {error:?} {:?} {:?}", error.error_detail(), error.error_hint());
        assert!(!all.contains("hunter2"), "{text} gave {all}");
    }
    let resolved = World::default().resolve("postgresql://u:hunter2@h:1/d").expect("resolves");
    let all = format!(
        "{resolved:?} {} {}",
        resolved.conninfo.redacted_connection_string(),
        resolved.conninfo.display_address()
    );
    assert!(!all.contains("hunter2"), "{all}");
    assert_eq!(resolved.conninfo.redacted_connection_string(), "host=h port=1 user=u dbname=d");
}

#[test]
fn session_settings_are_escaped_into_options() {
    let settings = BTreeMap::from([
        ("search_path".to_owned(), "a, \"b\\c\"".to_owned()),
        ("work_mem".to_owned(), "64MB".to_owned()),
    ]);
    let given = World::default().resolve("host=h options='-c jit=off'").expect("resolves").conninfo;
    let expected = r#"-c jit=off -c search_path=a,\ "b\\c" -c work_mem=64MB"#;
    assert_eq!(given.with_session_settings(&settings).options.as_deref(), Some(expected));
}

#[test]
fn a_connection_string_without_its_passwords_means_the_same_otherwise() {
    let cases = [
        ("postgresql://u:hunter2@h:1/a%20b?sslpassword=hunter2", "postgresql://u@h:1/a%20b"),
        (r"host=/tmp options='-c a=\'b\\c\'' password=hunter2", r"host=/tmp options='-c a=\'b\\c\''"),
    ];
    for (text, expected) in cases {
        let stripped = without_passwords(text);
        assert_eq!(stripped, expected, "{text}");
        if let Ok(original) = World::default().resolve(text) {
            let expected = ConnInfo { password: None, ..original.conninfo };
            let again = World::default().resolve(&stripped).expect("resolves").conninfo;
            assert_eq!(again, ConnInfo { encryption: again.encryption.clone(), ..expected });
        }
    }
}

#[test]
fn several_hosts_have_one_port_or_as_many_as_there_are() {
    let cases = [
        ("postgresql://a:1,b:2/d", "me@a:1,b:2/d"),
        ("postgresql://a,b:2/d", "me@a:5432,b:2/d"),
        ("postgresql://[::1]:1,b/d", "me@::1:1,b:5432/d"),
        ("host=a,b port=6000", "me@a:6000,b:6000/me"),
        ("host=a,/tmp,b port=1,2,3 dbname=d", "me@a:1,unix:/tmp:2,b:3/d"),
        ("host=a,b hostaddr=127.0.0.1,127.0.0.2 dbname=d", "me@a=127.0.0.1:5432,b=127.0.0.2:5432/d"),
        ("hostaddr=127.0.0.1,::1 dbname=d", "me@127.0.0.1=127.0.0.1:5432,::1=::1:5432/d"),
    ];
    for (text, expected) in cases {
        check(&World::default(), text, expected);
    }
    for text in ["host=a,b port=1,2,3", "host=a hostaddr=127.0.0.1,127.0.0.2"] {
        let error = World::default().resolve(text).expect_err(text);
        assert!(error.to_string().starts_with("connection parameters contradict each other"), "{error}");
    }
}

#[test]
fn which_sessions_fit_and_how_they_are_kept_alive_is_read() {
    let text = "host=a,b target_session_attrs=primary load_balance_hosts=random keepalives_idle=7 tcp_user_timeout=1500 \
                channel_binding=require keepalives=0 keepalives_count=0";
    let conninfo = World::default().resolve(text).expect("resolves").conninfo;
    let wanted = KeepAlive {
        on: Some(false),
        idle: Some(Duration::from_secs(7)),
        user_timeout: Some(Duration::from_millis(1500)),
        ..KeepAlive::default()
    };
    assert_eq!((conninfo.session, conninfo.spread, conninfo.keepalive), (SessionAttrs::Primary, true, wanted));
    assert_eq!(conninfo.channel_binding, ChannelBinding::Require);
    let told = [
        ("PGCHANNELBINDING", "require".to_owned()),
        ("PGTARGETSESSIONATTRS", "primary".to_owned()),
        ("PGLOADBALANCEHOSTS", "random".to_owned()),
    ];
    assert_eq!(conninfo.libpq, told);
}

#[test]
fn files_for_tls_are_read_where_libpq_reads_them_and_named_when_they_cannot_be_used() {
    let world = World::default().var("HOME", "/h").file("/garbage", 0o600, "no certificate");
    let cases = [
        ("host=h sslmode=verify-full", "cannot use sslrootcert /h/.postgresql/root.crt", "entity not found"),
        (
            "host=h sslmode=require sslrootcert=/garbage",
            "cannot use sslrootcert /garbage",
            "it contains no certificate",
        ),
        ("host=h sslcert=/absent sslkey=/k", "cannot use sslcert /absent", "entity not found"),
        ("host=h sslcert=/garbage sslkey=/absent", "cannot use sslkey /absent", "entity not found"),
    ];
    for (text, primary, detail) in cases {
        let error = check_error(&world, text, primary);
        assert_eq!(error.error_detail().as_deref(), Some(detail), "{text}");
        assert!(error.error_hint().is_some());
    }
    let open = world.file("/open", 0o644, "a key");
    let error = check_error(&open, "host=h sslcert=/garbage sslkey=/open", "cannot use sslkey /open");
    assert_eq!(error.error_detail().as_deref(), Some("it has group or world access; chmod 0600 it"));
    check(&open, "host=h sslmode=require sslrootcert=/absent", "me@h:5432/me always");
    for text in ["host=h sslrootcert=system sslmode=require", "host=h sslnegotiation=direct"] {
        let error = World::default().resolve(text).expect_err(text);
        assert!(error.to_string().starts_with("connection parameters contradict each other"), "{error}");
    }
}
