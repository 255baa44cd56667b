//! Which options are possible, and what a script says.

use super::*;

fn refused(workload: Workload, options: Options) -> String {
    let error = Sysbench::new(workload, options).unwrap_err();
    format!("{error}: {}", error.detail())
}

#[test]
fn options_that_cannot_be_are_refused_with_the_reason() {
    let default = Options::default;
    for (workload, options, expected) in [
        (
            Workload::ReadOnly,
            Options { secondary: true, ..default() },
            "option secondary of sysbench cannot be on: sysbench itself fails with it: `KEY xid (id)` is MySQL's syntax",
        ),
        (
            Workload::ReadOnly,
            Options { table_size: 0, ..default() },
            "option table_size of sysbench cannot be 0: it has to be 1 to 1073741823",
        ),
        (
            Workload::RandomPoints,
            Options { tables: 2, ..default() },
            "option tables of sysbench cannot be 2: select_random_points reads one table only",
        ),
        (
            Workload::RandomRanges,
            Options { threads: 20_000, ..default() },
            "option threads of sysbench cannot be 20000: every client has a part of the 10000 rows of its own",
        ),
        (
            Workload::ReadWritePercent,
            Options { read_percent: 101, ..default() },
            "option read_percent of sysbench cannot be 101: it is a percentage, at most 100",
        ),
    ] {
        assert_eq!(refused(workload, options), expected);
    }
    for refused in [
        Distribution::special(0, 1, 75),
        Distribution::special(12, 101, 75),
        Distribution::special(12, 1, 100),
        Distribution::gaussian(0),
        Distribution::pareto(1.0),
        Distribution::pareto(f64::NAN),
        Distribution::zipfian(-0.1),
    ] {
        assert!(refused.is_err(), "{refused:?}");
    }
}

#[test]
fn names_lead_back_to_what_they_name() {
    for workload in Workload::ALL {
        assert_eq!(Workload::named(workload.name()), Some(workload));
    }
    for name in Distribution::NAMES {
        assert_eq!(Distribution::named(name).map(|distribution| distribution.name()), Some(name));
    }
    assert_eq!(Workload::named("oltp_everything"), None);
}

#[test]
fn a_script_says_what_a_transaction_does() {
    let options = Options { tables: 3, delete_inserts: 0, non_index_updates: 0, ..Options::default() };
    let sysbench = Sysbench::new(Workload::WriteOnly, options).expect("the options fit");
    assert_eq!(
        sysbench.script().text(),
        "BEGIN;\n-- place: any of 0 to 2\n-- id: special(12,1,75) of 1 to 10000\nUPDATE sbtestN SET k=k+1 WHERE id=:id;\nCOMMIT;\n"
    );
}
