//! By which methods the values of tables are compressed: of a sample of their pages, since what a column's definition
//! says of compression acts on no value that is too short to be compressed, and the default of a server on none that
//! was stored before. Never fails: of what was not sampled nothing is known.

use std::collections::BTreeMap;

use tokio::time::Instant;

use crate::postgres::ServerLink;
use crate::time_limit::{AT_MOST, in_time};

const SAMPLES: &str = include_str!("../sql/compression_samples.14.sql");

/// How values of a column are compressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoredCompression {
    /// None of the sampled ones is.
    Nothing,
    /// Some are, by these methods: `pglz`, `lz4`, or both with a comma between.
    Methods(String),
}

/// Those of the tables that were sampled and have rows.
#[derive(Debug, Default)]
pub(crate) struct SampledTables {
    by_number: BTreeMap<u32, SampledTable>,
}

#[derive(Debug)]
struct SampledTable {
    /// With its schema, both quoted where SQL wants it.
    name: String,
    columns: BTreeMap<String, StoredCompression>,
}

impl SampledTables {
    /// Of a column, quoted where SQL wants it, of the table with a number; none where that was not sampled.
    pub(crate) fn compression_in_table(&self, number: u32, column: &str) -> Option<&StoredCompression> {
        self.by_number.get(&number)?.columns.get(column)
    }

    /// The same of the table with a name.
    pub(crate) fn compression_by_name(&self, table: &str, column: &str) -> Option<&StoredCompression> {
        self.by_number.values().find(|sampled| sampled.name == table)?.columns.get(column)
    }
}

/// Samples the tables with these numbers, as far as the role may read them and the time suffices.
pub(crate) async fn sample_tables(link: &mut ServerLink, numbers: &[u32]) -> SampledTables {
    let begun = Instant::now();
    let mut sampled = SampledTables::default();
    let Ok(queries) =
        in_time(link, "the tables to sample", async |link| queries_for_samples(link, numbers).await).await
    else {
        return sampled;
    };
    for (number, name, query) in queries {
        if begun.elapsed() > AT_MOST {
            break;
        }
        let columns = in_time(link, "the sample", async |link| sample_columns(link, &query).await).await;
        if let Ok(columns) = columns {
            sampled.by_number.insert(number, SampledTable { name, columns });
        }
    }
    sampled
}

async fn queries_for_samples(link: &mut ServerLink, numbers: &[u32]) -> Result<Vec<(u32, String, String)>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let mut queries = Vec::new();
    for row in session.query_rows(SAMPLES, &[&numbers]).await? {
        let columns = (row.try_get("oid"), row.try_get("table_name"), row.try_get("query"));
        if let (Ok(number), Ok(name), Ok(query)) = columns {
            queries.push((number, name, query));
        }
    }
    Ok(queries)
}

async fn sample_columns(link: &mut ServerLink, query: &str) -> Result<BTreeMap<String, StoredCompression>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let mut columns = BTreeMap::new();
    for row in session.query_once(query, &[]).await.map_err(|error| error.to_string())? {
        let name: String = row.try_get("column_name").map_err(|error| error.to_string())?;
        let methods: Option<String> = row.try_get("methods").map_err(|error| error.to_string())?;
        columns.insert(name, methods.map_or(StoredCompression::Nothing, StoredCompression::Methods));
    }
    Ok(columns)
}
