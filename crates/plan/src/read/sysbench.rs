//! The workloads on sysbench's tables: its scripts, the mix by a share of reads, and how rows are chosen.

use super::super::distribution::Distribution;
use super::super::document::{Node, Value};
use super::super::error::Finding;
use super::super::grammar::Form;
use super::super::grammar::sysbench::SHAPE;
use super::super::model::Word as _;
use super::super::workload::{
    Generator, ReadIntensive, Shape, Sysbench, SysbenchRandom, SysbenchScript, SysbenchStatements, SysbenchTables,
    Work, Workload,
};
use super::{At, Fields, Reader, join};

impl Reader<'_> {
    pub(super) fn sysbench(&mut self, at: &At<'_>) -> Option<Sysbench> {
        let fields = self.record(at)?;
        let script = self.value(&fields, "script", Self::word);
        let tables = self.sysbench_tables(&fields);
        let distribution = self.value(&fields, "distribution", Self::distribution);
        let range_size = self.value(&fields, "range_size", Self::whole_u32);
        let statements = self.sysbench_statements(&fields);
        let mut count = |name: &str| self.value(&fields, name, Self::whole_u32);
        let [points, ranges, delta] = ["random_points", "number_of_ranges", "delta"].map(&mut count);
        let skip_trx = self.value(&fields, "skip_trx", Self::boolean);
        let sysbench = Sysbench {
            script: script?,
            tables: tables?,
            distribution: distribution?,
            range_size: range_size?,
            statements: statements?,
            skip_trx: skip_trx?,
            random: SysbenchRandom { points: points?, ranges: ranges?, delta: delta? },
        };
        self.what_the_script_takes(&fields, &sysbench);
        Some(sysbench)
    }

    fn sysbench_statements(&mut self, fields: &Fields<'_>) -> Option<SysbenchStatements> {
        let range_selects = self.value(fields, "range_selects", Self::boolean);
        let mut count = |name: &str| self.value(fields, name, Self::whole_u32);
        let [point_selects, simple_ranges, sum_ranges, order_ranges] =
            ["point_selects", "simple_ranges", "sum_ranges", "order_ranges"].map(&mut count);
        let [distinct_ranges, index_updates, non_index_updates, delete_inserts] =
            ["distinct_ranges", "index_updates", "non_index_updates", "delete_inserts"].map(&mut count);
        Some(SysbenchStatements {
            point_selects: point_selects?,
            range_selects: range_selects?,
            simple_ranges: simple_ranges?,
            sum_ranges: sum_ranges?,
            order_ranges: order_ranges?,
            distinct_ranges: distinct_ranges?,
            index_updates: index_updates?,
            non_index_updates: non_index_updates?,
            delete_inserts: delete_inserts?,
        })
    }

    fn what_the_script_takes(&mut self, fields: &Fields<'_>, sysbench: &Sysbench) {
        let Sysbench { script, tables, .. } = sysbench;
        if script.divides_one_table() && tables.tables > 1 {
            let why = format!("is 1 for `script: {}`, which reads one table only", script.word());
            self.misplaced(fields, "tables", &why, "remove it");
        }
        if *script == SysbenchScript::BulkInsert {
            let names: Vec<&str> = fields.given.iter().map(|entry| entry.key.as_str()).collect();
            for name in names.into_iter().filter(|name| *name != "script") {
                let why = "is not for `script: bulk_insert`, which has no options and one empty table per client";
                self.misplaced(fields, name, why, "remove it");
            }
        }
    }

    pub(super) fn read_intensive(&mut self, at: &At<'_>) -> Option<ReadIntensive> {
        let fields = self.record(at)?;
        let read_percent = self.value(&fields, "read_percent", Self::whole_u32);
        let tables = self.sysbench_tables(&fields);
        let distribution = self.value(&fields, "distribution", Self::distribution);
        Some(ReadIntensive { read_percent: read_percent?, tables: tables?, distribution: distribution? })
    }

    fn sysbench_tables(&mut self, fields: &Fields<'_>) -> Option<SysbenchTables> {
        let tables = self.value(fields, "tables", Self::whole_u32);
        let table_size = self.value(fields, "table_size", Self::whole_u32);
        let auto_inc = self.value(fields, "auto_inc", Self::boolean);
        let create_secondary = self.value(fields, "create_secondary", Self::boolean);
        Some(SysbenchTables {
            tables: tables?,
            table_size: table_size?,
            auto_inc: auto_inc?,
            create_secondary: create_secondary?,
        })
    }

    /// A word stands for the shape with the default of every parameter.
    fn distribution(&mut self, at: &At<'_>) -> Option<Distribution> {
        let at = self.one_of_forms(at)?;
        if !matches!(at.form, Form::Record(_)) {
            let shape: Shape = self.word(&at)?;
            let Some(key) = SHAPE.key(shape.word()) else { return Some(Distribution::Uniform) };
            let node = Node { span: at.node.span, value: Value::Map(Vec::new()) };
            return self.shape(shape, &At { node: &node, path: at.path, form: &key.form });
        }
        let fields = self.record(&at)?;
        // Of none or several `record` has reported that.
        let [entry] = fields.given[..] else { return None };
        let shape = Shape::ALL.iter().copied().find(|shape| shape.word() == entry.key)?;
        let key = SHAPE.key(shape.word())?;
        self.present(&fields, key, &entry.node, |reader, at| reader.shape(shape, at))
    }

    /// A shape with its parameters.
    fn shape(&mut self, shape: Shape, at: &At<'_>) -> Option<Distribution> {
        let fields = self.record(at)?;
        match shape {
            Shape::Uniform => Some(Distribution::Uniform),
            Shape::Special => {
                let mut whole = |name: &str| self.value(&fields, name, Self::whole_u32);
                let [iter, pct, res] = ["iter", "pct", "res"].map(&mut whole);
                Some(Distribution::Special { iter: iter?, pct: pct?, res: res? })
            }
            Shape::Gaussian => self.value(&fields, "iter", Self::whole_u32).map(|iter| Distribution::Gaussian { iter }),
            Shape::Pareto => self.value(&fields, "h", Self::decimal).map(|h| Distribution::Pareto { h }),
            Shape::Zipfian => {
                self.value(&fields, "exponent", Self::decimal).map(|exponent| Distribution::Zipfian { exponent })
            }
        }
    }

    /// What sysbench 1.0 does not know, and what it counts otherwise.
    pub(super) fn what_the_real_sysbench_lacks(&mut self, fields: &Fields<'_>, workload: &Workload) {
        let (Generator::Sysbench, Work::Sysbench(sysbench)) = (workload.generator, &workload.work) else { return };
        let Some(entry) = fields.entry("sysbench") else { return };
        let path = fields.path_of("sysbench");
        let mut refuse = |key: &str, message: &str| {
            let span = entry.node.get(key).map_or(entry.key_span, |entry| entry.node.span);
            let message = format!("{}: {message}", join(&path, key));
            self.report(Finding::new(span, message).hint("use `generator: pgdyno`"));
        };
        if sysbench.distribution.shape() == Shape::Zipfian {
            refuse("distribution", "zipfian is not for `generator: sysbench`, whose version 1.0 does not know it");
        }
        if sysbench.script == SysbenchScript::BulkInsert {
            let why = "bulk_insert is not for `generator: sysbench`, which counts rows, not statements, and numbers them from 1 \
                       again after the warm-up";
            refuse("script", why);
        }
    }
}
