//! The options of a workload in a few words: those that are not the defaults.

use std::collections::BTreeMap;

use super::language::{MappingEntries, MappingKeys, Yaml};

/// The options of sysbench that the data of a workload has in words of its own.
const OPTIONS_OF_DATA: [&str; 2] = ["tables", "table_size"];

/// The keys with a value that is not their default, those of a mapping as `rate.from`.
pub(super) fn given_options<K: MappingKeys>(options: &K) -> BTreeMap<String, String> {
    let keys = K::list_keys();
    let mut entries = MappingEntries::new();
    options.write_keys(&mut entries);
    let mut given = BTreeMap::new();
    for (name, value) in entries {
        let is_default = match &value {
            Yaml::Scalar(text) => keys.iter().any(|key| key.name == name && key.is_default(text)),
            Yaml::Absent | Yaml::Open(_) | Yaml::Map(_) => false,
        };
        if !is_default && !OPTIONS_OF_DATA.contains(&name.as_str()) {
            value.flatten_values(&name, &mut given);
        }
    }
    given
}

pub(super) fn options_in_words(options: BTreeMap<String, String>) -> String {
    if options.is_empty() {
        return String::new();
    }
    let options: Vec<String> = options.into_iter().map(|(name, value)| format!("{name} {value}")).collect();
    format!(" ({})", options.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::parse_plan;

    fn words_of(workload: &str) -> String {
        let text = format!(
            "name: n\ntargets: {{ a: {{ local: {{ version: 17 }} }} }}\nbaseline: a\nclients: [4]\nworkloads: {{ w: {workload} }}\n"
        );
        let plan = parse_plan("plan.yaml", text.as_bytes()).expect("a plan");
        format!("{}; {}", plan.workloads[0].transaction_in_words(), plan.data_in_words(&plan.workloads[0]))
    }

    #[test]
    fn a_workload_is_said_with_what_is_not_its_default() {
        let said = [
            "{ builtin: tpcb-like, scale: 100 }",
            "{ sysbench: { script: oltp_point_select, tables: 10, table_size: 1000000 } }",
            "{ sysbench: { script: oltp_read_only, point_selects: 0, skip_trx: true, table_size: 100000 } }",
            "{ read-intensive: { read_percent: 95 } }",
            "{ erp: { object: catalog, zipfian: 1.2 } }",
        ]
        .map(words_of);
        insta::assert_snapshot!(said.join("\n"), @r##"
        tpcb-like of pgbench; scale 100, about 1.5 GiB
        oltp_point_select of sysbench; 10 tables of 1000000 rows, about 2.2 GiB
        oltp_read_only of sysbench (point_selects 0, skip_trx true); 1 table of 100000 rows, about 22 MiB
        100 statements of sysbench, 95 % of them reads; 1 table of 10000 rows, about 2 MiB
        catalog of 1C:Enterprise (zipfian 1.2); scale 1, about 45 MiB
        "##);
    }
}
