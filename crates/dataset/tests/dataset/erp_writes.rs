//! Business-object writes against a real PostgreSQL, by the real pgbench and by the engine, in every query mode:
//! concurrent writers meet no error and leave totals that are the sums of what was written,
//! and the next trial finds the start state.

use std::num::{NonZeroU32, NonZeroU64};

use control::Config;
use dataset::erp::ErpData;
use dataset::{Data, Ensured, Ownership, prepare_trial};
use load::workload::erp::{Erp, KeyDistribution, Options, TempTable};
use load::{EngineJob, JobExtent, QueryMode, StopRequest};
use work::ErpObject;
use work::TableAccess;

use crate::erp::{managed, number};
use crate::server::{Server, connect, shared, text};

const MODES: [(QueryMode, &str); 3] =
    [(QueryMode::Simple, "simple"), (QueryMode::Extended, "extended"), (QueryMode::Prepared, "prepared")];

/// Of the data.
const SCALE: NonZeroU32 = NonZeroU32::MIN;

const CLIENTS: NonZeroU32 = NonZeroU32::new(8).expect("not zero");

/// Transactions of a client in a run.
const TRANSACTIONS: NonZeroU64 = NonZeroU64::new(15).expect("not zero");

/// Those of all clients.
const ALL_TRANSACTIONS: u64 = TRANSACTIONS.get() * CLIENTS.get() as u64;

fn erp(object: ErpObject, options: &Options) -> Erp {
    Erp::new(object, options).expect("the options fit")
}

/// Rows and their contents, whatever their order.
async fn fingerprint(config: &Config, of: &str) -> String {
    let sql = format!("SELECT count(*) || ' ' || sum(hash_record_extended(t, 0)) FROM (TABLE {of}) AS t");
    text(config, &sql.replace("(TABLE (", "((")).await
}

/// Runs a workload with the real pgbench and with the engine in every mode, without an error, and returns how many
/// transactions were committed.
async fn run_everywhere(server: &Server, config: &Config, erp: &Erp, seed: u64) -> u64 {
    let mut committed = 0;
    for (ordinal, (mode, name)) in (0..).zip(MODES) {
        committed += pgbench(server, config, erp, name, seed + ordinal);
        let job = EngineJob {
            mode,
            scripts: erp.weighted_scripts(),
            clients: CLIENTS,
            measure: JobExtent::Transactions(TRANSACTIONS),
            seed: seed + 10 + ordinal,
            scale: SCALE.get(),
            ..EngineJob::new(server.engine(config), erp.weighted_scripts()[0].script.clone())
        };
        let run = move || load::run_job(&job, &StopRequest::new(), &mut |_| ());
        let summary = tokio::task::spawn_blocking(run).await.expect("no panic").expect("it runs");
        assert_eq!((summary.failed, summary.unknown), (0, 0), "{name}: {:?}", summary.errors);
        assert_eq!(summary.successful_transactions(), ALL_TRANSACTIONS, "{name}");
        committed += ALL_TRANSACTIONS;
    }
    committed
}

fn pgbench(server: &Server, config: &Config, erp: &Erp, mode: &str, seed: u64) -> u64 {
    let files: Vec<(tempfile::NamedTempFile, u32)> = erp
        .weighted_scripts()
        .iter()
        .map(|weighted| {
            let file = tempfile::NamedTempFile::new().expect("a temporary file");
            std::fs::write(file.path(), weighted.script.text()).expect("it can be written");
            let anybody = std::os::unix::fs::PermissionsExt::from_mode(0o644);
            std::fs::set_permissions(file.path(), anybody).expect("its mode can be set");
            (file, weighted.weight.get())
        })
        .collect();
    let mut arguments: Vec<String> = ["-n", "-s1", "-c8", "-j2"].map(str::to_owned).into();
    arguments.extend([format!("-t{TRANSACTIONS}"), format!("-M{mode}"), format!("--random-seed={seed}")]);
    arguments.extend(files.iter().map(|(file, weight)| format!("-f{}@{weight}", file.path().display())));
    let printed = server.pgbench(config, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let processed = format!("number of transactions actually processed: {ALL_TRANSACTIONS}/{ALL_TRANSACTIONS}");
    assert!(printed.contains(&processed), "{printed}");
    ALL_TRANSACTIONS
}

/// Brings the tables back to their start.
async fn prepare(config: &Config, erp: &Erp) -> Vec<String> {
    let client = connect(config).await;
    let readied =
        prepare_trial(&client, &Data::from(ErpData::new(erp.object(), SCALE)), Ownership::Managed, TableAccess::Writes)
            .await;
    let readied = readied.unwrap_or_else(|error| panic!("{error}: {:?}", error.detail()));
    assert_eq!(readied.omitted, [], "a superuser may do everything");
    readied.executed
}

#[tokio::test(flavor = "multi_thread")]
async fn temporary_tables_are_dropped_or_reused_and_nothing_stays() {
    let server = shared();
    let config = server.database();
    managed(&config, ErpObject::TempTable).await;
    let items = fingerprint(&config, "erp_item").await;
    for (seed, temp_table) in [(100, TempTable::Dropped), (200, TempTable::Reused)] {
        let options = Options { temp_table: Some(temp_table), ..Options::default() };
        let erp = erp(ErpObject::TempTable, &options);
        run_everywhere(&server, &config, &erp, seed).await;
        assert!(prepare(&config, &erp).await.contains(&"VACUUM pg_catalog.pg_attribute".to_owned()));
    }
    // What hides behind the temporary tables was never written to.
    assert_eq!(text(&config, "SELECT pg_relation_size('erp_line')").await, "0");
    assert_eq!(fingerprint(&config, "erp_item").await, items);
    assert_eq!(managed(&config, ErpObject::Catalog).await, Ensured::Reused, "the catalogue is the same data");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_written_item_has_one_more_version_and_inserted_ones_are_taken_back() {
    let server = shared();
    let config = server.database();
    managed(&config, ErpObject::Catalog).await;
    let keys = "(SELECT _idrref, _parentidrref, _code, _description, article FROM erp_item)";
    let start = fingerprint(&config, keys).await;
    // Hot items, so that the check of the version does fail now and then.
    let options = Options { keys: KeyDistribution::Zipfian(2.0), ..Options::default() };
    let erp = erp(ErpObject::Catalog, &options);
    let committed = run_everywhere(&server, &config, &erp, 100).await;
    let inserted = number(&config, "SELECT count(*) - 100000 FROM erp_item").await;
    let updated = number(&config, "SELECT sum(_version) FROM erp_item").await;
    assert_eq!(inserted + updated, committed);
    assert!(inserted > 0 && updated > 0, "{inserted} {updated}");
    assert_eq!(managed(&config, ErpObject::Catalog).await, Ensured::Reused, "what a workload changes is no defect");
    prepare(&config, &erp).await;
    assert_eq!(fingerprint(&config, keys).await, start);
    assert_eq!(number(&config, "SELECT sum(_version) FROM erp_item").await, updated);
}

#[tokio::test(flavor = "multi_thread")]
async fn record_sets_are_replaced_as_a_whole() {
    let server = shared();
    let config = server.database();
    managed(&config, ErpObject::InformationRegister).await;
    let keys = "(SELECT item, unit, kind FROM erp_price)";
    let start = fingerprint(&config, keys).await;
    let options = Options { keys: KeyDistribution::Zipfian(1.5), ..Options::default() };
    let erp = erp(ErpObject::InformationRegister, &options);
    let committed = run_everywhere(&server, &config, &erp, 100).await;
    let written = "SELECT count(DISTINCT item) FROM erp_price WHERE _period = '2026-11-01'";
    assert!((1..=committed).contains(&number(&config, written).await));
    let mixed = "SELECT count(*) FROM (SELECT FROM erp_price GROUP BY item, unit
                                        HAVING count(*) <> 10 OR min(_period) <> max(_period)) AS mixed";
    assert_eq!(number(&config, mixed).await, 0);
    assert_eq!(fingerprint(&config, keys).await, start);
    prepare(&config, &erp).await;
    assert_eq!(managed(&config, ErpObject::InformationRegister).await, Ensured::Reused);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_totals_of_accumulation_are_the_sums_of_its_movements_whoever_wrote_them_at_once() {
    let server = shared();
    let config = server.database();
    managed(&config, ErpObject::AccumulationRegister).await;
    let start = [fingerprint(&config, "erp_movement").await, fingerprint(&config, "erp_movement_total").await];
    let wrong = "SELECT count(*)
                   FROM (SELECT date_trunc('month', _period) AS _period, item, warehouse,
                                sum((1 - 2 * _recordkind) * quantity) AS quantity,
                                sum((1 - 2 * _recordkind) * amount) AS amount
                           FROM erp_movement GROUP BY 1, 2, 3) AS moved
                   FULL JOIN (SELECT _period, item, warehouse, sum(quantity) AS quantity, sum(amount) AS amount
                                FROM erp_movement_total GROUP BY 1, 2, 3) AS total USING (_period, item, warehouse)
                  WHERE (moved.quantity, moved.amount) IS DISTINCT FROM (total.quantity, total.amount)";
    let mut committed = 0;
    for (seed, splitter, keys) in [(100, 1, KeyDistribution::Zipfian(2.0)), (200, 4, KeyDistribution::Uniform)] {
        let options = Options { splitter: NonZeroU32::new(splitter), keys, ..Options::default() };
        let erp = erp(ErpObject::AccumulationRegister, &options);
        committed += run_everywhere(&server, &config, &erp, seed).await;
        let splitters = number(&config, "SELECT count(DISTINCT _splitter) FROM erp_movement_total").await;
        assert_eq!(splitters, u64::from(splitter));
    }
    assert_eq!(number(&config, "SELECT count(*) - 1000000 FROM erp_movement").await, 10 * committed);
    assert_eq!(number(&config, wrong).await, 0);
    assert_eq!(managed(&config, ErpObject::AccumulationRegister).await, Ensured::Reused);
    prepare(&config, &erp(ErpObject::AccumulationRegister, &Options::default())).await;
    let restored = [fingerprint(&config, "erp_movement").await, fingerprint(&config, "erp_movement_total").await];
    assert_eq!(restored, start);
}

/// How many turnovers and balances are not what the entries make of them.
const WRONG_ACCOUNTS: &str = "
    WITH side AS (
      SELECT date_trunc('month', e._period) AS _period,
             CASE a._correspond WHEN 0 THEN e.account_dt ELSE e.account_ct END AS account,
             array_agg(a.value ORDER BY a.kind) AS value,
             CASE a._correspond WHEN 0 THEN e.amount ELSE 0 END AS debit,
             CASE a._correspond WHEN 1 THEN e.amount ELSE 0 END AS credit
        FROM erp_entry AS e JOIN erp_entry_analytic AS a USING (_recorder, _lineno)
       GROUP BY e._recorder, e._lineno, a._correspond, 1, 2, 4, 5
    ), entered AS (
      SELECT _period, account, value[1] AS value1, value[2] AS value2, coalesce(value[3], '') AS value3,
             sum(debit) AS debit, sum(credit) AS credit
        FROM side GROUP BY 1, 2, 3, 4, 5
    ), turnover AS (
      SELECT _period, account, value1, value2, value3, sum(debit) AS debit, sum(credit) AS credit
        FROM erp_turnover GROUP BY 1, 2, 3, 4, 5
    ), balance AS (
      SELECT account, value1, value2, value3, sum(balance) AS balance FROM erp_balance GROUP BY 1, 2, 3, 4
    )
    SELECT (SELECT count(*) FROM entered AS e FULL JOIN turnover AS t USING (_period, account, value1, value2, value3)
             WHERE (e.debit, e.credit) IS DISTINCT FROM (t.debit, t.credit))
         + (SELECT count(*)
              FROM (SELECT account, value1, value2, value3, sum(debit - credit) AS balance
                      FROM entered GROUP BY 1, 2, 3, 4) AS e
              FULL JOIN balance AS b USING (account, value1, value2, value3)
             WHERE e.balance IS DISTINCT FROM b.balance)";

#[tokio::test(flavor = "multi_thread")]
async fn debits_are_credits_and_the_totals_of_accounting_are_the_sums_of_its_entries() {
    const TABLES: [&str; 4] = ["erp_entry", "erp_entry_analytic", "erp_turnover", "erp_balance"];
    let server = shared();
    let config = server.database();
    managed(&config, ErpObject::AccountingRegister).await;
    let mut start = Vec::new();
    for table in TABLES {
        start.push(fingerprint(&config, table).await);
    }
    let mut committed = 0;
    for (seed, splitter, keys) in [(100, 1, KeyDistribution::Zipfian(2.0)), (200, 3, KeyDistribution::Uniform)] {
        let options = Options { splitter: NonZeroU32::new(splitter), keys, ..Options::default() };
        committed += run_everywhere(&server, &config, &erp(ErpObject::AccountingRegister, &options), seed).await;
    }
    assert_eq!(number(&config, "SELECT count(*) - 200000 FROM erp_entry").await, 10 * committed);
    assert_eq!(number(&config, "SELECT count(*) - 1000000 FROM erp_entry_analytic").await, 50 * committed);
    assert_eq!(number(&config, WRONG_ACCOUNTS).await, 0);
    let sums = "SELECT (SELECT sum(amount) FROM erp_entry) = (SELECT sum(debit) FROM erp_turnover)
                   AND (SELECT sum(debit) = sum(credit) FROM erp_turnover)
                   AND (SELECT sum(balance) = 0 FROM erp_balance)";
    assert_eq!(text(&config, sums).await, "true");
    assert_eq!(managed(&config, ErpObject::AccountingRegister).await, Ensured::Reused);
    prepare(&config, &erp(ErpObject::AccountingRegister, &Options::default())).await;
    for (table, start) in TABLES.into_iter().zip(&start) {
        assert_eq!(&fingerprint(&config, table).await, start, "{table}");
    }
}
