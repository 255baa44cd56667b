//! The workloads of a plan, and which of their keys go together.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

use super::super::document::{Entry, Value, is_null};
use super::super::error::{Finding, shown};
use super::super::grammar::{Form, example};
use super::super::units::{self, PerSecond};
use super::super::workload::{
    Arrivals, CapacitySearch, Connections, Data, Erp, ErpObject, Generator, Pace, PgbenchTables, Rate, ScriptFile,
    Scripts, Think, Tries, Work, Workload,
};
use super::{At, Fields, Reader, join};

impl Reader<'_> {
    pub(super) fn workload(&mut self, name: &str, at: &At<'_>) -> Option<Workload> {
        let fields = self.record(at)?;
        self.keys_that_belong_together(&fields);
        let work = self.work(&fields);
        let cache = self.value(&fields, "cache", Self::word);
        let pace = self.pace(&fields);
        let mode = self.value(&fields, "mode", Self::word);
        let latency_limit = self.optional(&fields, "latency_limit", Self::duration);
        let tries = self.value(&fields, "tries", Self::tries);
        let connections = self.value(&fields, "connections", Self::word);
        let statement_timeout = self.optional(&fields, "statement_timeout", Self::duration);
        let generator = self.value(&fields, "generator", Self::word);
        let ledger = self.value(&fields, "ledger", Self::boolean);
        let workload = Workload {
            name: name.to_owned(),
            work: work?,
            cache: cache?,
            mode: mode?,
            pace: pace?,
            latency_limit: latency_limit?,
            tries: tries?,
            connections: connections?,
            statement_timeout: statement_timeout?,
            generator: generator?,
            ledger: ledger?,
        };
        self.what_the_generator_can(&fields, &workload);
        self.what_the_real_sysbench_lacks(&fields, &workload);
        self.what_a_ledger_needs(&fields, &workload);
        Some(workload)
    }

    fn work(&mut self, fields: &Fields<'_>) -> Option<Work> {
        let builtin = self.optional(fields, "builtin", Self::word);
        let script = self.optional(fields, "script", |r, at| r.list(at, Self::script));
        let sysbench = self.optional(fields, "sysbench", Self::sysbench);
        let read_intensive = self.optional(fields, "read-intensive", Self::read_intensive);
        let erp = self.optional(fields, "erp", Self::erp);
        let scale = self.optional(fields, "scale", Self::whole_u32);
        let data = self.optional(fields, "data", Self::word);
        let define = self.value(fields, "define", Self::variables);
        let allow_shell = self.value(fields, "allow_shell", Self::boolean);
        let data = data?.unwrap_or(Data::Managed);
        let tables = scale?.map(|scale| PgbenchTables { scale, data });
        match (builtin?, script?, sysbench?, read_intensive?, erp?) {
            (Some(script), None, None, None, None) => Some(Work::Builtin { script, tables: tables? }),
            (None, Some(files), None, None, None) => {
                Some(Work::Scripts(Scripts { files, tables, define: define?, allow_shell: allow_shell? }))
            }
            (None, None, Some(sysbench), None, None) => Some(Work::Sysbench(sysbench)),
            (None, None, None, Some(mix), None) => Some(Work::ReadIntensive(mix)),
            (None, None, None, None, Some(erp)) => Some(Work::Erp(erp)),
            // `fields` has reported that there is none or more than one.
            _ => None,
        }
    }

    fn script(&mut self, at: &At<'_>) -> Option<ScriptFile> {
        let path = self.path(at)?;
        let text = path.to_string_lossy();
        let Some((file, weight)) = text.rsplit_once('@') else {
            return Some(ScriptFile { path, weight: NonZeroU32::MIN });
        };
        match weight.parse::<NonZeroU32>() {
            Ok(weight) if !file.is_empty() => Some(ScriptFile { path: PathBuf::from(file), weight }),
            _ => self.wrong(at, "not a script and its weight", format!("write {}", example(at.form))),
        }
    }

    fn erp(&mut self, at: &At<'_>) -> Option<Erp> {
        let fields = self.record(at)?;
        let object = self.value(&fields, "object", Self::word);
        let scale = self.value(&fields, "scale", Self::whole_u32);
        let splitter = self.value(&fields, "splitter", Self::whole_u32);
        let reuse = self.value(&fields, "reuse", Self::boolean);
        let erp = Erp { object: object?, scale: scale?, splitter: splitter?, reuse: reuse? };
        let has_totals = matches!(erp.object, ErpObject::AccumulationRegister | ErpObject::AccountingRegister);
        if erp.splitter > 1 && !has_totals {
            self.misplaced(
                &fields,
                "splitter",
                "is for `accumulation-register` and `accounting-register`",
                "remove it",
            );
        }
        if erp.reuse && erp.object != ErpObject::TempTable {
            self.misplaced(&fields, "reuse", "is for `object: temp-table`", "remove it");
        }
        Some(erp)
    }

    fn pace(&mut self, fields: &Fields<'_>) -> Option<Pace> {
        let think = self.optional(fields, "think", Self::think);
        let rate = self.optional(fields, "rate", Self::rate);
        let arrivals = self.optional(fields, "arrivals", Self::word);
        let capacity = self.optional(fields, "capacity", Self::capacity);
        let arrivals = arrivals?.unwrap_or(Arrivals::Poisson);
        match (think?, rate?, capacity?) {
            (think, None, None) => Some(Pace::Closed { think }),
            (None, Some(rate), None) => Some(Pace::Open { rate, arrivals }),
            (None, None, Some(search)) => Some(Pace::Capacity { search, arrivals }),
            // `keys_that_belong_together` has reported these.
            _ => None,
        }
    }

    fn think(&mut self, at: &At<'_>) -> Option<Think> {
        let at = self.one_of_forms(at)?;
        if let Form::Record(_) = at.form {
            let fields = self.record(&at)?;
            return self.value(&fields, "exponential", Self::duration).map(Think::Exponential);
        }
        self.duration(&at).map(Think::Fixed)
    }

    fn rate(&mut self, at: &At<'_>) -> Option<Rate> {
        let at = self.one_of_forms(at)?;
        match at.form {
            Form::Record(_) => {
                let fields = self.record(&at)?;
                let (from, to) =
                    (self.value(&fields, "from", Self::per_second), self.value(&fields, "to", Self::per_second));
                Some(Rate::Ramp { from: from?, to: to? })
            }
            Form::Sequence(_) => self.sequence(&at, Self::per_second).map(Rate::Steps),
            _ => self.per_second(&at).map(Rate::Constant),
        }
    }

    fn capacity(&mut self, at: &At<'_>) -> Option<CapacitySearch> {
        let fields = self.record(at)?;
        let p99 = self.value(&fields, "p99", Self::duration);
        let from = self.value(&fields, "from", Self::per_second);
        let to = self.value(&fields, "to", Self::per_second);
        let precision = self.value(&fields, "precision", Self::percent);
        let search = CapacitySearch { p99: p99?, from: from?, to: to?, precision: precision? };
        if search.from >= search.to {
            let message = format!("is not above `from` ({})", search.from);
            self.misplaced(
                &fields,
                "to",
                &message,
                "search from a rate that surely keeps the limit to one that does not",
            );
            return None;
        }
        Some(search)
    }

    fn per_second(&mut self, at: &At<'_>) -> Option<PerSecond> {
        self.quantity(at, units::parse_per_second)
    }

    fn tries(&mut self, at: &At<'_>) -> Option<Tries> {
        let parsed = match &at.node.value {
            Value::Plain(text) | Value::Quoted(text) if text == "unlimited" => Some(Tries::Unlimited),
            Value::Plain(text) => text.parse().ok().map(Tries::AtMost),
            Value::Quoted(_) | Value::List(_) | Value::Map(_) => None,
        };
        parsed
            .or_else(|| self.wrong(at, "not a number of tries", "write a whole number from 1, or unlimited".to_owned()))
    }

    fn variables(&mut self, at: &At<'_>) -> Option<BTreeMap<String, String>> {
        let Value::Map(entries) = &at.node.value else {
            return self.wrong(at, "not a mapping of variables", format!("write {}", example(at.form)));
        };
        let mut variables = BTreeMap::new();
        for Entry { key, key_span, node } in entries {
            if key.is_empty() || !key.chars().all(|c| c.is_alphanumeric() || c == '_') {
                let message = format!("{}: {} is not the name of a variable", at.path, shown(key));
                self.report(Finding::new(*key_span, message).hint("write letters, digits and \"_\""));
            }
            match &node.value {
                Value::Plain(text) if is_null(text) => {}
                Value::Plain(text) | Value::Quoted(text) => {
                    variables.insert(key.clone(), text.clone());
                    continue;
                }
                Value::List(_) | Value::Map(_) => {}
            }
            let message = format!("{}: found {}, not a value", join(at.path, key), node.found());
            self.report(Finding::new(node.span, message).hint("write a number, a text or true or false"));
        }
        Some(variables)
    }

    /// Keys that say nothing without another one, or contradict it.
    fn keys_that_belong_together(&mut self, fields: &Fields<'_>) {
        let given = |name: &str| fields.entry(name).is_some();
        let of_pgbench = given("builtin") || given("script");
        for name in ["scale", "data"].into_iter().filter(|name| given(name) && !of_pgbench) {
            self.misplaced(
                fields,
                name,
                "is for `builtin` and `script`",
                "remove it; the others have sizes of their own",
            );
        }
        for name in ["define", "allow_shell"].into_iter().filter(|name| given(name) && !given("script")) {
            self.misplaced(fields, name, "is for `script`", "remove it");
        }
        if given("script") && given("data") && !given("scale") {
            self.misplaced(
                fields,
                "data",
                "is for pgbench's tables",
                "add `scale: 10` if the scripts use them, or remove it",
            );
        }
        if given("rate") && given("capacity") {
            self.misplaced(
                fields,
                "rate",
                "and `capacity` exclude each other",
                "remove it: the search chooses the rates",
            );
        }
        let open = given("rate") || given("capacity");
        if given("think") && open {
            self.misplaced(fields, "think", "is for a closed loop", "remove it: the rate says when transactions begin");
        }
        if given("arrivals") && !open {
            self.misplaced(fields, "arrivals", "is for an open loop", "add `rate: 500/s`, or remove it");
        }
    }

    /// The real pgbench and sysbench have options of their own.
    fn what_the_generator_can(&mut self, fields: &Fields<'_>, workload: &Workload) {
        let (tool, cannot): (&str, Vec<&str>) = match workload.generator {
            Generator::Pgdyno => return,
            Generator::Pgbench => {
                let ours = [
                    ("sysbench", matches!(workload.work, Work::Sysbench(_))),
                    ("read-intensive", matches!(workload.work, Work::ReadIntensive(_))),
                    ("erp", matches!(workload.work, Work::Erp(_))),
                    ("think", matches!(workload.pace, Pace::Closed { think: Some(_) })),
                    ("arrivals", matches!(workload.pace, Pace::Open { arrivals: Arrivals::Even, .. })),
                ];
                ("pgbench", ours.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect())
            }
            Generator::Sysbench => {
                let ours = [
                    ("builtin", matches!(workload.work, Work::Builtin { .. })),
                    ("script", matches!(workload.work, Work::Scripts(_))),
                    ("read-intensive", matches!(workload.work, Work::ReadIntensive(_))),
                    ("erp", matches!(workload.work, Work::Erp(_))),
                    ("think", matches!(workload.pace, Pace::Closed { think: Some(_) })),
                    ("arrivals", matches!(workload.pace, Pace::Open { arrivals: Arrivals::Even, .. })),
                    ("latency_limit", workload.latency_limit.is_some()),
                    ("tries", workload.tries != Tries::AtMost(NonZeroU32::MIN)),
                    ("connections", workload.connections == Connections::PerTransaction),
                ];
                ("sysbench", ours.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect())
            }
        };
        let varying = matches!(workload.pace, Pace::Open { rate: Rate::Ramp { .. } | Rate::Steps(_), .. });
        let alike = [("rate", varying), ("capacity", workload.capacity().is_some()), ("ledger", workload.ledger)];
        let cannot = cannot.into_iter().chain(alike.into_iter().filter(|(_, is)| *is).map(|(name, _)| name));
        for name in cannot {
            let what = if name == "rate" { "a rate that changes" } else { "this" };
            self.misplaced(
                fields,
                name,
                &format!("is not for `generator: {tool}`, which cannot do {what}"),
                "use `generator: pgdyno`",
            );
        }
    }

    fn what_a_ledger_needs(&mut self, fields: &Fields<'_>, workload: &Workload) {
        if workload.ledger && !(matches!(workload.work, Work::Builtin { .. }) && workload.writes()) {
            self.misplaced(fields, "ledger", "is for `tpcb-like` and `simple-update`", "remove it");
        }
    }

    /// Reports a key that does not go with the others.
    pub(super) fn misplaced(&mut self, fields: &Fields<'_>, name: &str, why: &str, hint: &str) {
        let Some(entry) = fields.entry(name) else { return };
        let path = fields.path_of(name);
        self.report(
            Finding::new(entry.key_span, format!("{path}: {} {why}", shown(name).trim_matches('"'))).hint(hint),
        );
    }

    /// The form that the kind of the value chooses.
    pub(super) fn one_of_forms<'n>(&mut self, at: &At<'n>) -> Option<At<'n>> {
        let Form::Or { scalar, others } = at.form else { unreachable!("{} has several forms in the grammar", at.path) };
        let form = match &at.node.value {
            Value::Plain(_) | Value::Quoted(_) => Some(*scalar),
            Value::List(_) => others.iter().find(|form| matches!(form, Form::Sequence(_))),
            Value::Map(_) => others.iter().find(|form| matches!(form, Form::Record(_))),
        };
        match form {
            Some(form) => Some(At { node: at.node, path: at.path, form }),
            None => self.wrong(at, "which it cannot be", format!("write {}", example(at.form))),
        }
    }
}

impl<'n> Fields<'n> {
    /// What is given under a key.
    pub(super) fn entry(&self, name: &str) -> Option<&'n Entry> {
        self.given.iter().copied().find(|entry| entry.key == name)
    }
}
