//! What names of tables mean to a session, as its catalogs say. Reads only; whether it is what is needed is decided by
//! the kind of data ([`super::Data`]).

use tokio_postgres::Row;

use super::DatasetError;
use super::ddl::qualified_table_name;
use super::marker;
use super::session::FillSession;

/// What a name means to a statement that does not say a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResolvedRelation {
    pub(super) name: String,
    pub(super) schema: String,
    /// `relkind`: `r` an ordinary table, `p` a partitioned one, `v` a view, ...
    pub(super) kind: String,
    /// `relpersistence`: `p` permanent, `u` unlogged, `t` temporary.
    pub(super) persistence: String,
    pub(super) comment: Option<String>,
    pub(super) options: Vec<String>,
    /// `name type [not null]`, in order.
    pub(super) columns: Vec<String>,
    /// The only column of a valid primary key.
    pub(super) key: Option<String>,
    /// The names of the indexes that can be used, sorted; that of the primary key is among them.
    pub(super) indexes: Vec<String>,
}

impl ResolvedRelation {
    /// Schema and name, as SQL.
    pub(super) fn qualified_name(&self) -> String {
        qualified_table_name(&self.schema, &self.name)
    }

    /// Whether it carries our mark.
    pub(super) fn is_ours(&self) -> bool {
        marker::is_on(self.comment.as_deref())
    }
}

/// Reads what `names` mean; one that means nothing is left out.
pub(super) async fn read_relations(
    session: &FillSession<'_>,
    names: &[String],
) -> Result<Vec<ResolvedRelation>, DatasetError> {
    let rows = session.query_rows("look for the tables", include_str!("relations.sql"), &[&names]).await?;
    Ok(rows.iter().filter_map(relation_from_row).collect())
}

/// The names of all tables that carry our mark and are meant by their names alone.
pub(super) async fn marked_table_names(session: &FillSession<'_>) -> Result<Vec<String>, DatasetError> {
    let rows = session.query_rows("look for tables of pgdyno", include_str!("ours.sql"), &[&marker::PREFIX]).await?;
    Ok(rows.iter().map(|row| row.get("name")).collect())
}

fn relation_from_row(row: &Row) -> Option<ResolvedRelation> {
    Some(ResolvedRelation {
        name: row.get("name"),
        schema: row.get::<_, Option<String>>("schema")?,
        kind: row.get("kind"),
        persistence: row.get("persistence"),
        comment: row.get("comment"),
        options: row.get("options"),
        columns: row.get("columns"),
        key: row.get("key"),
        indexes: row.get("indexes"),
    })
}

/// Those of `relations` that are not ours, with their schemas.
pub(super) fn unmarked_table_names(relations: &[ResolvedRelation]) -> Vec<String> {
    relations.iter().filter(|relation| !relation.is_ours()).map(ResolvedRelation::qualified_name).collect()
}
