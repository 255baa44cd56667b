//! Options and templates, without a server.

use super::*;
use work::WordChoice as _;

/// Every object with options that change its scripts.
fn families() -> Vec<Erp> {
    let splitter = NonZeroU32::new(4);
    let totals = Options { splitter, keys: KeyDistribution::Zipfian(1.5), ..Options::default() };
    let reuse = Options { temp_table: Some(TempTable::Reused), ..Options::default() };
    let plain = ErpObject::ALL.iter().map(|object| (*object, Options::default()));
    let others = [
        (ErpObject::TempTable, reuse),
        (ErpObject::AccumulationRegister, totals),
        (ErpObject::AccountingRegister, totals),
    ];
    let family = |(object, options)| Erp::new(object, &options).expect("the options fit");
    plain.chain(others).map(family).collect()
}

#[test]
fn every_placeholder_of_every_script_is_replaced() {
    for erp in families() {
        for (name, text, _) in erp.script_texts() {
            assert!(!text.contains(['{', '}']), "{name}: {text}");
        }
    }
}

#[test]
fn every_script_parses_and_keeps_its_name_and_weight() {
    for erp in families() {
        let parsed = erp
            .weighted_scripts()
            .into_iter()
            .map(|s| (s.script.name().to_owned(), s.script.text().to_owned(), s.weight));
        let texts = erp.script_texts().into_iter().map(|(name, text, weight)| (name.to_owned(), text, weight));
        assert_eq!(parsed.collect::<Vec<_>>(), texts.collect::<Vec<_>>());
    }
}

#[test]
fn every_script_is_one_transaction_that_begins_and_commits() {
    for erp in families() {
        for (name, text, _) in erp.script_texts() {
            assert_eq!(text.matches("BEGIN;").count(), 1, "{name}");
            assert_eq!(text.matches("COMMIT;").count(), 1, "{name}");
        }
    }
}

#[test]
fn a_document_has_ten_lines_and_a_total_is_updated_for_each() {
    let texts = |object| Erp::new(object, &Options::default()).expect("the options fit").script_texts();
    let (_, text, _) = &texts(ErpObject::AccumulationRegister)[0];
    assert_eq!(text.matches("UPDATE erp_movement_total").count(), 10);
    assert_eq!(text.matches("(date '2026-10-16' + localtime").count(), 10);
    // Ten debited keys and one credited key.
    let (_, text, _) = &texts(ErpObject::AccountingRegister)[0];
    assert_eq!((text.matches("UPDATE erp_turnover").count(), text.matches("UPDATE erp_balance").count()), (11, 11));
}

#[test]
fn an_option_shows_in_the_script() {
    let splitter = Options { splitter: NonZeroU32::new(4), keys: KeyDistribution::Zipfian(1.5), ..Options::default() };
    let erp = Erp::new(ErpObject::AccumulationRegister, &splitter).expect("the options fit");
    let (_, text, _) = &erp.script_texts()[0];
    assert!(text.contains("\\set splitter :client_id % 4\n"), "{text}");
    assert!(text.contains("\\set item10 random_zipfian(10000 * :scale * (10 - 1) + 1, 10000 * :scale * 10, 1.5)\n"));
}

#[test]
fn inserts_and_updates_of_the_catalogue_are_weighted_and_one_that_never_comes_is_no_script() {
    for (percent, expected) in [
        (None, vec![("erp-catalog insert", 50), ("erp-catalog update", 50)]),
        (Some(10), vec![("erp-catalog insert", 10), ("erp-catalog update", 90)]),
        (Some(0), vec![("erp-catalog update", 100)]),
        (Some(100), vec![("erp-catalog insert", 100)]),
    ] {
        let options = Options { inserts_percent: percent, ..Options::default() };
        let erp = Erp::new(ErpObject::Catalog, &options).expect("the options fit");
        let weights: Vec<(&str, u32)> =
            erp.script_texts().iter().map(|(name, _, weight)| (*name, weight.get())).collect();
        assert_eq!(weights, expected);
    }
}

#[test]
fn an_option_that_the_object_has_not_or_that_is_out_of_range_is_refused() {
    let splitter = Options { splitter: NonZeroU32::new(4), ..Options::default() };
    let reuse = Options { temp_table: Some(TempTable::Dropped), ..Options::default() };
    let percent = Options { inserts_percent: Some(101), ..Options::default() };
    let zipfian = Options { keys: KeyDistribution::Zipfian(1.0), ..Options::default() };
    for (object, options, message) in [
        (ErpObject::Catalog, splitter, "splitter does not apply to object catalog"),
        (ErpObject::AccountingRegister, reuse, "reuse does not apply to object accounting-register"),
        (ErpObject::TempTable, percent, "inserts_percent does not apply to object temp-table"),
        (ErpObject::Catalog, percent, "inserts_percent 101 is out of range"),
        (ErpObject::InformationRegister, zipfian, "zipfian 1 is out of range"),
    ] {
        let error = Erp::new(object, &options).expect_err("refused");
        assert_eq!(error.to_string(), message);
    }
}
