//! Whether the data of a target are masked as the capture that is replayed on them: else its statements find no rows,
//! and are fast.

use plan::{Plan, Workload};

use super::member::Member;
use crate::captured::ComparedColumn;
use problem::Problem;

/// So many values at least have to be missing before anything is concluded.
const VALUES_AT_LEAST: usize = 10;

/// Refuses data that have none of the values with which the statements of a masked capture compare their columns.
///
/// # Errors
/// They have none, or the server cannot be asked.
pub(super) async fn refuse_unmasked(
    plan: &Plan,
    member: &mut Member,
    workload: &Workload,
    columns: &[ComparedColumn],
) -> Result<(), Problem> {
    member.target.turn_to(plan.database_on(&member.name, workload));
    let client = member.connect_control().await;
    member.target.turn_to(None);
    let client = client?;
    if let Err(error) = client.batch_execute("SET statement_timeout = '5s'").await {
        return Err(Problem::could_not_measure(format!(
            "target {:?}: could not look for values of the capture",
            member.name
        ))
        .detail(error.to_string()));
    }
    let mut missing: Vec<String> = Vec::new();
    let mut looked_for = 0;
    for ComparedColumn { table, column, values } in columns {
        let sql =
            format!("SELECT count(*) FROM unnest($1::text[]) v WHERE EXISTS (SELECT FROM {table} WHERE {column} = v)");
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        // A column of another type, or one that takes too long to look at, says nothing.
        let Ok(row) = client.query_one(&sql, &[&values]).await else { continue };
        if row.get::<_, i64>(0) > 0 {
            return Ok(());
        }
        looked_for += values.len();
        missing.push(format!("{} of {table}.{column}", values.len()));
    }
    if looked_for < VALUES_AT_LEAST {
        return Ok(());
    }
    Err(Problem::could_not_measure(format!(
        "workload {:?}: the capture is masked, and the data of target {:?} seem not to be",
        workload.name, member.name
    ))
    .detail(format!(
        "its statements look for {}, and none of these values is in the data: they would find no rows",
        missing.join(", ")
    ))
    .hint("mask the data as the capture is (`pgdyno capture mask-sql`), or capture with `--mask none`"))
}
