//! What the catalogs of two sides say differently of the tables that a cell's statements touch.

use std::collections::BTreeSet;

use results::catalog::{Catalog, CatalogPart};
use results::plans::Plan;

use super::case::DiagnosisCase;
use super::finding::{EvidenceFigure, FigureAmount, figure};
use super::missing::{MissingObservation, NOT_IN_FILES};
use super::plans::{is_called, nodes_of_plan, plans_of, words_of};
use crate::unlike_tables::{
    ALL_VISIBLE_PAGES, BearsOn, Relevance, UnlikeTableFact, lines_of, ranked_by_relevance, unlike_table_facts,
};

/// Lines of differences that stand in a finding.
const LISTED: usize = 5;

/// Statements of advice that stand in a sentence.
const ADVISED: usize = 2;

impl<'a> DiagnosisCase<'a> {
    /// What the catalogs said at the end of its last trial that read them.
    pub fn catalog_contents(&self) -> Result<&'a Catalog, MissingObservation> {
        let read = self.trials().iter().rev().find_map(|measured| measured.watched.tables.as_ref()?.catalog.as_ref());
        read.ok_or_else(|| {
            let gap = self.gap_of_tables(|tables| tables.gap.as_deref());
            MissingObservation::new("the system catalogs", gap.unwrap_or(NOT_IN_FILES))
        })
    }

    /// All that the catalogs say differently of it and another side.
    pub fn unlike_table_facts(&self, other: &Self) -> Result<Vec<UnlikeTableFact>, MissingObservation> {
        let same_version = self.is_of_one_version_with(other)?;
        let mut facts = unlike_table_facts(self.catalog_contents()?, other.catalog_contents()?, same_version);
        facts.retain(|fact| {
            !self.is_setting_with_one_value(other, fact)
                && self.may_act_on_values(other, fact)
                && self.may_act_on_index_only_scans(other, fact)
        });
        if self.defining_statements().is_empty() {
            facts.retain(|fact| fact.bears_on != BTreeSet::from([BearsOn::Definitions]));
        }
        Ok(facts)
    }

    /// The differences that can change one of these kinds of cost, whatever the table; none where the catalogs were not
    /// read.
    pub fn unlike_facts_bearing_on(&self, other: &Self, kinds: &[BearsOn]) -> Vec<UnlikeTableFact> {
        let mut facts = self.unlike_table_facts(other).unwrap_or_default();
        facts.retain(|fact| kinds.iter().any(|kind| fact.bears_on.contains(kind)));
        facts
    }

    /// Whether a fact may act on what the statements of a side do: how values are compressed acts on who has them.
    fn may_act_on_values(&self, other: &Self, fact: &UnlikeTableFact) -> bool {
        let is_of_values = fact.part == CatalogPart::Columns && fact.fact == "compression";
        let Some(table) = fact.table.as_deref().filter(|_| is_of_values) else { return true };
        [self, other].iter().any(|case| case.may_touch_column(table, &fact.name))
    }

    /// Whether a fact may act on how a table is read: which of its pages are all-visible acts on index-only scans only,
    /// and differs between two equal tables by when autovacuum came.
    fn may_act_on_index_only_scans(&self, other: &Self, fact: &UnlikeTableFact) -> bool {
        let is_of_visibility = fact.part == CatalogPart::Tables && fact.fact == ALL_VISIBLE_PAGES;
        let Some(table) = fact.table.as_deref().filter(|_| is_of_visibility) else { return true };
        [self, other].iter().any(|case| case.may_read_by_index_alone(table))
    }

    /// Whether a setting of a role or a database is one that sessions of the other side have from elsewhere.
    fn is_setting_with_one_value(&self, other: &Self, fact: &UnlikeTableFact) -> bool {
        if fact.part != CatalogPart::Settings {
            return false;
        }
        let values = [self, other].map(|case| case.server_setting(&fact.name).ok().map(|setting| &setting.value));
        matches!(values, [Some(here), Some(there)] if here == there)
    }

    /// The differences that can decide between two plans of a statement, the most decisive first; none where the
    /// catalogs were not read.
    pub fn unlike_facts_of_plans(&self, other: &Self, plans: [&Plan; 2], bears_on: &[BearsOn]) -> Vec<UnlikeTableFact> {
        let mut relations = BTreeSet::new();
        let (mut texts, mut columns) = (Vec::new(), BTreeSet::new());
        for node in plans.into_iter().flat_map(nodes_of_plan) {
            relations.extend(node.relation.as_deref());
            for text in [&node.condition, &node.filter].into_iter().flatten() {
                columns.extend(words_of(text));
                texts.push(text.clone());
            }
        }
        let names: Vec<&str> = relations.into_iter().collect();
        self.relevant_facts(other, &names, texts, columns, bears_on)
    }

    /// The differences that can change what the statements on a table cost, the most decisive first; none where the
    /// catalogs were not read.
    pub fn unlike_facts_of_table(&self, other: &Self, table: &str, bears_on: &[BearsOn]) -> Vec<UnlikeTableFact> {
        let mut texts = Vec::new();
        let mut columns = BTreeSet::new();
        for plan in self.statement_plans().iter().flat_map(|plans| &plans.statements).flat_map(plans_of) {
            for node in nodes_of_plan(plan)
                .into_iter()
                .filter(|node| node.relation.as_deref().is_some_and(|relation| is_called(table, relation)))
            {
                for text in [&node.condition, &node.filter].into_iter().flatten() {
                    columns.extend(words_of(text));
                    texts.push(text.clone());
                }
            }
        }
        let alone = table.rsplit_once('.').map_or(table, |(_, alone)| alone).trim_matches('"').to_owned();
        self.relevant_facts(other, &[&alone], texts, columns, bears_on)
    }

    fn relevant_facts(
        &self,
        other: &Self,
        relations: &[&str],
        texts: Vec<String>,
        columns: BTreeSet<String>,
        bears_on: &[BearsOn],
    ) -> Vec<UnlikeTableFact> {
        let Ok(facts) = self.unlike_table_facts(other) else { return Vec::new() };
        let mut of = Relevance { texts, columns, bears_on: bears_on.iter().copied().collect(), ..Relevance::default() };
        for catalog in [self.catalog_contents(), other.catalog_contents()].into_iter().flatten() {
            add_tables(&mut of, catalog, relations);
        }
        let sent = self.workload_statements().map_or(&[][..], |statements| &statements.statements);
        for one in sent {
            let in_text = words_of(&one.text);
            for table in &of.tables {
                let alone = table.rsplit_once('.').map_or(table.as_str(), |(_, alone)| alone);
                if in_text.contains(alone.trim_matches('"')) {
                    of.texts.push(one.text.clone());
                    break;
                }
            }
        }
        ranked_by_relevance(facts, &of)
    }
}

/// The tables of these names with what they are partitions of, and the texts that name what is used with them.
fn add_tables(of: &mut Relevance, catalog: &Catalog, relations: &[&str]) {
    for table in catalog.objects_of(CatalogPart::Tables).unwrap_or_default() {
        if relations.iter().any(|relation| is_called(&table.name, relation)) {
            for table in catalog.table_with_parents(&table.name) {
                of.texts.extend(table.text_fact("foreign server").map(str::to_owned));
                of.tables.insert(table.name.clone());
            }
        }
    }
    for policy in catalog.objects_of(CatalogPart::Policies).unwrap_or_default() {
        if policy.table.as_ref().is_some_and(|table| of.tables.contains(table)) {
            of.texts.extend(policy.definition.clone());
        }
    }
}

/// Differences as figures of the evidence.
pub(super) fn figures_of_facts(facts: &[UnlikeTableFact]) -> Vec<EvidenceFigure> {
    let lines = lines_of(facts);
    lines.into_iter().take(LISTED).map(|line| figure(line.what, FigureAmount::Text(line.values))).collect()
}

/// What would take the most decisive differences away, as a clause; none where nothing short does.
pub(super) fn advice_of_facts(facts: &[UnlikeTableFact]) -> Option<String> {
    let mut advised: Vec<String> = Vec::new();
    for line in lines_of(facts) {
        if let Some(advice) = line.advice
            && !advised.contains(&advice)
        {
            advised.push(advice);
        }
    }
    advised.truncate(ADVISED);
    if advised.is_empty() { None } else { Some(advised.join("; then ")) }
}

/// What the most decisive difference is, for the end of a title; empty where none of them decides by itself.
pub(super) fn deciding_fact_in_words(facts: &[UnlikeTableFact]) -> String {
    let Some(first) = facts.first().filter(|fact| fact.rank == 0) else { return String::new() };
    let deciding: Vec<UnlikeTableFact> = facts.iter().filter(|fact| fact.rank == first.rank).cloned().collect();
    match lines_of(&deciding).first() {
        Some(line) => format!("; differs: {}: {}", line.what, line.values),
        None => String::new(),
    }
}
