//! From which change on costs and statements count.

use super::super::{Margin, Threshold};
use super::{edited, plan, refusal};

fn with(key: &str) -> String {
    edited("practical_threshold: 3%", &format!("practical_threshold: 3%\n{key}"))
}

#[test]
fn costs_and_statements_have_a_threshold_of_twenty_percent_another_or_none() {
    let defaults = plan(&with(""));
    let shares = |margin: Margin| margin.threshold.as_fraction();
    assert_eq!([defaults.costs, defaults.statements].map(shares), [Some(0.2), Some(0.2)]);
    let given = plan(&with("costs: { threshold: 50% }\nstatements: { threshold: off }"));
    assert_eq!([given.costs, given.statements].map(shares), [Some(0.5), None]);
    assert_eq!(given.statements.threshold, Threshold::Off);
    assert_eq!(plan(&given.to_yaml()), given, "{}", given.to_yaml());
}

#[test]
fn a_threshold_without_its_unit_is_refused() {
    insta::assert_snapshot!(refusal(&with("costs: { threshold: 20 }")), @"
    error: costs.threshold: found 20, a number without its unit
      --> plan.yaml:20:21
       |
    20 | costs: { threshold: 20 }
       |                     ^^
    hint: write 20% for 20 percent
    ");
}
