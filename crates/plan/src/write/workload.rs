//! A workload as the text of a plan, every default written out. Keys that belong to another kind of work are left out.

use std::fmt::{self, Write};

use super::super::model::Word;
use super::super::units::format_duration;
use super::super::workload::{
    Arrivals, CapacitySearch, Pace, PgbenchTables, Scripts, Sysbench, SysbenchScript, SysbenchTables, Think, Work,
    Workload,
};
use super::quoted;

pub(super) fn write_workload(w: &mut String, workload: &Workload) -> fmt::Result {
    writeln!(w, "  {}:", quoted(&workload.name))?;
    match &workload.work {
        Work::Builtin { script, tables } => {
            writeln!(w, "    builtin: {}", script.word())?;
            write_tables(w, *tables)?;
        }
        Work::Scripts(scripts) => write_scripts(w, scripts)?,
        Work::Sysbench(sysbench) => write_sysbench(w, sysbench)?,
        Work::ReadIntensive(mix) => {
            writeln!(w, "    read-intensive:\n      read_percent: {}", mix.read_percent)?;
            write_sysbench_tables(w, mix.tables)?;
            writeln!(w, "      distribution: {}", mix.distribution)?;
        }
        Work::Erp(erp) => {
            writeln!(w, "    erp:\n      object: {}\n      scale: {}", erp.object.word(), erp.scale)?;
            writeln!(w, "      splitter: {}\n      reuse: {}", erp.splitter, erp.reuse)?;
        }
    }
    writeln!(w, "    cache: {}\n    mode: {}", workload.cache.word(), workload.mode.word())?;
    write_pace(w, &workload.pace)?;
    if let Some(limit) = workload.latency_limit {
        writeln!(w, "    latency_limit: {}", format_duration(limit))?;
    }
    writeln!(w, "    tries: {}\n    connections: {}", workload.tries, workload.connections.word())?;
    if let Some(timeout) = workload.statement_timeout {
        writeln!(w, "    statement_timeout: {}", format_duration(timeout))?;
    }
    writeln!(w, "    generator: {}\n    ledger: {}", workload.generator.word(), workload.ledger)
}

fn write_tables(w: &mut String, PgbenchTables { scale, data }: PgbenchTables) -> fmt::Result {
    writeln!(w, "    scale: {scale}\n    data: {}", data.word())
}

fn write_scripts(w: &mut String, scripts: &Scripts) -> fmt::Result {
    let files: Vec<String> = scripts.files.iter().map(|file| quoted(&file.to_string())).collect();
    writeln!(w, "    script: [{}]", files.join(", "))?;
    if let Some(tables) = scripts.tables {
        write_tables(w, tables)?;
    }
    let define: Vec<String> =
        scripts.define.iter().map(|(name, value)| format!("{}: {}", quoted(name), quoted(value))).collect();
    writeln!(w, "    define: {{{}}}\n    allow_shell: {}", define.join(", "), scripts.allow_shell)
}

fn write_sysbench(w: &mut String, sysbench: &Sysbench) -> fmt::Result {
    writeln!(w, "    sysbench:\n      script: {}", sysbench.script.word())?;
    if sysbench.script == SysbenchScript::BulkInsert {
        // It has no options.
        return Ok(());
    }
    write_sysbench_tables(w, sysbench.tables)?;
    writeln!(w, "      distribution: {}\n      range_size: {}", sysbench.distribution, sysbench.range_size)?;
    let of = sysbench.statements;
    for (name, count) in [
        ("point_selects", of.point_selects),
        ("simple_ranges", of.simple_ranges),
        ("sum_ranges", of.sum_ranges),
        ("order_ranges", of.order_ranges),
        ("distinct_ranges", of.distinct_ranges),
        ("index_updates", of.index_updates),
        ("non_index_updates", of.non_index_updates),
        ("delete_inserts", of.delete_inserts),
        ("random_points", sysbench.random.points),
        ("number_of_ranges", sysbench.random.ranges),
        ("delta", sysbench.random.delta),
    ] {
        writeln!(w, "      {name}: {count}")?;
    }
    writeln!(w, "      range_selects: {}\n      skip_trx: {}", of.range_selects, sysbench.skip_trx)
}

fn write_sysbench_tables(w: &mut String, tables: SysbenchTables) -> fmt::Result {
    let SysbenchTables { tables, table_size, auto_inc, create_secondary } = tables;
    writeln!(w, "      tables: {tables}\n      table_size: {table_size}")?;
    writeln!(w, "      auto_inc: {auto_inc}\n      create_secondary: {create_secondary}")
}

fn write_pace(w: &mut String, pace: &Pace) -> fmt::Result {
    let arrivals = |w: &mut String, arrivals: Arrivals| writeln!(w, "    arrivals: {}", arrivals.word());
    match pace {
        Pace::Closed { think: None } => Ok(()),
        Pace::Closed { think: Some(Think::Fixed(pause)) } => writeln!(w, "    think: {}", format_duration(*pause)),
        Pace::Closed { think: Some(Think::Exponential(mean)) } => {
            writeln!(w, "    think: {{ exponential: {} }}", format_duration(*mean))
        }
        Pace::Open { rate, arrivals: how } => {
            writeln!(w, "    rate: {rate}")?;
            arrivals(w, *how)
        }
        Pace::Capacity { search: CapacitySearch { p99, from, to, precision }, arrivals: how } => {
            writeln!(w, "    capacity:\n      p99: {}\n      from: {from}\n      to: {to}", format_duration(*p99))?;
            writeln!(w, "      precision: {precision}")?;
            arrivals(w, *how)
        }
    }
}
