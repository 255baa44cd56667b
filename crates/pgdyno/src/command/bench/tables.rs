//! pgbench's tables: making them (`-i`), their scale, what is done to them before a run.

use std::num::NonZeroU32;

use dataset::{Data, Ownership, PgbenchData};
use load::StopRequest;
use server::Target;
use tokio_postgres::Client;
use work::TableAccess;

use super::request::{PreRunVacuum, Workload};
use crate::command::Manner;
use measure::progress::print_to_stderr;
use problem::{CommandStatus, Problem};

/// Makes the tables, or finds them intact.
pub(super) async fn initialize_tables(
    scale: NonZeroU32,
    fillfactor: Option<u8>,
    target: &Target,
    stop: &StopRequest,
    manner: Manner,
) -> Result<CommandStatus, Problem> {
    let mut last = String::new();
    let mut show = |step: dataset::DatasetProgress| {
        let text = match step {
            dataset::DatasetProgress::Copying { table, rows_done, rows_total } => {
                format!("{table}: {} % of {rows_total} rows", rows_done * 100 / rows_total.max(1) / 10 * 10)
            }
            other => format!("{other:?}").to_lowercase(),
        };
        if !manner.quiet && text != last {
            print_to_stderr(&text);
            last = text;
        }
    };
    let mut data = PgbenchData::new(scale)?;
    if let Some(percent) = fillfactor {
        data = data.with_fillfactor(percent)?;
    }
    dataset::ensure_dataset(&target.control_config(), &Data::from(data), Ownership::Managed, stop, &mut show).await?;
    Ok(CommandStatus::Done)
}

/// The value of `:scale`. As with pgbench, for the built-in scripts it is what the tables say, whatever is given.
pub(super) async fn effective_scale(client: &Client, workload: &Workload) -> Result<u32, Problem> {
    let given = workload.scale.map(NonZeroU32::get);
    if !workload.built_in {
        return Ok(given.unwrap_or(1));
    }
    let counted = counted_scale(client).await?;
    if given.is_some_and(|given| given != counted) {
        print_to_stderr(&format!("scale option ignored, using count from pgbench_branches table ({counted})"));
    }
    Ok(counted)
}

async fn counted_scale(client: &Client) -> Result<u32, Problem> {
    let problem = |detail: String| {
        Problem::could_not_measure("could not read the scale from the row count of pgbench_branches")
            .detail(detail)
            .hint("create the data with `pgdyno bench -i` (or `pgbench -i`)")
    };
    let row = client
        .query_one("SELECT count(*) FROM pgbench_branches", &[])
        .await
        .map_err(|error| problem(error.as_db_error().map_or(error.to_string(), |db| db.message().to_owned())))?;
    u32::try_from(row.get::<_, i64>(0))
        .ok()
        .filter(|scale| *scale > 0)
        .ok_or_else(|| problem("the table is empty".to_owned()))
}

/// Does to the tables what pgbench does before a run; scripts of one's own may do without them.
pub(super) async fn vacuum_tables(client: &Client, workload: &Workload, scale: u32) -> Result<(), Problem> {
    if workload.vacuum == PreRunVacuum::No || !(workload.built_in || tables_exist(client).await?) {
        return Ok(());
    }
    let reads = workload.scripts.iter().all(|weighted| weighted.script.name() == "select-only");
    let access = if reads && workload.built_in { TableAccess::Reads } else { TableAccess::Writes };
    let scale = NonZeroU32::new(scale).unwrap_or(NonZeroU32::MIN);
    let data = Data::from(PgbenchData::new(scale)?);
    dataset::prepare_trial(client, &data, Ownership::Existing, access).await?;
    if access == TableAccess::Writes {
        // Whoever made it: this is what pgbench does, and what its users expect.
        client.batch_execute("TRUNCATE pgbench_history").await.map_err(|error| server_error(&error))?;
    }
    if workload.vacuum == PreRunVacuum::All {
        client.batch_execute("VACUUM ANALYZE pgbench_accounts").await.map_err(|error| server_error(&error))?;
    }
    Ok(())
}

async fn tables_exist(client: &Client) -> Result<bool, Problem> {
    let sql = "SELECT count(to_regclass(t)) = 4
                 FROM unnest('{pgbench_accounts,pgbench_branches,pgbench_history,pgbench_tellers}'::text[]) AS t";
    client.query_one(sql, &[]).await.map(|row| row.get(0)).map_err(|error| server_error(&error))
}

fn server_error(error: &tokio_postgres::Error) -> Problem {
    let said = error.as_db_error().map_or(error.to_string(), |db| db.message().to_owned());
    Problem::could_not_measure("could not reset the pgbench tables").detail(said).hint("-n skips VACUUM and TRUNCATE")
}
