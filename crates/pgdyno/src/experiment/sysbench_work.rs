//! A workload on sysbench's tables, as the load engine has it and as the real sysbench is asked for it.

use std::num::NonZeroU32;

use dataset::SysbenchData;
use load::external::SysbenchJob;
use load::workload::sysbench::{Distribution, OptionError, Options, Sysbench, Workload as Script};
use plan::{Plan, SysbenchScript, SysbenchTables, Word as _, Work, Workload};

use super::fleet::Member;
use super::work::{Asked, server};
use crate::problem::Problem;

/// A workload on sysbench's tables as the engine has it; none for other workloads. `clients` is how many there are.
pub(super) fn of_sysbench(workload: &Workload, clients: u32) -> Result<Option<Sysbench>, Problem> {
    let problem =
        |error: OptionError| Problem::usage(format!("workload {:?}: {error}", workload.name)).detail(error.detail());
    let (script, options) = match &workload.work {
        Work::Sysbench(of) => {
            let script = Script::named(of.script.word()).expect("sysbench has every script of a plan");
            (script, options(of, clients).map_err(problem)?)
        }
        Work::ReadIntensive(mix) => {
            let on_tables = on(mix.tables, mix.distribution, clients).map_err(problem)?;
            (Script::ReadWritePercent, Options { read_percent: mix.read_percent, ..on_tables })
        }
        Work::Builtin { .. } | Work::Scripts(_) | Work::Erp(_) => return Ok(None),
    };
    Sysbench::new(script, options).map(Some).map_err(problem)
}

/// The tables of a workload; none where it has no tables of sysbench's. `k` is spread as the first workload of the plan
/// on such tables draws its rows: as if the tables had been prepared for that one, and the others run on them.
pub(super) fn tables(plan: &Plan, workload: &Workload, clients: u32) -> Result<Option<SysbenchData>, Problem> {
    let Some(own) = of_sysbench(workload, clients)? else { return Ok(None) };
    let first = plan.workloads.iter().find(|workload| workload.sysbench_tables().is_some()).unwrap_or(workload);
    let first = of_sysbench(first, clients)?;
    Ok(first.map(|first| SysbenchData::from(&own).spread_like(&SysbenchData::from(&first))))
}

fn options(of: &plan::Sysbench, clients: u32) -> Result<Options, OptionError> {
    let count = of.statements;
    Ok(Options {
        range_size: of.range_size,
        point_selects: count.point_selects,
        range_selects: count.range_selects,
        simple_ranges: count.simple_ranges,
        sum_ranges: count.sum_ranges,
        order_ranges: count.order_ranges,
        distinct_ranges: count.distinct_ranges,
        index_updates: count.index_updates,
        non_index_updates: count.non_index_updates,
        delete_inserts: count.delete_inserts,
        skip_trx: of.skip_trx,
        random_points: of.random.points,
        number_of_ranges: of.random.ranges,
        delta: of.random.delta,
        ..on(of.tables, of.distribution, clients)?
    })
}

/// The options of the tables.
fn on(tables: SysbenchTables, distribution: plan::Distribution, clients: u32) -> Result<Options, OptionError> {
    Ok(Options {
        tables: tables.tables,
        table_size: tables.table_size,
        auto_inc: tables.auto_inc,
        create_secondary: tables.create_secondary,
        distribution: match distribution {
            plan::Distribution::Special { iter, pct, res } => Distribution::special(iter, pct, res)?,
            plan::Distribution::Uniform => Distribution::UNIFORM,
            plan::Distribution::Gaussian { iter } => Distribution::gaussian(iter)?,
            plan::Distribution::Pareto { h } => Distribution::pareto(h.number())?,
            plan::Distribution::Zipfian { exponent } => Distribution::zipfian(exponent.number())?,
        },
        threads: clients,
        ..Options::default()
    })
}

/// The load of one trial for the real sysbench.
pub(super) fn sysbench_job(
    plan: &Plan,
    workload: &Workload,
    asked: Asked,
    member: &Member,
) -> Result<SysbenchJob, Problem> {
    let Work::Sysbench(sysbench) = &workload.work else {
        return Err(Problem::usage(format!("workload {:?}: sysbench runs its own scripts only", workload.name)));
    };
    let mut options = real_options(sysbench);
    let prepared = if workload.mode == plan::QueryMode::Prepared { "auto" } else { "disable" };
    options.push(("db-ps-mode", prepared.to_owned()));
    Ok(SysbenchJob {
        server: server(workload, member, 0),
        script: sysbench.script.word().to_owned(),
        options: options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        threads: NonZeroU32::new(asked.clients).expect("a plan's counts are checked when it is read"),
        rate: whole_rate(workload)?,
        warm_up: plan.trial.warm_up,
        measure: plan.trial.measure,
        // It takes 31 bits, and 0 for the time.
        seed: (asked.seed & 0x7fff_ffff).max(1),
    })
}

/// What the real sysbench is told of the script's options.
fn real_options(sysbench: &plan::Sysbench) -> Vec<(&'static str, String)> {
    let of = sysbench.statements;
    let mut options: Vec<(&str, String)> = [
        ("tables", sysbench.tables.tables),
        ("table-size", sysbench.tables.table_size),
        ("range-size", sysbench.range_size),
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
        ("auto-inc", sysbench.tables.auto_inc),
        ("create-secondary", sysbench.tables.create_secondary),
        ("skip-trx", sysbench.skip_trx),
    ];
    options.extend(switches.map(|(name, on)| (name, if on { "on" } else { "off" }.to_owned())));
    // Each of them is known to its own script only.
    let random = sysbench.random;
    let own: &[(&str, u32)] = match sysbench.script {
        SysbenchScript::RandomPoints => &[("random-points", random.points)],
        SysbenchScript::RandomRanges => &[("number-of-ranges", random.ranges), ("delta", random.delta)],
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
    options.extend(real_distribution(sysbench.distribution));
    options
}

/// How the real sysbench is told to choose rows, parameters included.
fn real_distribution(distribution: plan::Distribution) -> Vec<(&'static str, String)> {
    let parameters: &[(&str, String)] = match distribution {
        plan::Distribution::Special { iter, pct, res } => &[
            ("rand-spec-iter", iter.to_string()),
            ("rand-spec-pct", pct.to_string()),
            ("rand-spec-res", res.to_string()),
        ],
        plan::Distribution::Uniform => &[],
        plan::Distribution::Gaussian { iter } => &[("rand-spec-iter", iter.to_string())],
        plan::Distribution::Pareto { h } => &[("rand-pareto-h", h.to_string())],
        plan::Distribution::Zipfian { exponent } => &[("rand-zipfian-exp", exponent.to_string())],
    };
    [&[("rand-type", distribution.shape().word().to_owned())], parameters].concat()
}

/// The rate of an open loop for sysbench, which takes whole numbers.
fn whole_rate(workload: &Workload) -> Result<Option<NonZeroU32>, Problem> {
    let plan::Pace::Open { rate: plan::Rate::Constant(rate), .. } = &workload.pace else { return Ok(None) };
    let whole = rate.per_s() as u32;
    match NonZeroU32::new(whole) {
        Some(whole) if f64::from(whole.get()) == rate.per_s() => Ok(Some(whole)),
        _ => Err(Problem::usage(format!("workload {:?}: sysbench takes whole rates only, not {rate}", workload.name))),
    }
}
