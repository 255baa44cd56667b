//! How the load connects.

use super::{ANY, Kind, READS};
use crate::generator::condition::{Base, Injection, Matter, Outside, Shape};
use crate::generator::random::Random;

/// Shapes with short statements, whose load connects for each transaction.
const SHORT: &[Shape] = &[Shape::Point, Shape::Update, Shape::Insert, Shape::FunctionCall];

/// The kinds of this family. Of those of [`LOGINS`] the load connects for each transaction.
pub const KINDS: &[Kind] = &[
    Kind { name: "TCP, not a socket", shapes: READS, draw: tcp, weight: 1 },
    Kind { name: "TLS", shapes: SHORT, draw: tls, weight: 2 },
    Kind { name: "SCRAM iterations", shapes: SHORT, draw: scram, weight: 2 },
    Kind { name: "lines of pg_hba.conf", shapes: SHORT, draw: hba, weight: 1 },
    Kind { name: "library at login", shapes: SHORT, draw: library, weight: 1 },
    Kind { name: "memberships of the role", shapes: SHORT, draw: memberships, weight: 1 },
    Kind { name: "idle sessions", shapes: ANY, draw: idle, weight: 2 },
    Kind { name: "pooler", shapes: READS, draw: pooler, weight: 2 },
    Kind {
        name: "TLS of kept connections",
        shapes: &[Shape::BigResult, Shape::ManyColumns, Shape::Point],
        draw: kept_tls,
        weight: 1,
    },
];

/// The kinds that are about logging in.
pub const LOGINS: &[&str] =
    &["TLS", "SCRAM iterations", "lines of pg_hba.conf", "library at login", "memberships of the role"];

const LOGIN: &[Matter] = &[Matter::Client];
const ROUTE: &[Matter] = &[Matter::Client, Matter::Network];

fn tcp(_: &mut Random, _: &Base) -> Injection {
    Injection::new(
        "TCP, not a socket",
        "the load goes over TCP".to_owned(),
        &[&["TCP"], &["route"], &["network"]],
        ROUTE,
    )
    .with_outside(Outside::Tcp)
}

fn tls(_: &mut Random, _: &Base) -> Injection {
    encrypted("TLS")
}

fn encrypted(kind: &'static str) -> Injection {
    Injection::new(kind, "connections are encrypted".to_owned(), &[&["TLS"], &["SSL"], &["encrypt"]], ROUTE)
        .with_sound_outside(Outside::Tcp)
        .with_outside(Outside::Tls)
}

fn kept_tls(_: &mut Random, _: &Base) -> Injection {
    encrypted("TLS of kept connections")
}

fn scram(random: &mut Random, _: &Base) -> Injection {
    let iterations = random.choose(&[8000, 50_000, 300_000]);
    Injection::new(
        "SCRAM iterations",
        format!("the password is hashed {iterations} times"),
        &[&["SCRAM"], &["iterations"], &["password"], &["authenticat"]],
        LOGIN,
    )
    .with_sound_outside(Outside::ScramIterations(4096))
    .with_outside(Outside::ScramIterations(iterations))
}

fn hba(random: &mut Random, _: &Base) -> Injection {
    let lines = random.choose(&[100, 20_000]);
    Injection::new(
        "lines of pg_hba.conf",
        format!("{lines} lines of pg_hba.conf before the right one"),
        &[&["pg_hba"], &["connect"], &["authenticat"], &["login"]],
        LOGIN,
    )
    .with_outside(Outside::HbaLines(lines))
}

fn library(random: &mut Random, _: &Base) -> Injection {
    let library = random.choose(&["hstore", "auto_explain", "pg_trgm", "passwordcheck", "auth_delay"]);
    Injection::new(
        "library at login",
        format!("session_preload_libraries = {library}"),
        &[&["session_preload_libraries"], &[library]],
        LOGIN,
    )
    .with_setting(&format!("session_preload_libraries = '{library}'"))
}

fn memberships(random: &mut Random, _: &Base) -> Injection {
    let roles = random.choose(&[100, 1500]);
    Injection::new(
        "memberships of the role",
        format!("the role of the load is a member of {roles} roles"),
        &[&["member"], &["connect"], &["login"]],
        LOGIN,
    )
    .with_sql(&format!(
        "DO $$ BEGIN FOR i IN 1..{roles} LOOP EXECUTE format('CREATE ROLE group_%s; GRANT group_%s TO loader', i, i); END LOOP; END $$"
    ))
}

fn idle(random: &mut Random, _: &Base) -> Injection {
    let number = random.choose(&[50, 250]);
    Injection::new(
        "idle sessions",
        format!("{number} idle sessions"),
        &[&["idle", "session"], &["idle", "connection"]],
        &[Matter::Client, Matter::Cpu, Matter::Lock],
    )
    .with_setting_of_both("max_connections = 400")
    .with_outside(Outside::IdleSessions(number))
}

fn pooler(random: &mut Random, base: &Base) -> Injection {
    let size = random.choose(&[1, base.clients, 20]);
    Injection::new(
        "pooler",
        format!("the load goes through PgBouncer with {size} connections to the server"),
        &[&["PgBouncer"], &["pooler"], &["pool"]],
        &[Matter::Client, Matter::Network, Matter::Cpu],
    )
    .with_sound_outside(Outside::Tcp)
    .with_outside(Outside::Pooler(size))
}
