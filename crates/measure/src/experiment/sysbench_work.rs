//! A workload on sysbench's tables, as the load engine has it and as the real sysbench is asked for it.

use std::num::NonZeroU32;

use dataset::SysbenchData;
use load::external::SysbenchJob;
use load::workload::sysbench::Sysbench;
use plan::{Plan, ReadIntensive, TransactionWork, Workload};
use work::{Distribution, SysbenchOptions, SysbenchScript, SysbenchTransaction, WordChoice as _};

use super::asked::TrialRequest;
use super::load_login::{conninfo_for_workload, login_of_member};
use super::member::Member;
use problem::Problem;

/// A workload on sysbench's tables as the engine has it; none for other workloads. `clients` is how many there are.
pub(super) fn of_sysbench(workload: &Workload, clients: u32) -> Result<Option<Sysbench>, Problem> {
    let made = match &workload.work {
        TransactionWork::Sysbench(of) => Sysbench::new(of.script, of.options, clients),
        TransactionWork::ReadIntensive(ReadIntensive { read_percent, tables, distribution }) => {
            let (tables, distribution) = (*tables, *distribution);
            let options = SysbenchOptions { tables, distribution, ..SysbenchOptions::default() };
            Sysbench::new(SysbenchTransaction::ReadIntensive { read_percent: *read_percent }, options, clients)
        }
        TransactionWork::Builtin { .. }
        | TransactionWork::Scripts(_)
        | TransactionWork::Erp(_)
        | TransactionWork::Mix(_) => return Ok(None),
    };
    made.map(Some)
        .map_err(|error| Problem::usage_error(format!("workload {:?}: {error}", workload.name)).detail(error.detail()))
}

/// The tables of a workload; none where it has no tables of sysbench's. `k` is spread as the first workload of the plan
/// on such tables draws its rows: as if the tables had been prepared for that one, and the others run on them.
pub(super) fn sysbench_tables(plan: &Plan, workload: &Workload, clients: u32) -> Result<Option<SysbenchData>, Problem> {
    let Some(own) = of_sysbench(workload, clients)? else { return Ok(None) };
    let singles = plan.single_workloads();
    let on_them = |other: &&Workload| {
        other.sysbench_tables().is_some() && plan.database_for_workload(other) == plan.database_for_workload(workload)
    };
    let first = of_sysbench(singles.iter().find(on_them).unwrap_or(workload), clients)?;
    Ok(first.map(|first| data_of(&own).spread_like(&data_of(&first))))
}

fn data_of(sysbench: &Sysbench) -> SysbenchData {
    SysbenchData::new(sysbench.transaction(), sysbench.options(), sysbench.clients())
}

/// The load of one trial for the real sysbench.
pub(super) fn sysbench_job(
    plan: &Plan,
    workload: &Workload,
    asked: TrialRequest<'_>,
    member: &Member,
) -> Result<SysbenchJob, Problem> {
    let Some(sysbench) = workload.as_sysbench() else {
        return Err(Problem::usage_error(format!("workload {:?}: sysbench runs only its own scripts", workload.name)));
    };
    let mut options = real_options(sysbench);
    let prepared = if workload.mode == plan::QueryMode::Prepared { "auto" } else { "disable" };
    options.push(("db-ps-mode", prepared.to_owned()));
    let phases = plan.phases_of_workload(workload);
    Ok(SysbenchJob {
        server: conninfo_for_workload(workload, login_of_member(member), 0),
        script: sysbench.script.as_word().to_owned(),
        options: options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        threads: NonZeroU32::new(asked.clients).expect("a plan's counts are checked when it is read"),
        rate: whole_rate(workload)?,
        warm_up: phases.warm_up,
        measure: phases.measure,
        // It takes 31 bits, and 0 for the time.
        seed: (asked.seed & 0x7fff_ffff).max(1),
    })
}

/// What the real sysbench is told of the script's options.
fn real_options(sysbench: &plan::Sysbench) -> Vec<(&'static str, String)> {
    let of = &sysbench.options;
    let mut options: Vec<(&str, String)> = [
        ("tables", of.tables.tables),
        ("table-size", of.tables.table_size),
        ("range-size", of.range_size),
        ("point-selects", of.point_selects),
        ("simple-ranges", of.simple_ranges),
        ("sum-ranges", of.sum_ranges),
        ("order-ranges", of.order_ranges),
        ("distinct-ranges", of.distinct_ranges),
        ("index-updates", of.index_updates),
        ("non-index-updates", of.non_index_updates),
        ("delete-inserts", of.delete_inserts),
    ]
    .map(|(name, value)| (name, value.to_string()))
    .into();
    let switches = [
        ("range-selects", of.range_selects),
        ("auto-inc", of.tables.auto_inc),
        ("create-secondary", of.tables.create_secondary),
        ("skip-trx", of.skip_trx),
    ];
    options.extend(switches.map(|(name, on)| (name, if on { "on" } else { "off" }.to_owned())));
    // Each of them is known to its own script only.
    let own: &[(&str, u32)] = match sysbench.script {
        SysbenchScript::RandomPoints => &[("random-points", of.random_points)],
        SysbenchScript::RandomRanges => &[("number-of-ranges", of.number_of_ranges), ("delta", of.delta)],
        SysbenchScript::PointSelect
        | SysbenchScript::ReadOnly
        | SysbenchScript::ReadWrite
        | SysbenchScript::WriteOnly
        | SysbenchScript::UpdateIndex
        | SysbenchScript::UpdateNonIndex
        | SysbenchScript::Insert
        | SysbenchScript::Delete
        | SysbenchScript::BulkInsert => &[],
    };
    options.extend(own.iter().map(|(name, value)| (*name, value.to_string())));
    options.extend(real_distribution(of.distribution));
    options
}

/// How the real sysbench is told to choose rows, parameters included.
fn real_distribution(distribution: Distribution) -> Vec<(&'static str, String)> {
    let parameters: &[(&str, String)] = match distribution {
        Distribution::Special { iter, pct, res } => &[
            ("rand-spec-iter", iter.to_string()),
            ("rand-spec-pct", pct.to_string()),
            ("rand-spec-res", res.to_string()),
        ],
        Distribution::Uniform => &[],
        Distribution::Gaussian { iter } => &[("rand-spec-iter", iter.to_string())],
        Distribution::Pareto { h } => &[("rand-pareto-h", h.to_string())],
        Distribution::Zipfian { exponent } => &[("rand-zipfian-exp", exponent.to_string())],
    };
    [&[("rand-type", distribution.shape().as_word().to_owned())], parameters].concat()
}

/// The rate of an open loop for sysbench, which takes whole numbers.
fn whole_rate(workload: &Workload) -> Result<Option<NonZeroU32>, Problem> {
    let plan::WorkloadPace::Open { rate: plan::PlannedRate::Constant(rate), .. } = &workload.pace else {
        return Ok(None);
    };
    let whole = rate.per_s() as u32;
    match NonZeroU32::new(whole) {
        Some(whole) if f64::from(whole.get()) == rate.per_s() => Ok(Some(whole)),
        _ => Err(Problem::usage_error(format!(
            "workload {:?}: sysbench accepts only whole rates, not {rate}",
            workload.name
        ))),
    }
}
