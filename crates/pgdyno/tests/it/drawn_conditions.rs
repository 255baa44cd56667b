//! The conditions of the lab of kinds (`tests/lab_of_kinds`): every seed of the committed list draws what the list
//! says, and a server understands the statements. Nothing is injected or measured here.

use testbed::Postgres;
use tokio_postgres::NoTls;

use crate::generator::condition::Condition;
use crate::generator::draw_condition;
use crate::pieces::{Side, settings_of_side, sql_of_side};

/// What was drawn before any of it was measured.
const COMMITTED: &str = include_str!("../lab_of_kinds/seeds.txt");

#[test]
fn every_seed_draws_the_condition_of_the_committed_list() {
    for (seed, line) in (1..).zip(COMMITTED.lines()) {
        assert_eq!(draw_condition(seed).line(), line, "the list is a proof: draw other conditions from other seeds");
    }
}

#[test]
fn a_seed_draws_the_same_statements_each_time() {
    for seed in 1..=50 {
        let [once, again] = [draw_condition(seed), draw_condition(seed)];
        assert_eq!(once.base.script, again.base.script);
        for side in Side::BOTH {
            assert_eq!(sql_of_side(&once, side), sql_of_side(&again, side));
            assert_eq!(settings_of_side(&once, side), settings_of_side(&again, side));
        }
    }
}

/// The server parses a whole text before it executes the first statement of it, which fails here.
#[tokio::test]
async fn the_statements_of_every_seed_can_be_parsed() {
    let server = Postgres::start_default();
    let (client, connection) = tokio_postgres::connect(&server.socket_conninfo(), NoTls).await.expect("connected");
    let connection = tokio::spawn(connection);
    for seed in (1..).take(COMMITTED.lines().count()) {
        let condition = draw_condition(seed);
        for sql in [sql_of_side(&condition, Side::Sound), sql_of_side(&condition, Side::Injured), load(&condition)] {
            let error = client.batch_execute(&format!("SELECT 1 / 0;\n{sql}")).await.expect_err("a division by zero");
            let code = error.code().map(tokio_postgres::error::SqlState::code);
            assert_eq!(code, Some("22012"), "seed {seed}: {error:?}\n{sql}");
        }
    }
    connection.abort();
}

/// The statements of a load with a number for each variable.
fn load(condition: &Condition) -> String {
    let lines = condition.base.script.lines().filter(|line| !line.starts_with('\\'));
    let mut sql = String::new();
    for line in lines {
        sql.push_str(line);
        sql.push('\n');
    }
    for variable in [":id", ":ref", ":n"] {
        sql = sql.replace(variable, "1");
    }
    sql
}
