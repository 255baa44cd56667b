//! Whether the sides begin with the same rows: all tables that were restored from a dump, read once and compared.

use std::collections::BTreeMap;

use plan::{Plan, RESTORED_DATABASE};
use results::facts::RestoredTable;
use tokio_postgres::Client;

use super::fleet::Fleet;
use super::member::Member;
use crate::progress::ProgressReporter;
use problem::Problem;

/// The largest database that is read for it, in bytes.
const READ_AT_MOST: i64 = 4 << 30;

/// Rows have the same text on every server with these.
const SETTINGS: &str = "
    SET search_path = ''; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres';
    SET extra_float_digits = 1; SET bytea_output = 'hex'; SET lc_monetary = 'C'";

const TABLES: &str = "
    SELECT format('%I.%I', n.nspname, c.relname)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relpersistence <> 't'
     ORDER BY 1";

/// Reads the restored tables of every target into its facts, and says whether they are the same.
///
/// # Errors
/// What a server says.
pub(super) async fn compare_restored_rows(
    plan: &Plan,
    fleet: &mut Fleet,
    progress: &ProgressReporter,
) -> Result<(), Problem> {
    let mut compared: Vec<(String, BTreeMap<String, RestoredTable>)> = Vec::new();
    for member in fleet.members_mut() {
        if plan.target_by_name(&member.name).is_none_or(|target| target.data.is_none()) {
            continue;
        }
        progress.show_stage(&format!("{}: reading the restored tables", member.name), 0, 1);
        match read_tables(member).await? {
            Some(tables) => {
                member.facts.server.restored_tables = Some(tables.clone());
                compared.push((member.name.clone(), tables));
            }
            None => {
                progress.print_line(&format!("{}: the restored tables are too large to be compared", member.name));
                return Ok(());
            }
        }
    }
    if let Some(line) = comparison_in_words(&compared) {
        progress.print_line(&line);
    }
    Ok(())
}

/// `None`: they are too large.
async fn read_tables(member: &mut Member) -> Result<Option<BTreeMap<String, RestoredTable>>, Problem> {
    member.target.turn_to(Some(RESTORED_DATABASE.to_owned()));
    let client = member.connect_control().await;
    member.target.turn_to(None);
    rows_of_tables(&client?).await.map_err(|error| {
        Problem::could_not_measure(format!("target {:?}: could not read the restored tables", member.name))
            .detail(error.to_string())
    })
}

async fn rows_of_tables(client: &Client) -> Result<Option<BTreeMap<String, RestoredTable>>, tokio_postgres::Error> {
    let bytes: i64 = client.query_one("SELECT pg_database_size(current_database())", &[]).await?.get(0);
    if bytes > READ_AT_MOST {
        return Ok(None);
    }
    client.batch_execute(SETTINGS).await?;
    let mut tables = BTreeMap::new();
    for row in client.query(TABLES, &[]).await? {
        let table: String = row.get(0);
        let sql = format!(
            "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text FROM ONLY {table} t"
        );
        let row = client.query_one(&sql, &[]).await?;
        let rows = row.get::<_, i64>(0).unsigned_abs();
        tables.insert(table, RestoredTable { rows, checksum: row.get(1) });
    }
    Ok(Some(tables))
}

/// What there is to say of the tables of several targets; nothing without any.
fn comparison_in_words(compared: &[(String, BTreeMap<String, RestoredTable>)]) -> Option<String> {
    let (first_target, first) = compared.first()?;
    let rows: u64 = first.values().map(|table| table.rows).sum();
    let counted = format!("{} tables with {rows} rows", first.len());
    let mut differing: Vec<String> = Vec::new();
    for (target, tables) in &compared[1..] {
        for name in first.keys().chain(tables.keys().filter(|name| !first.contains_key(*name))) {
            if first.get(name) != tables.get(name) {
                differing.push(format!("{name} on {first_target} and {target}"));
            }
        }
    }
    Some(match (compared.len(), differing.as_slice()) {
        (1, _) => format!("restored data: {counted} on {first_target}"),
        (_, []) => format!("restored data: {counted}, the same checksums on all targets"),
        (_, differing) => format!("restored data: the rows differ: {}", differing.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(checksum: &str) -> BTreeMap<String, RestoredTable> {
        [("public.t".to_owned(), RestoredTable { rows: 7, checksum: checksum.to_owned() })].into()
    }

    #[test]
    fn what_differs_between_targets_is_named() {
        let of = |name: &str, checksum: &str| (name.to_owned(), tables(checksum));
        let words = |compared: &[_]| comparison_in_words(compared).unwrap_or_default();
        assert_eq!(words(&[]), "");
        assert_eq!(words(&[of("a", "1")]), "restored data: 1 tables with 7 rows on a");
        let same = words(&[of("a", "1"), of("b", "1")]);
        assert_eq!(same, "restored data: 1 tables with 7 rows, the same checksums on all targets");
        let other = words(&[of("a", "1"), of("b", "2"), ("c".to_owned(), BTreeMap::new())]);
        assert_eq!(other, "restored data: the rows differ: public.t on a and b, public.t on a and c");
    }
}
