//! What the system catalogs say of the tables that a load touched, when it has ended. A short series of queries, each
//! of which fails by itself: what cannot be had is a gap with its reason.

use std::collections::BTreeMap;

use results::catalog::{Catalog, CatalogAnswer, CatalogObject, CatalogPart, CatalogValue};
use tokio::time::Instant;
use tokio_postgres::Row;

use crate::compression::{SampledTables, StoredCompression};
use crate::postgres::ServerLink;
use crate::time_limit::{AT_MOST, in_time};

/// Characters of a definition that are kept.
const DEFINITION: usize = 1000;

const RELATED: &str = include_str!("../sql/catalog_related.14.sql");

/// The objects of the tables with these numbers, of those that they belong to, and of the database. How columns are
/// compressed is what was sampled of them, where it was.
pub(crate) async fn read_catalog(link: &mut ServerLink, touched: &[u32], sampled: &SampledTables) -> Catalog {
    let begun = Instant::now();
    let related =
        in_time(link, "the tables that others belong to", async |link| related_tables(link, touched).await).await;
    let tables = related.unwrap_or_else(|_| touched.to_vec());
    let mut parts = BTreeMap::new();
    for part in CatalogPart::ALL {
        // A server that is this slow is not asked ten times more: the next trial waits.
        if begun.elapsed() > AT_MOST {
            let gap = format!("the catalogs did not answer within {} s", AT_MOST.as_secs());
            parts.insert(part, CatalogAnswer::Gap { gap });
            continue;
        }
        let asked = in_time(link, "the catalog", async |link| objects_of_part(link, part, &tables).await).await;
        let answer = match asked {
            Ok(mut objects) => {
                if part == CatalogPart::Columns {
                    objects.iter_mut().for_each(|column| enter_stored_compression(column, sampled));
                }
                CatalogAnswer::Objects(objects)
            }
            Err(gap) => CatalogAnswer::Gap { gap },
        };
        parts.insert(part, answer);
    }
    Catalog { parts }
}

fn query_of(part: CatalogPart) -> &'static str {
    match part {
        CatalogPart::Tables => include_str!("../sql/catalog_tables.14.sql"),
        CatalogPart::Columns => include_str!("../sql/catalog_columns.14.sql"),
        CatalogPart::Indexes => include_str!("../sql/catalog_indexes.14.sql"),
        CatalogPart::ExtendedStatistics => include_str!("../sql/catalog_extended_statistics.14.sql"),
        CatalogPart::Policies => include_str!("../sql/catalog_policies.14.sql"),
        CatalogPart::Triggers => include_str!("../sql/catalog_triggers.14.sql"),
        CatalogPart::Constraints => include_str!("../sql/catalog_constraints.14.sql"),
        CatalogPart::Views => include_str!("../sql/catalog_views.14.sql"),
        CatalogPart::Functions => include_str!("../sql/catalog_functions.14.sql"),
        CatalogPart::ForeignServers => include_str!("../sql/catalog_foreign_servers.14.sql"),
        CatalogPart::Settings => include_str!("../sql/catalog_settings.14.sql"),
        CatalogPart::EventTriggers => include_str!("../sql/catalog_event_triggers.14.sql"),
    }
}

/// Puts what is stored of a column in the place of what its definition says of compression.
fn enter_stored_compression(column: &mut CatalogObject, sampled: &SampledTables) {
    let Some(table) = column.table.as_deref() else { return };
    match sampled.compression_by_name(table, &column.name) {
        Some(StoredCompression::Nothing) => {
            column.facts.remove("compression");
        }
        Some(StoredCompression::Methods(methods)) => {
            column.facts.insert("compression".to_owned(), CatalogValue::Text(methods.clone()));
        }
        None => {}
    }
}

async fn related_tables(link: &mut ServerLink, touched: &[u32]) -> Result<Vec<u32>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let mut numbers = Vec::new();
    for row in session.query_rows(RELATED, &[&touched]).await? {
        numbers.push(row.try_get("oid").map_err(|error| error.to_string())?);
    }
    Ok(numbers)
}

async fn objects_of_part(
    link: &mut ServerLink,
    part: CatalogPart,
    tables: &[u32],
) -> Result<Vec<CatalogObject>, String> {
    let session = link.session_until_deadline(Instant::now() + AT_MOST).await.map_err(|silence| silence.to_string())?;
    let needs_tables = part.is_of_tables() || part == CatalogPart::Views;
    let rows = if needs_tables {
        session.query_rows(query_of(part), &[&tables]).await?
    } else {
        session.query_rows(query_of(part), &[]).await?
    };
    let mut objects = Vec::with_capacity(rows.len());
    for row in &rows {
        objects.push(object_of_row(row)?);
    }
    Ok(objects)
}

fn text_of_column(row: &Row, column: &str) -> Result<Option<String>, String> {
    row.try_get(column).map_err(|error| error.to_string())
}

fn object_of_row(row: &Row) -> Result<CatalogObject, String> {
    let facts = text_of_column(row, "facts")?.ok_or("an object without facts")?;
    Ok(CatalogObject {
        table: text_of_column(row, "table_name")?,
        name: text_of_column(row, "name")?.ok_or("an object without a name")?,
        definition: text_of_column(row, "definition")?.map(|definition| definition.chars().take(DEFINITION).collect()),
        facts: serde_json::from_str::<BTreeMap<String, CatalogValue>>(&facts).map_err(|error| error.to_string())?,
    })
}
