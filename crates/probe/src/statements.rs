//! What pg_stat_statements counts between two instants, for the database of the load. Asks for figures at both, and for
//! texts at the second one. Never fails and never creates the extension: what is not there is a gap.

use std::collections::BTreeMap;
use std::time::Instant as Clock;

use results::statements::{FORMAT, StatementIncreases, TrialStatements};
use tokio::time::Instant;
use tokio_postgres::Row;

use crate::postgres::{ProbeSession, ServerLink, error_with_causes, is_marked_query};
use crate::time_limit::{AT_MOST, in_time};

/// What is asked.
const VIEW: &str = "pg_stat_statements";

/// Statements that are listed: those that took the most time.
const LISTED: usize = 20;

/// Characters of a text that are kept.
const TEXT: usize = 500;

/// What was counted at an instant.
pub(crate) struct StatementSnapshot {
    at: Clock,
    extension: Extension,
    /// When the counters were set to zero.
    reset_us: Option<i64>,
    /// How often the server forgot the statements that were executed least.
    forgotten: i64,
    by_query: BTreeMap<i64, Figures>,
}

/// The extension, as it is installed.
struct Extension {
    /// Its schema, quoted.
    schema: String,
    /// Whether it counts how long statements take to be compiled: from 1.10 on, which a newer server need not have.
    times_jit: bool,
    /// Whether it counts executions by kind of plan: from 1.13 on.
    counts_plans: bool,
}

/// Counters of one statement: calls, microseconds, and [`COUNTS`].
struct Figures {
    calls: i64,
    total_us: f64,
    jit_us: Option<f64>,
    /// Executions by a generic and by a custom plan.
    by_plan: Option<[i64; 2]>,
    counts: [i64; COUNTS.len()],
}

/// Of a statement that was never executed.
const NONE: Figures = Figures { calls: 0, total_us: 0.0, jit_us: None, by_plan: None, counts: [0; COUNTS.len()] };

/// The other counters, as the view calls them.
const COUNTS: [&str; 6] =
    ["rows", "shared_blks_hit", "shared_blks_read", "shared_blks_dirtied", "temp_blks_written", "wal_bytes"];

/// What has been counted so far.
pub(crate) async fn take_statement_snapshot(link: &mut ServerLink) -> Result<StatementSnapshot, String> {
    in_time(link, VIEW, query_statement_snapshot).await
}

/// What has been counted since.
pub(crate) async fn statements_since(
    before: Result<StatementSnapshot, String>,
    link: &mut ServerLink,
) -> TrialStatements {
    try_statements_since(before, link).await.unwrap_or_else(|gap| TrialStatements {
        format: FORMAT,
        gap: Some(gap),
        ..TrialStatements::default()
    })
}

async fn try_statements_since(
    before: Result<StatementSnapshot, String>,
    link: &mut ServerLink,
) -> Result<TrialStatements, String> {
    let before = before?;
    let after = take_statement_snapshot(link).await?;
    if after.reset_us != before.reset_us {
        return Err("the statistics of pg_stat_statements were reset".to_owned());
    }
    let mut statements = statement_differences(&before, &after);
    let ids: Vec<i64> = statements.statements.iter().map(|statement| statement.query_id).collect();
    if let Ok(mut texts) =
        in_time(link, VIEW, async |link| query_statement_texts(link, &after.extension.schema, &ids).await).await
    {
        for statement in &mut statements.statements {
            if let Some((text, by_pgdyno)) = texts.remove(&statement.query_id) {
                statement.text = Some(text);
                statement.by_pgdyno = by_pgdyno;
            }
        }
    }
    Ok(statements)
}

fn statement_differences(before: &StatementSnapshot, after: &StatementSnapshot) -> TrialStatements {
    let mut all: Vec<StatementIncreases> = Vec::new();
    let mut forgotten = after.forgotten > before.forgotten;
    for (id, now) in &after.by_query {
        // A statement that was not there had not been executed.
        let then = before.by_query.get(id).unwrap_or(&NONE);
        match statement_increase(*id, then, now) {
            Some(statement) if statement.calls > 0 => all.push(statement),
            Some(_) => {}
            // It was forgotten and came again: what it did in between is not known.
            None => forgotten = true,
        }
    }
    all.sort_by(|one, other| other.total_us.total_cmp(&one.total_us));
    let mut statements = TrialStatements {
        format: FORMAT,
        gap: forgotten.then(|| "statements were evicted; hint: raise pg_stat_statements.max".to_owned()),
        over_us: u64::try_from(after.at.duration_since(before.at).as_micros()).unwrap_or(u64::MAX),
        calls: all.iter().map(|statement| statement.calls).sum(),
        total_us: all.iter().map(|statement| statement.total_us).sum(),
        jit_us: after.extension.times_jit.then(|| all.iter().filter_map(|statement| statement.jit_us).sum()),
        statements: all,
    };
    statements.statements.truncate(LISTED);
    statements
}

fn statement_increase(query_id: i64, then: &Figures, now: &Figures) -> Option<StatementIncreases> {
    let [generic_plan_calls, custom_plan_calls] = calls_by_plan(then, now);
    let [rows, blocks_hit, blocks_read, blocks_dirtied, temp_blocks_written, wal_bytes] =
        std::array::from_fn(|at| u64::try_from(now.counts[at] - then.counts[at]).ok());
    Some(StatementIncreases {
        query_id,
        text: None,
        by_pgdyno: false,
        calls: u64::try_from(now.calls - then.calls).ok()?,
        total_us: (now.total_us - then.total_us).max(0.0).round(),
        rows: rows?,
        blocks_hit: blocks_hit?,
        blocks_read: blocks_read?,
        blocks_dirtied: blocks_dirtied?,
        temp_blocks_written: temp_blocks_written?,
        wal_bytes: wal_bytes?,
        jit_us: now.jit_us.map(|us| then.jit_us.map_or(us, |then| us - then).max(0.0).round()),
        generic_plan_calls,
        custom_plan_calls,
    })
}

/// Executions by a generic and by a custom plan since, where they are counted.
fn calls_by_plan(then: &Figures, now: &Figures) -> [Option<u64>; 2] {
    let Some(now) = now.by_plan else { return [None, None] };
    let then = then.by_plan.unwrap_or([0, 0]);
    [0, 1].map(|kind| u64::try_from(now[kind] - then[kind]).ok())
}

async fn query_statement_snapshot(link: &mut ServerLink) -> Result<StatementSnapshot, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let extension = find_statements_extension(session).await?;
    let schema = &extension.schema;
    let jit = match extension.times_jit {
        true => "sum(jit_generation_time + jit_inlining_time + jit_optimization_time + jit_emission_time) * 1000",
        false => "NULL::double precision",
    };
    let by_plan = match extension.counts_plans {
        true => "sum(generic_plan_calls)::bigint AS generic_calls, sum(custom_plan_calls)::bigint AS custom_calls",
        false => "NULL::bigint AS generic_calls, NULL::bigint AS custom_calls",
    };
    let sums: Vec<String> = COUNTS.iter().map(|name| format!("sum({name})::bigint AS {name}")).collect();
    let sql = format!(
        "SELECT queryid, sum(calls)::bigint AS calls, sum(total_exec_time) * 1000 AS total_us, {jit} AS jit_us, {by_plan}, {}, \
         (EXTRACT(EPOCH FROM info.stats_reset) * 1000000)::bigint AS reset_us, info.dealloc AS forgotten \
         FROM {schema}.pg_stat_statements(false) CROSS JOIN {schema}.pg_stat_statements_info AS info \
         WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND queryid IS NOT NULL \
         GROUP BY queryid, info.stats_reset, info.dealloc",
        sums.join(", ")
    );
    let rows = session.query_once(&sql, &[]).await.map_err(|error| error_with_causes(&error))?;
    let mut snapshot =
        StatementSnapshot { at: Clock::now(), extension, reset_us: None, forgotten: 0, by_query: BTreeMap::new() };
    for row in &rows {
        snapshot.reset_us = row.try_get("reset_us").map_err(|error| error.to_string())?;
        snapshot.forgotten = row.try_get("forgotten").map_err(|error| error.to_string())?;
        let (id, figures) = figures_from_row(row).map_err(|error| error.to_string())?;
        snapshot.by_query.insert(id, figures);
    }
    Ok(snapshot)
}

fn figures_from_row(row: &Row) -> Result<(i64, Figures), tokio_postgres::Error> {
    let mut counts = [0; COUNTS.len()];
    for (count, name) in counts.iter_mut().zip(COUNTS) {
        *count = row.try_get(name)?;
    }
    let (calls, total_us, jit_us) = (row.try_get("calls")?, row.try_get("total_us")?, row.try_get("jit_us")?);
    let by_plan: [Option<i64>; 2] = [row.try_get("generic_calls")?, row.try_get("custom_calls")?];
    let by_plan = match by_plan {
        [Some(generic), Some(custom)] => Some([generic, custom]),
        _ => None,
    };
    Ok((row.try_get("queryid")?, Figures { calls, total_us, jit_us, by_plan, counts }))
}

async fn find_statements_extension(session: &mut ProbeSession) -> Result<Extension, String> {
    let sql = "SELECT quote_ident(nspname) AS schema, EXISTS (SELECT FROM pg_proc WHERE proname = 'pg_stat_statements' \
               AND pronamespace = extnamespace AND 'jit_generation_time' = ANY (proargnames)) AS times_jit, \
               EXISTS (SELECT FROM pg_proc WHERE proname = 'pg_stat_statements' \
               AND pronamespace = extnamespace AND 'generic_plan_calls' = ANY (proargnames)) AS counts_plans \
               FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace \
               WHERE extname = 'pg_stat_statements'";
    let rows = session.query_rows(sql, &[]).await?;
    let row = rows.first().ok_or("the database has no extension pg_stat_statements")?;
    extension_from_row(row).map_err(|error| error.to_string())
}

fn extension_from_row(row: &Row) -> Result<Extension, tokio_postgres::Error> {
    let (times_jit, counts_plans) = (row.try_get("times_jit")?, row.try_get("counts_plans")?);
    Ok(Extension { schema: row.try_get("schema")?, times_jit, counts_plans })
}

/// Of each statement its text for people, and whether it is a query of the probes.
async fn query_statement_texts(
    link: &mut ServerLink,
    schema: &str,
    ids: &[i64],
) -> Result<BTreeMap<i64, (String, bool)>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let sql = format!(
        "SELECT DISTINCT ON (queryid) queryid, query FROM {schema}.pg_stat_statements(true) \
         WHERE queryid = ANY ($1) AND query IS NOT NULL"
    );
    let rows = session.query_once(&sql, &[&ids]).await.map_err(|error| error_with_causes(&error))?;
    rows.iter().map(text_from_row).collect::<Result<_, tokio_postgres::Error>>().map_err(|error| error.to_string())
}

fn text_from_row(row: &Row) -> Result<(i64, (String, bool)), tokio_postgres::Error> {
    let text = row.try_get("query")?;
    Ok((row.try_get("queryid")?, (statement_text_for_display(text), is_marked_query(text))))
}

/// A statement's text on one line, shortened, without what stands in quotes: of statements that are not planned, as
/// ALTER ROLE, the server leaves it in, and it may be a password.
pub(crate) fn statement_text_for_display(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '$']) {
        let (plain, quoted) = rest.split_at(at);
        shown.push_str(plain);
        match quote_end(quoted) {
            Some(end) => {
                shown.push_str("'…'");
                rest = &quoted[end..];
            }
            None => {
                shown.push_str(&quoted[..1]);
                rest = &quoted[1..];
            }
        }
    }
    shown.push_str(rest);
    let one_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(TEXT) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

/// Where a literal ends that begins a text; none where it is a parameter, as `$1`. One without an end takes all of it.
fn quote_end(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_prefix('\'') {
        let mut end = 1;
        let mut rest = inner;
        loop {
            let Some(at) = rest.find('\'') else { return Some(text.len()) };
            end += at + 1;
            rest = &rest[at + 1..];
            // A backslash before it escapes it in some strings and ends it in others:
            // rather all that follows is left out.
            if text[..end - 1].ends_with('\\') {
                return Some(text.len());
            }
            let Some(after) = rest.strip_prefix('\'') else { return Some(end) };
            end += 1;
            rest = after;
        }
    }
    let tag_end = text[1..].find('$')? + 2;
    let tag = &text[..tag_end];
    let named = tag[1..tag_end - 1].chars().all(|c| c.is_alphanumeric() || c == '_');
    if !named || tag[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some(text[tag_end..].find(tag).map_or(text.len(), |at| tag_end + at + tag_end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_quotes_is_left_out_and_parameters_stay() {
        let check = |text: &str, expected: &str| assert_eq!(statement_text_for_display(text), expected, "{text}");
        check("SELECT a\n  FROM t WHERE b = $1 AND c = $2", "SELECT a FROM t WHERE b = $1 AND c = $2");
        check("ALTER ROLE r PASSWORD 'sec''ret' VALID UNTIL 'x'", "ALTER ROLE r PASSWORD '…' VALID UNTIL '…'");
        check("ALTER ROLE r PASSWORD E'sec\\'ret'", "ALTER ROLE r PASSWORD E'…'");
        check(r"OPTIONS (user 'DOM\', password 'secret')", "OPTIONS (user '…'");
        check("DO $do$ secret $1 $$ $do$ LANGUAGE x", "DO '…' LANGUAGE x");
        check("DO $$secret", "DO '…'");
        check("ALTER ROLE r PASSWORD 'secret", "ALTER ROLE r PASSWORD '…'");
        assert_eq!(statement_text_for_display(&"ä".repeat(600)).chars().count(), TEXT + 1);
    }
}
