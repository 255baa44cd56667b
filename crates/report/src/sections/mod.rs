//! Every section that is built once for all forms, in the order of the report. A new section is a builder in a file of
//! its own and its place here.

mod account;
mod capacity;
pub(crate) mod costs_and_statements;
pub(crate) mod disks;
pub(crate) mod events;
mod facts;
mod kernel_sleeps;
pub(crate) mod loads_beside;
mod maintenance;
mod noise_floor;
mod own_load;
mod provider_balances;
mod rehearsal;
mod remarks;
mod scripts;
mod server_statements;
mod service;
mod standby_lag;
mod statement_latency;
mod statements_alone;
mod tuning;
mod workloads;

use judge::Judgement;

use crate::document::{ReportDocument, ReportSection, TableKind};
use crate::{
    audit, budgets, cost, cross_check, failures, findings, further, issues, layers, maxima, percentiles, profiles,
    required, spread, table, target_figures,
};

/// How a section is built, and the kinds of its tables, which programs find by name.
#[derive(Debug)]
pub(crate) struct SectionBuilder {
    build: fn(&Judgement) -> Option<ReportSection>,
    /// Every kind of table of the section that CSV has.
    pub(crate) tables: &'static [&'static TableKind],
}

/// Every section, in the order of the document.
pub(crate) static SECTIONS: [SectionBuilder; 35] = [
    SectionBuilder { build: remarks::remarks_section, tables: &[] },
    SectionBuilder { build: further::further_section, tables: &[&further::TABLE] },
    SectionBuilder { build: workloads::workloads_section, tables: &[&workloads::TABLE] },
    SectionBuilder { build: rehearsal::rehearsal_section, tables: &[&rehearsal::TABLE] },
    SectionBuilder { build: own_load::own_load_section, tables: &[&own_load::TABLE] },
    SectionBuilder { build: service::service_section, tables: &[] },
    SectionBuilder { build: capacity::capacity_section, tables: &[&capacity::TABLE] },
    SectionBuilder { build: failures::failures_section, tables: &[&failures::TABLE] },
    SectionBuilder {
        build: costs_and_statements::costs_and_statements_section,
        tables: &[&costs_and_statements::COSTS, &costs_and_statements::STATEMENTS],
    },
    SectionBuilder { build: loads_beside::loads_beside_section, tables: &[&loads_beside::TABLE] },
    SectionBuilder { build: standby_lag::standby_lag_section, tables: &[&standby_lag::TABLE] },
    SectionBuilder { build: events::events_section, tables: &[&events::TABLE] },
    SectionBuilder { build: tuning::tuning_section, tables: &[&tuning::TABLE] },
    SectionBuilder { build: target_figures::target_figures_section, tables: &[&target_figures::TABLE] },
    SectionBuilder { build: scripts::scripts_section, tables: &[&scripts::TABLE] },
    SectionBuilder { build: percentiles::percentiles_section, tables: &[&percentiles::TABLE] },
    SectionBuilder { build: maxima::maxima_section, tables: &[&maxima::TABLE] },
    SectionBuilder { build: spread::spread_section, tables: &[&spread::TABLE] },
    SectionBuilder { build: cost::cost_section, tables: &[&cost::TABLE] },
    SectionBuilder { build: cross_check::cross_check_section, tables: &[&cross_check::TABLE] },
    SectionBuilder { build: required::required_section, tables: &[&required::TABLE] },
    SectionBuilder { build: maintenance::maintenance_section, tables: &[&maintenance::TABLE] },
    SectionBuilder { build: layers::layers_section, tables: &[&layers::TABLE] },
    SectionBuilder { build: budgets::budgets_section, tables: &[&budgets::TABLE] },
    SectionBuilder { build: account::account_section, tables: &[&account::TABLE] },
    SectionBuilder { build: profiles::profiles_section, tables: &[&profiles::TABLE] },
    SectionBuilder { build: kernel_sleeps::kernel_sleeps_section, tables: &[&kernel_sleeps::TABLE] },
    SectionBuilder {
        build: statement_latency::statement_latency_section,
        tables: &[&statement_latency::CHANGES, &statement_latency::SIDES, &statements_alone::TABLE],
    },
    SectionBuilder { build: disks::disks_section, tables: &[&disks::STAGES] },
    SectionBuilder { build: disks::ceilings::disk_ceilings_section, tables: &[&disks::ceilings::TABLE] },
    SectionBuilder { build: server_statements::server_statements_section, tables: &[&server_statements::TABLE] },
    SectionBuilder { build: provider_balances::provider_balances_section, tables: &[&provider_balances::TABLE] },
    SectionBuilder { build: facts::facts_section, tables: &[&facts::TABLE] },
    SectionBuilder { build: noise_floor::noise_floor_section, tables: &[] },
    SectionBuilder { build: audit::audit_section, tables: &[] },
];

/// What a page draws in its own way, in the order of the other forms.
pub(crate) static ANSWER: [SectionBuilder; 3] = [
    SectionBuilder { build: findings::findings_section, tables: &[] },
    SectionBuilder { build: table::verdicts_section, tables: &[&table::TABLE] },
    SectionBuilder { build: issues::issues_section, tables: &[] },
];

/// The document of a judgement.
pub(crate) fn document_of(judgement: &Judgement) -> ReportDocument {
    ReportDocument { answer: built_sections(&ANSWER, judgement), sections: built_sections(&SECTIONS, judgement) }
}

fn built_sections(builders: &[SectionBuilder], judgement: &Judgement) -> Vec<ReportSection> {
    builders.iter().filter_map(|builder| (builder.build)(judgement)).collect()
}
