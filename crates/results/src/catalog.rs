//! What the system catalogs say of the tables of a load when it has ended: part of `tables.json`. Definitions and
//! counts; never a value of a row, never an option that may be a secret.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What the catalogs say, part by part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalog {
    /// The parts that were asked for.
    pub parts: BTreeMap<CatalogPart, CatalogAnswer>,
}

/// One kind of object. Each is asked for by a query of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CatalogPart {
    /// Tables, partitioned tables, materialized views and foreign tables (`pg_class`).
    Tables,
    /// Their columns (`pg_attribute`), with figures of `pg_stats` that are no values.
    Columns,
    /// Their indexes (`pg_index`), whether they are used or not.
    Indexes,
    /// Their extended statistics (`pg_statistic_ext`).
    ExtendedStatistics,
    /// Their row-level security policies (`pg_policy`).
    Policies,
    /// Their triggers (`pg_trigger`), without those of constraints.
    Triggers,
    /// Their constraints and the foreign keys that refer to them (`pg_constraint`).
    Constraints,
    /// Views that read them (`pg_rewrite`).
    Views,
    /// Functions and procedures that are not part of an extension (`pg_proc`).
    Functions,
    /// Foreign servers (`pg_foreign_server`), without user mappings.
    ForeignServers,
    /// Settings of the database and the role (`pg_db_role_setting`) that apply to sessions of the load.
    Settings,
    /// Event triggers (`pg_event_trigger`).
    EventTriggers,
}

impl CatalogPart {
    /// Every part, in the order in which they are read.
    pub const ALL: [Self; 12] = [
        Self::Tables,
        Self::Columns,
        Self::Indexes,
        Self::ExtendedStatistics,
        Self::Policies,
        Self::Triggers,
        Self::Constraints,
        Self::Views,
        Self::Functions,
        Self::ForeignServers,
        Self::Settings,
        Self::EventTriggers,
    ];

    /// Whether its objects belong to one table each.
    #[must_use]
    pub fn is_of_tables(self) -> bool {
        match self {
            Self::Tables
            | Self::Columns
            | Self::Indexes
            | Self::ExtendedStatistics
            | Self::Policies
            | Self::Triggers
            | Self::Constraints => true,
            Self::Views | Self::Functions | Self::ForeignServers | Self::Settings | Self::EventTriggers => false,
        }
    }
}

/// What came of one query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CatalogAnswer {
    /// The objects; none is an answer.
    Objects(Vec<CatalogObject>),
    /// Nothing.
    Gap {
        /// Why.
        gap: String,
    },
}

/// One object of a catalog.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CatalogObject {
    /// Schema and name of its table, quoted where SQL wants it; absent of what belongs to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Its name, quoted where SQL wants it. Of a table, view or function with the schema.
    pub name: String,
    /// How it is made, without its name: it is the same object on another server that is made so, whatever it is
    /// called. Absent where the name tells which object it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// What is so of it, by the name of the fact ([`FACTS`]). What is as PostgreSQL's default has it is left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, CatalogValue>,
}

/// The value of a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CatalogValue {
    /// Whether it is so.
    Flag(bool),
    /// A number, in the unit of the catalog.
    Number(f64),
    /// A name, an expression, a definition.
    Text(String),
}

impl CatalogObject {
    /// A number among its facts.
    #[must_use]
    pub fn number_fact(&self, fact: &str) -> Option<f64> {
        match self.facts.get(fact)? {
            CatalogValue::Number(number) => Some(*number),
            CatalogValue::Flag(_) | CatalogValue::Text(_) => None,
        }
    }

    /// A text among its facts.
    #[must_use]
    pub fn text_fact(&self, fact: &str) -> Option<&str> {
        match self.facts.get(fact)? {
            CatalogValue::Text(text) => Some(text),
            CatalogValue::Flag(_) | CatalogValue::Number(_) => None,
        }
    }

    /// Whether something is so of it that is not by default.
    #[must_use]
    pub fn has_flag(&self, fact: &str) -> bool {
        self.facts.get(fact) == Some(&CatalogValue::Flag(true))
    }
}

impl Catalog {
    /// The objects of a part.
    ///
    /// # Errors
    /// Why they are not known.
    pub fn objects_of(&self, part: CatalogPart) -> Result<&[CatalogObject], &str> {
        match self.parts.get(&part) {
            Some(CatalogAnswer::Objects(objects)) => Ok(objects),
            Some(CatalogAnswer::Gap { gap }) => Err(gap),
            None => Err("it was not read"),
        }
    }

    /// A table's own entry.
    #[must_use]
    pub fn table_named(&self, name: &str) -> Option<&CatalogObject> {
        self.objects_of(CatalogPart::Tables).ok()?.iter().find(|table| table.name == name)
    }

    /// A table's own entry and those of the tables that it is a partition of, from the nearest to the top.
    #[must_use]
    pub fn table_with_parents(&self, name: &str) -> Vec<&CatalogObject> {
        let mut tables: Vec<&CatalogObject> = Vec::new();
        let mut next = self.table_named(name);
        while let Some(table) = next.filter(|next| tables.iter().all(|known| known.name != next.name)) {
            tables.push(table);
            next = table.text_fact("partition of").and_then(|parent| self.table_named(parent));
        }
        tables
    }
}

/// The names of the facts of each part. One that ends in a space is the beginning of several: what follows is the
/// name of an option, as in `option fillfactor`.
pub const FACTS: &[(CatalogPart, &[&str])] = &[
    (
        CatalogPart::Tables,
        &[
            "kind",
            "persistence",
            "access method",
            "tablespace",
            "option ",
            "toast option ",
            "row security",
            "row security active",
            "replica identity",
            "publications",
            "pages",
            "rows",
            "all-visible pages",
            "frozen age",
            "partition key",
            "partition of",
            "partitions",
            "children",
            "foreign server",
            "foreign option ",
        ],
    ),
    (
        CatalogPart::Columns,
        &[
            "position",
            "type",
            "collation",
            "storage",
            "compression",
            "not null",
            "generated",
            "identity",
            "statistics target",
            "statistics",
            "option ",
            "foreign option ",
            "distinct values",
            "null share",
            "correlation",
            "average width",
            "most common values",
            "histogram bounds",
        ],
    ),
    (CatalogPart::Indexes, &["columns", "invalid", "not ready", "clustered", "pages", "rows"]),
    (CatalogPart::ExtendedStatistics, &["columns", "built", "statistics target"]),
    (CatalogPart::Policies, &[]),
    (CatalogPart::Triggers, &["enabled", "deferrable", "deferred", "function"]),
    (
        CatalogPart::Constraints,
        &["not valid", "deferrable", "deferred", "not enforced", "triggers disabled", "columns", "without index"],
    ),
    (CatalogPart::Views, &["definition", "option "]),
    (
        CatalogPart::Functions,
        &[
            "language",
            "volatility",
            "parallel",
            "cost",
            "rows",
            "leakproof",
            "strict",
            "security definer",
            "source",
            "setting ",
        ],
    ),
    (CatalogPart::ForeignServers, &["wrapper", "type", "version", "option "]),
    (CatalogPart::Settings, &["value", "statement", "overridden"]),
    (CatalogPart::EventTriggers, &["enabled"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_with_objects_and_part_with_gap_are_read_back() {
        let text = r#"{"parts":{"indexes":[{"table":"public.t","name":"t_a","definition":"btree (a)","facts":{"invalid":true,"pages":2.0}}],"settings":{"gap":"permission denied"}}}"#;
        let catalog: Catalog = serde_json::from_str(text).unwrap();
        let [index] = catalog.objects_of(CatalogPart::Indexes).unwrap() else { panic!("{catalog:?}") };
        assert!(index.has_flag("invalid") && index.number_fact("pages") == Some(2.0), "{index:?}");
        assert_eq!(catalog.objects_of(CatalogPart::Settings), Err("permission denied"));
        assert_eq!(catalog.objects_of(CatalogPart::Views), Err("it was not read"));
        assert_eq!(serde_json::to_string(&catalog).unwrap(), text);
    }

    #[test]
    fn every_part_has_its_facts() {
        let named: Vec<CatalogPart> = FACTS.iter().map(|(part, _)| *part).collect();
        assert_eq!(named, CatalogPart::ALL);
    }
}
