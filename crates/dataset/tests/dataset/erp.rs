//! The data of business-object writes against a real PostgreSQL: made, found intact or repaired, nobody else's tables
//! touched, and no half-made state after an interruption.

use std::num::NonZeroU32;

use control::Config;
use dataset::erp::ErpData;
use dataset::{Data, DatasetError, DatasetProgress, Ensured, Ownership, drop_owned, ensure_dataset, prepare_trial};
use load::StopRequest;
use work::ErpObject;
use work::TableAccess;

use crate::server::{connect, execute, shared, text};

/// Sees to it that the data of an object are there at scale 1.
pub(crate) async fn managed(config: &Config, object: ErpObject) -> Ensured {
    let data = Data::from(ErpData::new(object, NonZeroU32::MIN));
    let outcome = ensure_dataset(config, &data, Ownership::Managed, &StopRequest::new(), &mut |_| {}).await;
    outcome.unwrap_or_else(|error| panic!("{error}: {:?}", error.detail()))
}

/// The number that a query returns.
pub(crate) async fn number(config: &Config, sql: &str) -> u64 {
    let text = text(config, sql).await;
    text.parse().unwrap_or_else(|_| panic!("{sql}: {text}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_to_our_tables_is_found_and_repaired_and_those_of_others_are_left_alone() {
    let server = shared();
    let config = server.database();
    assert!(matches!(managed(&config, ErpObject::Catalog).await, Ensured::Created { .. }));
    // To make them anew takes seconds: what is found beside each other is repaired at once.
    for damages in [
        &[
            (
                "DROP INDEX erp_item_by_code",
                "erp_item has the indexes erp_item_by_description, erp_item_by_parent, erp_item_pkey",
            ),
            ("DROP TABLE erp_line", "erp_line does not exist"),
        ][..],
        &[
            (
                "ALTER TABLE erp_item DROP article",
                "erp_item has columns _idrref bytea not null, _version integer not null",
            ),
            (
                "COMMENT ON TABLE erp_line IS 'pgdyno: of another format'",
                "erp_line has the comment pgdyno: of another format",
            ),
        ],
        &[(
            "DELETE FROM erp_item WHERE _code = lpad('1', 19, '0')",
            "erp_item lacks 1 of 1000 rows that were looked up",
        )],
    ] {
        for (damage, _) in damages {
            execute(&config, damage).await;
        }
        let Ensured::Recreated { defects, .. } = managed(&config, ErpObject::Catalog).await else {
            panic!("{damages:?}: not made anew");
        };
        for (damage, found) in damages {
            assert!(defects.iter().any(|defect| defect.to_string().starts_with(found)), "{damage}: {defects:?}");
        }
    }
    execute(&config, "COMMENT ON TABLE erp_item IS NULL").await;
    let data = Data::from(ErpData::new(ErpObject::Catalog, NonZeroU32::MIN));
    let refused = ensure_dataset(&config, &data, Ownership::Managed, &StopRequest::new(), &mut |_| {}).await;
    assert!(matches!(refused, Err(DatasetError::NotOurs { tables, .. }) if tables == ["\"public\".erp_item"]));
    let refused = prepare_trial(&connect(&config).await, &data, Ownership::Managed, TableAccess::Writes).await;
    assert!(matches!(refused, Err(DatasetError::NotOurs { .. })), "{refused:?}");
    assert_eq!(drop_owned(&config, &StopRequest::new()).await.expect("ours are dropped"), ["erp_line"]);
    assert_eq!(number(&config, "SELECT count(*) FROM erp_item").await, 100_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_while_objects_tables_are_made_leaves_nothing_in_the_way() {
    let server = shared();
    let phases: [fn(&DatasetProgress) -> bool; 4] = [
        |p| matches!(p, DatasetProgress::Creating),
        |p| matches!(p, DatasetProgress::Copying { rows_done: 1.., .. }),
        |p| matches!(p, DatasetProgress::Indexing { .. }),
        |p| matches!(p, DatasetProgress::Analyzing { .. }),
    ];
    let config = server.database();
    let data = Data::from(ErpData::new(ErpObject::Catalog, NonZeroU32::MIN));
    for (number, phase) in phases.into_iter().enumerate() {
        let stop = StopRequest::new();
        let outcome = ensure_dataset(&config, &data, Ownership::Managed, &stop, &mut |progress| {
            if phase(&progress) {
                stop.request_stop();
            }
        })
        .await;
        assert!(matches!(outcome, Err(DatasetError::Interrupted)), "phase {number}: {outcome:?}");
    }
    managed(&config, ErpObject::Catalog).await;
    assert_eq!(managed(&config, ErpObject::Catalog).await, Ensured::Reused);
}
