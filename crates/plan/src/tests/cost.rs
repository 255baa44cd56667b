//! What a target costs.

use super::{edited, plan, refusal};

const PRICE: &str = "cost: { per_hour: 0.40, currency: EUR, as_of: 2026-11-01, includes: \"vm, disk\" }";

/// Target `a` with this cost.
fn priced(cost: &str) -> String {
    edited("    settings: { work_mem: 4MB }", &format!("    {cost}"))
}

#[test]
fn a_price_has_its_day_and_what_it_includes_and_is_written_as_it_was_read() {
    let plan = plan(&priced(PRICE));
    let cost = plan.targets[0].cost.clone().expect("a cost");
    assert_eq!((cost.per_hour.amount(), cost.currency.to_string()), (0.4, "EUR".to_owned()));
    assert_eq!((cost.as_of.to_string(), cost.includes.as_str()), ("2026-11-01".to_owned(), "vm, disk"));
    assert!(plan.to_yaml().contains("per_hour: 0.40"), "{}", plan.to_yaml());
    assert_eq!(super::plan(&plan.to_yaml()), plan);
    let said = plan.said_of(&plan.targets[0], &plan.workloads[0]);
    assert!(said.keys().all(|key| !key.contains("cost")), "a price changes no figure: {said:?}");
}

#[test]
fn a_price_without_its_day_and_what_is_no_price_are_refused() {
    for (from, to, said) in [
        (", as_of: 2026-11-01", "", "targets.a.cost has no key \"as_of\""),
        (", includes: \"vm, disk\"", "", "targets.a.cost has no key \"includes\""),
        ("0.40", "-0.40", "targets.a.cost.per_hour: found -0.40, not a price"),
        ("0.40", "0.00", "targets.a.cost.per_hour: found 0.00, which is not a price"),
        ("0.40", "0.0000001", "not a price"),
        ("0.40", "2000000", "out of range"),
        ("EUR", "euro", "targets.a.cost.currency: found \"euro\", not a currency"),
        ("2026-11-01", "2026-02-30", "targets.a.cost.as_of: found \"2026-02-30\", not a day"),
        ("2026-11-01", "1.11.2026", "not a day"),
    ] {
        let errors = refusal(&priced(&PRICE.replace(from, to)));
        assert!(errors.contains(said) && errors.matches("error: ").count() == 1, "{to}: {errors}");
    }
}

#[test]
fn prices_in_two_currencies_are_refused() {
    let other = "    url: postgresql://bench@10.0.0.5/bench\n";
    let text = priced(PRICE).replace(other, &format!("{other}    {}\n", PRICE.replace("EUR", "USD")));
    insta::assert_snapshot!(refusal(&text), @r#"
    error: target "b" has its price in USD, "a" in EUR
      --> plan.yaml:11:39
       |
    11 |     cost: { per_hour: 0.40, currency: USD, as_of: 2026-11-01, includes: "vm, disk" }
       |                                       ^^^
    hint: give both prices in one currency
    "#);
}
