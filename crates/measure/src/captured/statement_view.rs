//! `pg_stat_statements` read twice, and the statistics of the columns that its statements compare values with. Only
//! reads.

use std::collections::HashMap;
use std::time::Duration;

use capture::statement_view::{
    ColumnReference, ColumnStatistics, DrawnValues, PlaceholderUse, UnknownValues, UsedColumn, ViewedPeriod,
    ViewedStatement, WHOLE_NUMBERS, is_executed_alone, parameter_uses,
};
use conninfo::ConnInfo;
use jiff::Timestamp;
use load::StopRequest;
use problem::Problem;

use crate::server_message::message_of_error;
use tokio_postgres::types::{Kind, Type};
use tokio_postgres::{Client, Row};

/// How often it is looked whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Rows are added up over users; calls within functions do not count where the view tells them apart.
const COUNTS: &str = "SELECT /* pgdyno capture */ queryid, sum(calls)::int8 AS calls, \
     sum(TOTAL)::float8 * 1000 AS busy_us, sum(rows)::int8 AS rows \
     FROM SCHEMA.pg_stat_statements(false) \
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND queryid IS NOT NULL TOPLEVEL \
     GROUP BY queryid";

const TEXTS: &str = "SELECT /* pgdyno capture */ DISTINCT ON (queryid) queryid, query \
     FROM SCHEMA.pg_stat_statements(true) \
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND queryid IS NOT NULL \
     ORDER BY queryid, query = '<insufficient privilege>'";

const COLUMN: &str = "SELECT /* pgdyno capture */ t.typname::text AS type_name, s.null_frac::float8 AS null_share, \
     s.most_common_vals::text::text[] AS common, s.most_common_freqs AS shares, \
     s.histogram_bounds::text::text[] AS bounds, \
     EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indnkeyatts = 1 \
     AND i.indkey[0] = a.attnum) AS is_unique, quote_ident(a.attname) AS column_name \
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
     JOIN pg_type t ON t.oid = a.atttypid \
     JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname \
     WHERE a.attrelid = to_regclass($1) AND (a.attname = $2 OR a.attnum = $3) AND a.attnum > 0 \
     AND NOT a.attisdropped AND t.typcategory <> 'A' ORDER BY s.inherited DESC LIMIT 1";

/// What the view has of a statement at one time.
#[derive(Debug, Clone, Copy, Default)]
struct ViewCounts {
    calls: i64,
    busy_us: f64,
    rows: i64,
}

/// A session that reads the view.
struct ViewReader {
    client: Client,
    schema: String,
    server_version: String,
    version_number: u32,
    /// By the table, and the column as it is named.
    columns: HashMap<(String, String), Option<ColumnStatistics>>,
}

/// Reads the view, waits for so long or until it is stopped, and reads it again.
///
/// # Errors
/// The server cannot be asked, or does not have the view.
pub async fn read_statement_view(
    server: &ConnInfo,
    time: Option<Duration>,
    stop: &StopRequest,
) -> Result<(Vec<ViewedStatement>, ViewedPeriod), Problem> {
    let opened = control::Config::from(server).open_connection().await;
    let (client, driver) = opened.map_err(|error| {
        Problem::could_not_measure(format!("could not connect to {}", server.display_address()))
            .detail(error.in_words())
    })?;
    // It ends with the session.
    tokio::spawn(driver);
    let mut reader = ViewReader::open_view(client).await.map_err(|error| view_problem(&error))??;
    let (begin, counted) = (Timestamp::now(), reader.read_counts().await.map_err(|error| view_problem(&error))?);
    let dropped_before = reader.read_dropped().await;
    let begun = std::time::Instant::now();
    while !stop.is_requested() && time.is_none_or(|time| begun.elapsed() < time) {
        tokio::time::sleep(LOOK).await;
    }
    let end = Timestamp::now();
    let statements = reader.read_statements(&counted).await.map_err(|error| view_problem(&error))?;
    let period = ViewedPeriod {
        begin,
        end,
        server_version: reader.server_version.clone(),
        database: server.dbname.clone(),
        dropped: reader.read_dropped().await.saturating_sub(dropped_before),
    };
    Ok((statements, period))
}

fn view_problem(error: &tokio_postgres::Error) -> Problem {
    Problem::could_not_measure("could not read pg_stat_statements")
        .detail(message_of_error(error))
        .hint("it needs shared_preload_libraries = 'pg_stat_statements', and the rights of pg_read_all_stats")
}

impl ViewReader {
    async fn open_view(client: Client) -> Result<Result<Self, Problem>, tokio_postgres::Error> {
        let of_server = client
            .query_one("SELECT current_setting('server_version'), current_setting('server_version_num')::int4", &[])
            .await?;
        let of_view = client
            .query_opt(
                "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace \
                 WHERE e.extname = 'pg_stat_statements'",
                &[],
            )
            .await?;
        let Some(of_view) = of_view else {
            return Ok(Err(Problem::usage_error("the database does not have the extension pg_stat_statements")
                .hint("CREATE EXTENSION pg_stat_statements; it also has to be in shared_preload_libraries")));
        };
        let (version, number): (String, i32) = (of_server.get(0), of_server.get(1));
        Ok(Ok(Self {
            client,
            schema: of_view.get(0),
            server_version: version.split(' ').next().unwrap_or_default().to_owned(),
            version_number: u32::try_from(number).unwrap_or(0),
            columns: HashMap::new(),
        }))
    }

    /// A query with what depends on the server.
    fn view_query(&self, query: &str) -> String {
        let total = if self.version_number >= 130_000 { "total_exec_time" } else { "total_time" };
        let top_level = if self.version_number >= 140_000 { "AND toplevel" } else { "" };
        query.replace("SCHEMA", &self.schema).replace("TOTAL", total).replace("TOPLEVEL", top_level)
    }

    async fn read_counts(&self) -> Result<HashMap<i64, ViewCounts>, tokio_postgres::Error> {
        let mut counts = HashMap::new();
        for row in self.client.query(&self.view_query(COUNTS), &[]).await? {
            let of_row = ViewCounts { calls: row.get("calls"), busy_us: row.get("busy_us"), rows: row.get("rows") };
            counts.insert(row.get("queryid"), of_row);
        }
        Ok(counts)
    }

    /// Statements that the view has dropped since the server began to count; 0 where it does not say.
    async fn read_dropped(&self) -> u64 {
        let query = self.view_query("SELECT /* pgdyno capture */ dealloc FROM SCHEMA.pg_stat_statements_info");
        match self.client.query_one(&query, &[]).await {
            Ok(row) => u64::try_from(row.get::<_, i64>(0)).unwrap_or(0),
            Err(_) => 0,
        }
    }

    /// What was counted since.
    async fn read_statements(
        &mut self,
        before: &HashMap<i64, ViewCounts>,
    ) -> Result<Vec<ViewedStatement>, tokio_postgres::Error> {
        let counted = self.read_counts().await?;
        let mut statements = Vec::new();
        for row in self.client.query(&self.view_query(TEXTS), &[]).await? {
            let query_id: i64 = row.get("queryid");
            let text: String = row.get::<_, Option<String>>("query").unwrap_or_default();
            let Some(after) = counted.get(&query_id) else { continue };
            let period = after.counts_since(before.get(&query_id).copied().unwrap_or_default());
            if period.calls <= 0 || text.contains("/* pgdyno") {
                continue;
            }
            statements.push(ViewedStatement {
                query_id,
                values: self.values_of_statement(&text, period).await,
                text,
                calls: period.calls.unsigned_abs(),
                busy_us: period.busy_us,
            });
        }
        Ok(statements)
    }

    async fn values_of_statement(&mut self, text: &str, counts: ViewCounts) -> Result<Vec<DrawnValues>, UnknownValues> {
        if text.is_empty() || text == "<insufficient privilege>" {
            return Err(UnknownValues::HiddenText);
        }
        if !is_executed_alone(text) {
            return Err(UnknownValues::NotAlone);
        }
        let Ok(prepared) = self.client.prepare(text).await else { return Err(UnknownValues::NotPrepared) };
        let uses = parameter_uses(text).map_err(|_| UnknownValues::NotPrepared)?;
        let mut values = Vec::with_capacity(prepared.params().len());
        for (place, parameter_type) in prepared.params().iter().enumerate() {
            let parameter_use = uses.get(place).unwrap_or(&PlaceholderUse::Unknown);
            let drawn = self.values_of_parameter(parameter_use, parameter_type, counts).await;
            values.push(drawn.ok_or(UnknownValues::NoStatistics)?);
        }
        Ok(values)
    }

    async fn values_of_parameter(
        &mut self,
        parameter_use: &PlaceholderUse,
        parameter_type: &Type,
        counts: ViewCounts,
    ) -> Option<DrawnValues> {
        let (column, is_stored) = match parameter_use {
            PlaceholderUse::Unknown => return None,
            // As many rows as a call returned.
            PlaceholderUse::Limit => {
                let rows = (counts.rows as f64 / counts.calls as f64).ceil().max(1.0);
                return Some(DrawnValues::Constant(format!("{rows:.0}")));
            }
            PlaceholderUse::Offset => return Some(DrawnValues::Constant("0".to_owned())),
            PlaceholderUse::Compared(column) => (column, false),
            PlaceholderUse::Stored(column) => (column, true),
        };
        let statistics = self.statistics_of_column(column).await.filter(ColumnStatistics::has_values)?;
        match parameter_type.kind() {
            Kind::Array(element) if have_same_values(element.name(), &statistics.type_name) => {
                Some(DrawnValues::ArrayOfColumn(statistics))
            }
            _ if !have_same_values(parameter_type.name(), &statistics.type_name) => None,
            _ if is_stored => Some(DrawnValues::StoredIn(statistics)),
            _ => Some(DrawnValues::OfColumn(statistics)),
        }
    }

    /// Of the first table of the statement that has the column.
    async fn statistics_of_column(&mut self, column: &UsedColumn) -> Option<ColumnStatistics> {
        let (name, number) = match &column.column {
            ColumnReference::Name(name) => (Some(name.clone()), None),
            ColumnReference::Number(number) => (None, i16::try_from(*number).ok()),
        };
        for table in &column.tables {
            let key = (table.clone(), name.clone().unwrap_or_else(|| format!("{number:?}")));
            if !self.columns.contains_key(&key) {
                let read = self.read_column(table, name.as_deref(), number).await;
                self.columns.insert(key.clone(), read.ok().flatten());
            }
            if let Some(Some(known)) = self.columns.get(&key) {
                return Some(known.clone());
            }
        }
        None
    }
}

impl ViewReader {
    async fn read_column(
        &self,
        table: &str,
        name: Option<&str>,
        number: Option<i16>,
    ) -> Result<Option<ColumnStatistics>, tokio_postgres::Error> {
        let Some(row) = self.client.query_opt(COLUMN, &[&table, &name, &number]).await? else { return Ok(None) };
        let mut statistics = statistics_of_row(&row);
        if statistics.is_unique && WHOLE_NUMBERS.contains(&statistics.type_name.as_str()) {
            // The last entry of its index.
            let column: String = row.get("column_name");
            let query = format!("SELECT /* pgdyno capture */ max({column})::int8 FROM {table}");
            statistics.highest = self.client.query_one(&query, &[]).await?.get(0);
        }
        Ok(Some(statistics))
    }
}

impl ViewCounts {
    /// What came since then. If the view was reset meanwhile, what it has counted since is the least that is known.
    fn counts_since(self, before: Self) -> Self {
        if self.calls < before.calls {
            return self;
        }
        Self {
            calls: self.calls - before.calls,
            busy_us: (self.busy_us - before.busy_us).max(0.0),
            rows: (self.rows - before.rows).max(0),
        }
    }
}

fn statistics_of_row(row: &Row) -> ColumnStatistics {
    let common: Option<Vec<String>> = row.get("common");
    let shares: Option<Vec<f32>> = row.get("shares");
    let bounds: Option<Vec<String>> = row.get("bounds");
    ColumnStatistics {
        type_name: row.get("type_name"),
        null_share: row.get("null_share"),
        is_unique: row.get("is_unique"),
        common: common
            .unwrap_or_default()
            .into_iter()
            .zip(shares.unwrap_or_default().into_iter().map(f64::from))
            .collect(),
        bounds: bounds.unwrap_or_default(),
        highest: None,
    }
}

/// Types whose values can stand for each other.
const LIKE_TYPES: [&[&str]; 3] = [
    &["int2", "int4", "int8", "numeric", "float4", "float8"],
    &["text", "varchar", "bpchar", "name"],
    &["timestamp", "timestamptz", "date"],
];

/// Whether a parameter of one type can have the values of a column of the other.
fn have_same_values(parameter: &str, column: &str) -> bool {
    parameter == column || LIKE_TYPES.iter().any(|types| types.contains(&parameter) && types.contains(&column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_that_was_reset_has_what_it_counted_since() {
        let counts = |calls, busy_us| ViewCounts { calls, busy_us, rows: calls };
        let of = |after: ViewCounts, before| (after.counts_since(before).calls, after.counts_since(before).busy_us);
        assert_eq!(of(counts(10, 50.0), counts(4, 20.0)), (6, 30.0));
        assert_eq!(of(counts(3, 15.0), counts(4, 20.0)), (3, 15.0));
    }

    #[test]
    fn an_interval_is_no_value_of_a_column_with_times() {
        assert!(have_same_values("int8", "int4") && have_same_values("date", "timestamptz"));
        assert!(!have_same_values("interval", "timestamptz") && !have_same_values("text", "int4"));
    }
}
