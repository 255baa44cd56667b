//! Whether the tables in a database are those that are asked for.

use super::ddl;
use super::layout::{Oltp, SysbenchData, SysbenchShape, table_name};
use crate::defect::nothing_found_text;
use crate::marker::{self, SetUpState};
use crate::relation::ResolvedRelation;
use crate::session::FillSession;
use crate::{DatasetError, Defect, Ownership};

/// How many rows of each table are looked up by their ids, evenly spaced from the first to the last. Counting them all
/// would read the whole key; a gap of more than a thousandth of the rows cannot be missed.
const PROBES: u32 = 1000;

/// What is wrong with the tables. Structure first: rows are only looked up in tables that have the columns and keys for
/// it.
pub(crate) async fn find_sysbench_defects(
    session: &FillSession<'_>,
    relations: &[ResolvedRelation],
    data: &SysbenchData,
    ownership: Ownership,
) -> Result<Vec<Defect>, DatasetError> {
    let mut defects = Vec::new();
    for number in 1..=data.table_count() {
        check_structure(number, relations, data, ownership, &mut defects);
    }
    for relation in relations {
        if !defects.is_empty() {
            break;
        }
        match data.table_shape() {
            SysbenchShape::Oltp(oltp) => check_rows(session, relation, &oltp, &mut defects).await?,
            SysbenchShape::Bulk => check_emptiness(session, relation, ownership, &mut defects).await?,
        }
    }
    Ok(defects)
}

fn check_structure(
    number: u32,
    relations: &[ResolvedRelation],
    data: &SysbenchData,
    ownership: Ownership,
    defects: &mut Vec<Defect>,
) {
    let table = table_name(number);
    let Some(relation) = relations.iter().find(|relation| relation.name == table) else {
        defects.push(Defect::new(table, "does not exist"));
        return;
    };
    let mut must_be = |what: &str, found: String, expected: &str| {
        if found != expected {
            defects.push(Defect::new(&table, format!("has {what} {found} instead of {expected}")));
        }
    };
    if ownership == Ownership::Managed {
        let mark = marker::marker_text(data.marker_identity(), SetUpState::Ready);
        must_be("the comment", relation.comment.clone().unwrap_or_else(nothing_found_text), &mark);
        must_be("kind and persistence", format!("{}{}", relation.kind, relation.persistence), "rp");
        must_be("the schema", relation.schema.clone(), &relations[0].schema);
    }
    let columns = match data.table_shape() {
        SysbenchShape::Oltp(_) => {
            "id integer not null, k integer not null, c character(120) not null, pad character(60) not null"
        }
        SysbenchShape::Bulk => "id integer not null, k integer not null",
    };
    must_be("columns", relation.columns.join(", "), columns);
    must_be("the primary key", relation.key.clone().unwrap_or_else(nothing_found_text), "id");
    if let SysbenchShape::Oltp(Oltp { secondary_index: true, .. }) = data.table_shape() {
        let index = ddl::index(number);
        if !relation.indexes.contains(&index) {
            defects.push(Defect::new(&table, format!("has no index {index}")));
        }
    }
}

async fn check_rows(
    session: &FillSession<'_>,
    relation: &ResolvedRelation,
    oltp: &Oltp,
    defects: &mut Vec<Defect>,
) -> Result<(), DatasetError> {
    let table = relation.qualified_name();
    let sql = format!(
        "SELECT min(id)::bigint, max(id)::bigint, pg_get_serial_sequence($1, 'id') IS NOT NULL,
                (SELECT count(*) FROM generate_series(0, {PROBES} - 1) AS probe
                  WHERE EXISTS (SELECT FROM {table} WHERE id = 1 + probe * ($2::bigint - 1) / ({PROBES} - 1)))
           FROM {table}"
    );
    let step = format!("look up rows of table {}", relation.name);
    let row = session.query_row(&step, &sql, &[&table, &i64::from(oltp.rows)]).await?;
    let mut defect = |what: String| defects.push(Defect::new(&relation.name, what));
    let ends = row.get::<_, Option<i64>>(0).zip(row.get::<_, Option<i64>>(1));
    let expected = (oltp.rows > 0).then_some((1, i64::from(oltp.rows)));
    let range = |ends: Option<(i64, i64)>| {
        ends.map_or_else(|| "no rows".to_owned(), |(first, last)| format!("ids from {first} to {last}"))
    };
    let found: i64 = row.get(3);
    if ends != expected {
        defect(format!("has {} instead of {}", range(ends), range(expected)));
    } else if oltp.rows > 0 && found != i64::from(PROBES) {
        defect(format!("lacks {} of {PROBES} rows that were looked up", i64::from(PROBES) - found));
    }
    if oltp.serial && !row.get::<_, bool>(2) {
        defect("does not generate its ids: it was created with auto_inc=off".to_owned());
    }
    Ok(())
}

/// A run of bulk_insert numbers its rows from 1 on; those that are there would be in its way. Ours are emptied before a
/// trial.
async fn check_emptiness(
    session: &FillSession<'_>,
    relation: &ResolvedRelation,
    ownership: Ownership,
    defects: &mut Vec<Defect>,
) -> Result<(), DatasetError> {
    if ownership == Ownership::Managed {
        return Ok(());
    }
    let sql = format!("SELECT EXISTS (SELECT FROM {})", relation.qualified_name());
    let row = session.query_row(&format!("look for rows of table {}", relation.name), &sql, &[]).await?;
    if row.get::<_, bool>(0) {
        defects.push(Defect::new(&relation.name, "is not empty"));
    }
    Ok(())
}
