//! Whether the tables in a database are those that are asked for.

use tokio_postgres::Row;

use super::ErpData;
use super::tables::ErpTables;
use crate::defect::nothing_found_text;
use crate::marker::{self, SetUpState};
use crate::relation::ResolvedRelation;
use crate::session::FillSession;
use crate::{DatasetError, Defect, Ownership};

/// What is wrong with the tables. Structure first: rows are only counted in tables that have the columns and keys for
/// it.
pub(crate) async fn find_erp_defects(
    session: &FillSession<'_>,
    relations: &[ResolvedRelation],
    data: &ErpData,
    ownership: Ownership,
) -> Result<Vec<Defect>, DatasetError> {
    let defects = structure_defects(relations, data, ownership);
    if !defects.is_empty() {
        return Ok(defects);
    }
    let rows = session
        .query_rows("count rows of the erp tables", &ErpTables::of_object(data.object).row_count_query(data.scale), &[])
        .await?;
    let lacking = |row: &Row| {
        let (found, expected): (i64, i64) = (row.get("found"), row.get("expected"));
        let what = format!("lacks {} of {expected} rows that were looked up", expected - found);
        (found != expected).then(|| Defect::new(row.get::<_, String>("name"), what))
    };
    Ok(rows.iter().filter_map(lacking).collect())
}

/// What the catalogs say against the tables.
fn structure_defects(relations: &[ResolvedRelation], data: &ErpData, ownership: Ownership) -> Vec<Defect> {
    let tables = ErpTables::of_object(data.object);
    let mut defects = Vec::new();
    for name in tables.table_names() {
        let Some(relation) = relations.iter().find(|relation| relation.name == name) else {
            defects.push(Defect::new(name, "does not exist"));
            continue;
        };
        let mut indexes: Vec<String> = tables
            .indexes_with_statements()
            .filter(|index| index.table == name)
            .map(|index| index.index_name())
            .collect();
        indexes.sort();
        let mark = match ownership {
            Ownership::Managed => marker::marker_text(data.marker_identity(), SetUpState::Ready),
            Ownership::Existing => relation.comment.clone().unwrap_or_else(nothing_found_text),
        };
        for (what, found, expected) in [
            ("the comment", relation.comment.clone().unwrap_or_else(nothing_found_text), mark),
            ("kind and persistence", format!("{}{}", relation.kind, relation.persistence), "rp".to_owned()),
            ("columns", relation.columns.join(", "), tables.column_definitions(name).join(", ")),
            ("the indexes", relation.indexes.join(", "), indexes.join(", ")),
            ("the schema", relation.schema.clone(), relations[0].schema.clone()),
        ] {
            if found != expected {
                defects.push(Defect::new(name, format!("has {what} {found} instead of {expected}")));
            }
        }
    }
    defects
}
