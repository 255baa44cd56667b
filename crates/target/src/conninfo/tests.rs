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
        resolve(text, &Surroundings { variables: &self.variables, os_user: Some("me"), read: &read, socket_directory })
    }
}

/// All parts on one line, the password in the open: these tests are the only place that does so.
fn show(resolved: &Resolved) -> String {
    let ConnInfo { host, port, user, password, dbname, options, connect_timeout, sslmode } = &resolved.conninfo;
    let host = match host {
        Host::Unix(directory) => format!("unix:{}", directory.display()),
        Host::Tcp { name, address: None } => name.clone(),
        Host::Tcp { name, address: Some(address) } => format!("{name}={address}"),
    };
    let mut shown = format!("{user}@{host}:{port}/{dbname}");
    if let Some(password) = password {
        shown += &format!(" password={}", password.expose());
    }
    if let Some(options) = options {
        shown += &format!(" options={options}");
    }
    if let Some(timeout) = connect_timeout {
        shown += &format!(" timeout={}s", timeout.as_secs());
    }
    if *sslmode != SslMode::Prefer {
        shown += &format!(" {sslmode:?}");
    }
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
            "other@localhost:5432/otherdb timeout=10s Disable",
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
        ("host=h sslmode=allow sslrootcert=system", "me@h:5432/me Allow"),
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
        error.detail().as_deref(),
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
        assert_eq!(error.hint().as_deref(), hint, "{text}");
    }
}

#[test]
fn what_this_version_cannot_do_is_refused_and_not_ignored() {
    let cases = [
        ("sslmode=require", "sslmode=require is not supported yet by this version"),
        ("sslmode=verify-ca", "sslmode=verify-ca is not supported yet by this version"),
        ("postgresql://h/?sslmode=verify-full", "sslmode=verify-full is not supported yet by this version"),
        ("postgresql://h/?ssl=true", "sslmode=require is not supported yet by this version"),
        ("sslmode=on", "invalid value for connection parameter sslmode"),
        ("host=a,b", "several hosts in one connection string are not supported yet by this version"),
        ("postgresql://a:1,b:2/d", "several hosts in one connection string are not supported yet by this version"),
        ("require_auth=scram-sha-256", "connection parameter require_auth is not supported yet by this version"),
        (
            "target_session_attrs=read-write",
            "connection parameter target_session_attrs is not supported yet by this version",
        ),
        ("channel_binding=require", "connection parameter channel_binding is not supported yet by this version"),
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
        let all = format!("{error} {error:?} {:?} {:?}", error.detail(), error.hint());
        assert!(!all.contains("hunter2"), "{text} gave {all}");
    }
    let resolved = World::default().resolve("postgresql://u:hunter2@h:1/d").expect("resolves");
    let all = format!("{resolved:?} {} {}", resolved.conninfo.redacted(), resolved.conninfo.address());
    assert!(!all.contains("hunter2"), "{all}");
    assert!(!format!("{:?}", resolved.conninfo.control()).contains("hunter2"));
    assert_eq!(resolved.conninfo.redacted(), "host=h port=1 user=u dbname=d");
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
        ("postgresql://u:hunter2@h:1/a%20b?sslpassword=hunter2", "dbname='a b' host=h port=1 user=u"),
        (r"host=/tmp options='-c a=\'b\\c\'' password=hunter2", r"host=/tmp options='-c a=\'b\\c\''"),
        ("host=h password=hunter2 hunter2", "(unreadable)"),
        ("", ""),
    ];
    for (text, expected) in cases {
        let stripped = without_passwords(text);
        assert_eq!(stripped, expected, "{text}");
        if let Ok(original) = World::default().resolve(text) {
            let expected = ConnInfo { password: None, ..original.conninfo };
            assert_eq!(World::default().resolve(&stripped).expect("resolves").conninfo, expected);
        }
    }
}
