//! `docs/audit.md` says of every check what it needs, in the order of the table.

use crate::audit::CHECKS;

#[test]
fn the_documentation_says_of_every_check_what_it_needs_what_it_leaves_alone_and_what_it_finds() {
    let text = include_str!("../../../../../docs/audit.md");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.starts_with("| rule | requires"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let ids: Vec<&str> = CHECKS.iter().map(|check| check.code.name).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ids);
    for row in rows {
        assert!(row.len() == 4 && row.iter().all(|cell| !cell.is_empty()), "{row:?}");
    }
}
