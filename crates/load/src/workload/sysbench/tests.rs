//! Which options are possible, and what a script says.

use super::*;
use work::{Distribution, SysbenchScript, SysbenchTables};

fn refused(transaction: impl Into<SysbenchTransaction>, options: SysbenchOptions, clients: u32) -> String {
    let error = Sysbench::new(transaction, options, clients).unwrap_err();
    format!("{error}: {}", error.detail())
}

#[test]
fn options_that_cannot_be_are_refused_with_the_reason() {
    let tables = |tables: SysbenchTables| SysbenchOptions { tables, ..SysbenchOptions::default() };
    assert_eq!(
        refused(SysbenchScript::ReadOnly, tables(SysbenchTables { table_size: 0, ..SysbenchTables::default() }), 1),
        "option table_size of sysbench cannot be 0: it must be 1 to 1073741823"
    );
    assert_eq!(
        refused(SysbenchScript::RandomPoints, tables(SysbenchTables { tables: 2, ..SysbenchTables::default() }), 1),
        "option tables of sysbench cannot be 2: select_random_points reads one table only"
    );
    assert_eq!(
        refused(SysbenchScript::RandomRanges, SysbenchOptions::default(), 20_000),
        "option threads of sysbench cannot be 20000: each client has its own part of the 10000 rows"
    );
    assert_eq!(
        refused(SysbenchTransaction::ReadIntensive { read_percent: 101 }, SysbenchOptions::default(), 1),
        "option read_percent of sysbench cannot be 101: it is a percentage, at most 100"
    );
    for distribution in [
        Distribution::Special { iter: 0, pct: 1, res: 75 },
        Distribution::Special { iter: 12, pct: 101, res: 75 },
        Distribution::Special { iter: 12, pct: 1, res: 100 },
        Distribution::Gaussian { iter: 0 },
        Distribution::Pareto { h: 1.0 },
        Distribution::Pareto { h: f64::NAN },
        Distribution::Zipfian { exponent: -0.1 },
    ] {
        let options = SysbenchOptions { distribution, ..SysbenchOptions::default() };
        assert!(refused(SysbenchScript::ReadOnly, options, 1).starts_with("option rand-"), "{distribution}");
    }
}

#[test]
fn a_script_says_what_a_transaction_does() {
    let tables = SysbenchTables { tables: 3, ..SysbenchTables::default() };
    let options = SysbenchOptions { tables, delete_inserts: 0, non_index_updates: 0, ..SysbenchOptions::default() };
    let sysbench = Sysbench::new(SysbenchScript::WriteOnly, options, 1).expect("the options fit");
    assert_eq!(
        sysbench.transaction_script().text(),
        "BEGIN;\n-- place: any of 0 to 2\n-- id: special(12,1,75) of 1 to 10000\nUPDATE sbtestN SET k=k+1 WHERE id=:id;\nCOMMIT;\n"
    );
}
