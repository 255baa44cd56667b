//! Puts the scripts together: sysbench's statements, once per table, and what gives their variables values.

use super::Sysbench;
use super::generators::{between, bulk, count, of_own_part, sum, text, unique};
use super::groups::{Outline, StatementGroup, outline};
use crate::script::ParsedScript;
use crate::script::command::{CommandKind, OnConflict, ScriptCommand, SharedGenerator, StatementRows};
use crate::script::sql::{SqlPiece, SqlStatement, split};
use std::fmt::Display;
use work::{
    Distribution, SysbenchOptions, SysbenchScript, SysbenchTransaction,
    digits::{C_GROUPS, PAD_GROUPS},
};

/// The script of a transaction.
pub(super) fn script(of: &Sysbench) -> ParsedScript {
    let Sysbench { transaction, options, clients } = of;
    let mut assembler = Assembler { options, clients: *clients, text: String::new(), commands: Vec::new() };
    match transaction {
        SysbenchTransaction::Script(SysbenchScript::Insert) => assembler.insert(),
        SysbenchTransaction::Script(SysbenchScript::BulkInsert) => assembler.bulk_insert(),
        SysbenchTransaction::Script(SysbenchScript::RandomPoints) => assembler.random_points(),
        SysbenchTransaction::Script(SysbenchScript::RandomRanges) => assembler.random_ranges(),
        SysbenchTransaction::Script(_) | SysbenchTransaction::ReadIntensive { .. } => {
            if let Some(outline) = outline(*transaction, options) {
                assembler.family(&outline);
            }
        }
    }
    ParsedScript::assembled(transaction.name(), &assembler.text, assembler.commands, OnConflict::Restart)
}

struct Assembler<'a> {
    options: &'a SysbenchOptions,
    clients: u32,
    /// What the commands show a person; their offsets are places in it.
    text: String,
    commands: Vec<ScriptCommand>,
}

impl Assembler<'_> {
    fn family(&mut self, outline: &Outline) {
        if outline.transaction {
            self.statement("BEGIN");
        }
        for (group, count) in outline.groups.iter().filter(|(_, count)| *count > 0) {
            // Once per group, not per statement: so it is in sysbench.
            self.table();
            for _ in 0..*count {
                self.group_statement(*group);
            }
        }
        if outline.transaction {
            self.statement("COMMIT");
        }
    }

    fn group_statement(&mut self, group: StatementGroup) {
        match group {
            StatementGroup::Points => {
                self.id();
                self.per_table("SELECT c FROM sbtest# WHERE id=:id");
            }
            StatementGroup::SimpleRanges => self.range("SELECT c FROM sbtest# WHERE id BETWEEN :id AND :end"),
            StatementGroup::SumRanges => self.range("SELECT SUM(k) FROM sbtest# WHERE id BETWEEN :id AND :end"),
            StatementGroup::OrderRanges => self.range("SELECT c FROM sbtest# WHERE id BETWEEN :id AND :end ORDER BY c"),
            StatementGroup::DistinctRanges => {
                self.range("SELECT DISTINCT c FROM sbtest# WHERE id BETWEEN :id AND :end ORDER BY c");
            }
            StatementGroup::IndexUpdates => {
                self.id();
                self.per_table("UPDATE sbtest# SET k=k+1 WHERE id=:id");
            }
            StatementGroup::NonIndexUpdates => {
                self.generate("c", &[], "text", text(C_GROUPS));
                self.id();
                self.per_table("UPDATE sbtest# SET c=:c WHERE id=:id");
            }
            StatementGroup::Deletes => {
                self.id();
                self.per_table("DELETE FROM sbtest# WHERE id=:id");
            }
            StatementGroup::DeleteInserts => {
                self.id();
                self.key("k");
                self.texts();
                self.per_table("DELETE FROM sbtest# WHERE id=:id");
                self.per_table("INSERT INTO sbtest# (id, k, c, pad) VALUES (:id, :k, :c, :pad)");
            }
        }
    }

    fn range(&mut self, sql: &str) {
        self.id();
        let constant = self.options.range_size - 1;
        self.generate("end", &["id"], format!("id + {constant}"), sum(constant));
        self.per_table(sql);
    }

    /// Sent as text, not prepared: so it is in sysbench.
    fn insert(&mut self) {
        self.number_of_table(1, "table");
        self.key("k");
        self.texts();
        if self.options.tables.auto_inc {
            self.plain("INSERT INTO sbtest:table (k, c, pad) VALUES (:k, ':c', ':pad')");
        } else {
            self.generate("drawn", &[], "drawn + 1", count());
            let generator = unique(self.clients);
            self.generate("id", &["client_id", "drawn"], "a number that nobody has got", generator);
            self.plain("INSERT INTO sbtest:table (id, k, c, pad) VALUES (:id, :k, ':c', ':pad')");
        }
    }

    fn bulk_insert(&mut self) {
        self.generate("table", &["client_id"], "client_id + 1", sum(1));
        self.generate("drawn", &[], "drawn + 1", count());
        self.generate("rows", &["drawn"], "the next rows, as many as 512 KiB hold", bulk());
        self.plain("INSERT INTO sbtest:table VALUES :rows");
    }

    fn random_points(&mut self) {
        let names: Vec<String> = (1..=self.options.random_points).map(|number| format!("k{number}")).collect();
        for name in &names {
            self.own_key(name);
        }
        let list: Vec<String> = names.iter().map(|name| format!(":{name}")).collect();
        self.statement(&format!("SELECT id, k, c, pad FROM sbtest1 WHERE k IN ({})", list.join(", ")));
    }

    fn random_ranges(&mut self) {
        let numbers = 1..=self.options.number_of_ranges;
        let delta = self.options.delta;
        for number in numbers.clone() {
            let (low, high) = (format!("low{number}"), format!("high{number}"));
            self.own_key(&low);
            self.generate(&high, &[&low], format!("{low} + {delta}"), sum(delta));
        }
        let ranges: Vec<String> = numbers.map(|number| format!("k BETWEEN :low{number} AND :high{number}")).collect();
        self.statement(&format!("SELECT count(k) FROM sbtest1 WHERE {}", ranges.join(" OR ")));
    }

    fn id(&mut self) {
        self.key("id");
    }

    fn key(&mut self, variable: &str) {
        let SysbenchOptions { tables, distribution, .. } = *self.options;
        let table_size = tables.table_size;
        self.generate(
            variable,
            &[],
            format!("{distribution} of 1 to {table_size}"),
            between(distribution, 1, table_size),
        );
    }

    fn own_key(&mut self, variable: &str) {
        let SysbenchOptions { tables, distribution, .. } = *self.options;
        let table_size = tables.table_size;
        let what = format!("{distribution} of the client's part of {table_size}");
        self.generate(variable, &["client_id"], what, of_own_part(distribution, table_size, self.clients));
    }

    fn texts(&mut self) {
        self.generate("c", &[], "text", text(C_GROUPS));
        self.generate("pad", &[], "text", text(PAD_GROUPS));
    }

    /// The number of the table, from 0, that the statements of a group go to.
    fn table(&mut self) {
        if self.options.tables.tables > 1 {
            self.number_of_table(0, "place");
        }
    }

    fn number_of_table(&mut self, first: u32, variable: &str) {
        let last = first + self.options.tables.tables - 1;
        self.generate(variable, &[], format!("any of {first} to {last}"), between(Distribution::Uniform, first, last));
    }

    fn generate(&mut self, variable: &str, inputs: &[&str], what: impl Display, generator: SharedGenerator) {
        let offset = self.line(&format!("-- {variable}: {what}"));
        let inputs = inputs.iter().map(|input| (*input).to_owned()).collect();
        self.commands.push(ScriptCommand {
            offset,
            kind: CommandKind::Generate { variable: variable.to_owned(), inputs, generator },
        });
    }

    /// A statement that is the same but for the table, whose number is in the place of `#`.
    fn per_table(&mut self, sql: &str) {
        let tables = self.options.tables.tables;
        if tables == 1 {
            return self.statement(&sql.replace('#', "1"));
        }
        let offset = self.line(&format!("{};", sql.replace('#', "N")));
        let statements = (1..=tables).map(|table| parameters(&sql.replace('#', &table.to_string()), offset)).collect();
        self.commands
            .push(ScriptCommand { offset, kind: CommandKind::OneOf { number: "place".to_owned(), statements } });
    }

    fn statement(&mut self, sql: &str) {
        let offset = self.line(&format!("{sql};"));
        let statement = parameters(sql, offset);
        self.commands
            .push(ScriptCommand { offset, kind: CommandKind::Sql { statement, rows: StatementRows::Ignored } });
    }

    fn plain(&mut self, sql: &str) {
        let offset = self.line(&format!("{sql};"));
        self.commands.push(ScriptCommand { offset, kind: CommandKind::Plain(split(sql, offset, &[])) });
    }

    /// Adds a line to the text and returns where it begins.
    fn line(&mut self, line: &str) -> usize {
        let offset = self.text.len();
        self.text.push_str(line);
        self.text.push('\n');
        offset
    }
}

/// A statement with its variables, of which `c` and `pad` are texts.
fn parameters(sql: &str, offset: usize) -> SqlStatement {
    let mut statement = split(sql, offset, &[]);
    for piece in &mut statement.pieces {
        if let SqlPiece::Variable { name, offset } = piece
            && matches!(name.as_str(), "c" | "pad")
        {
            *piece = SqlPiece::Literal { name: std::mem::take(name), offset: *offset };
        }
    }
    statement
}
