//! `docs/audit.md` lists every check with its rule, in the order of the table.

use crate::audit::CHECKS;

#[test]
fn the_documentation_lists_every_check_with_its_rule() {
    let text = include_str!("../../../../../docs/audit.md");
    let rows: Vec<String> = CHECKS.iter().map(|check| format!("| `{}` | {} |", check.id, check.rule)).collect();
    let listed: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(listed, rows, "the table should be:\n{}", rows.join("\n"));
}
