//! Puts the scripts together: sysbench's statements, once per table, and what gives their variables values.

use super::Sysbench;
use super::generators::{
    between_generator, bulk_rows_generator, count_generator, digit_text_generator, of_own_part, sum_generator,
    unique_generator,
};
use super::groups::{Outline, StatementGroup, outline_of_transaction};
use crate::script::ParsedScript;
use crate::script::command::{CommandKind, OnConflict, ScriptCommand, SharedGenerator, StatementRows};
use crate::script::sql::{SqlPiece, SqlStatement, split_at_variables};
use std::fmt::Display;
use work::{
    Distribution, SysbenchOptions, SysbenchScript, SysbenchTransaction,
    digits::{C_GROUPS, PAD_GROUPS},
};

/// The script of a transaction.
pub(super) fn sysbench_script(of: &Sysbench) -> ParsedScript {
    let Sysbench { transaction, options, clients } = of;
    let mut assembler = Assembler { options, clients: *clients, text: String::new(), commands: Vec::new() };
    match transaction {
        SysbenchTransaction::Script(SysbenchScript::Insert) => assembler.add_insert(),
        SysbenchTransaction::Script(SysbenchScript::BulkInsert) => assembler.bulk_insert(),
        SysbenchTransaction::Script(SysbenchScript::RandomPoints) => assembler.random_points(),
        SysbenchTransaction::Script(SysbenchScript::RandomRanges) => assembler.random_ranges(),
        SysbenchTransaction::Script(_) | SysbenchTransaction::ReadIntensive { .. } => {
            if let Some(outline) = outline_of_transaction(*transaction, options) {
                assembler.add_statement_groups(&outline);
            }
        }
    }
    ParsedScript::from_commands(transaction.sysbench_name(), &assembler.text, assembler.commands, OnConflict::Restart)
}

struct Assembler<'a> {
    options: &'a SysbenchOptions,
    clients: u32,
    /// What the commands show a person; their offsets are places in it.
    text: String,
    commands: Vec<ScriptCommand>,
}

impl Assembler<'_> {
    fn add_statement_groups(&mut self, outline: &Outline) {
        if outline.transaction {
            self.add_statement("BEGIN");
        }
        for (group, count) in outline.groups.iter().filter(|(_, count)| *count > 0) {
            // Once per group, not per statement: so it is in sysbench.
            self.choose_table();
            for _ in 0..*count {
                self.group_statement(*group);
            }
        }
        if outline.transaction {
            self.add_statement("COMMIT");
        }
    }

    fn group_statement(&mut self, group: StatementGroup) {
        match group {
            StatementGroup::Points => {
                self.generate_id();
                self.per_table("SELECT c FROM sbtest# WHERE id=:id");
            }
            StatementGroup::SimpleRanges => self.add_range_query("SELECT c FROM sbtest# WHERE id BETWEEN :id AND :end"),
            StatementGroup::SumRanges => {
                self.add_range_query("SELECT SUM(k) FROM sbtest# WHERE id BETWEEN :id AND :end");
            }
            StatementGroup::OrderRanges => {
                self.add_range_query("SELECT c FROM sbtest# WHERE id BETWEEN :id AND :end ORDER BY c");
            }
            StatementGroup::DistinctRanges => {
                self.add_range_query("SELECT DISTINCT c FROM sbtest# WHERE id BETWEEN :id AND :end ORDER BY c");
            }
            StatementGroup::IndexUpdates => {
                self.generate_id();
                self.per_table("UPDATE sbtest# SET k=k+1 WHERE id=:id");
            }
            StatementGroup::NonIndexUpdates => {
                self.generate_variable("c", &[], "text", digit_text_generator(C_GROUPS));
                self.generate_id();
                self.per_table("UPDATE sbtest# SET c=:c WHERE id=:id");
            }
            StatementGroup::Deletes => {
                self.generate_id();
                self.per_table("DELETE FROM sbtest# WHERE id=:id");
            }
            StatementGroup::DeleteInserts => {
                self.generate_id();
                self.generate_key("k");
                self.generate_texts();
                self.per_table("DELETE FROM sbtest# WHERE id=:id");
                self.per_table("INSERT INTO sbtest# (id, k, c, pad) VALUES (:id, :k, :c, :pad)");
            }
        }
    }

    fn add_range_query(&mut self, sql: &str) {
        self.generate_id();
        let constant = self.options.range_size - 1;
        self.generate_variable("end", &["id"], format!("id + {constant}"), sum_generator(constant));
        self.per_table(sql);
    }

    /// Sent as text, not prepared: so it is in sysbench.
    fn add_insert(&mut self) {
        self.number_of_table(1, "table");
        self.generate_key("k");
        self.generate_texts();
        if self.options.tables.auto_inc {
            self.add_plain_statement("INSERT INTO sbtest:table (k, c, pad) VALUES (:k, ':c', ':pad')");
        } else {
            self.generate_variable("drawn", &[], "drawn + 1", count_generator());
            let generator = unique_generator(self.clients);
            self.generate_variable("id", &["client_id", "drawn"], "a number that nobody has got", generator);
            self.add_plain_statement("INSERT INTO sbtest:table (id, k, c, pad) VALUES (:id, :k, ':c', ':pad')");
        }
    }

    fn bulk_insert(&mut self) {
        self.generate_variable("table", &["client_id"], "client_id + 1", sum_generator(1));
        self.generate_variable("drawn", &[], "drawn + 1", count_generator());
        self.generate_variable("rows", &["drawn"], "the next rows, as many as 512 KiB hold", bulk_rows_generator());
        self.add_plain_statement("INSERT INTO sbtest:table VALUES :rows");
    }

    fn random_points(&mut self) {
        let names: Vec<String> = (1..=self.options.random_points).map(|number| format!("k{number}")).collect();
        for name in &names {
            self.own_key(name);
        }
        let list: Vec<String> = names.iter().map(|name| format!(":{name}")).collect();
        self.add_statement(&format!("SELECT id, k, c, pad FROM sbtest1 WHERE k IN ({})", list.join(", ")));
    }

    fn random_ranges(&mut self) {
        let numbers = 1..=self.options.number_of_ranges;
        let delta = self.options.delta;
        for number in numbers.clone() {
            let (low, high) = (format!("low{number}"), format!("high{number}"));
            self.own_key(&low);
            self.generate_variable(&high, &[&low], format!("{low} + {delta}"), sum_generator(delta));
        }
        let ranges: Vec<String> = numbers.map(|number| format!("k BETWEEN :low{number} AND :high{number}")).collect();
        self.add_statement(&format!("SELECT count(k) FROM sbtest1 WHERE {}", ranges.join(" OR ")));
    }

    fn generate_id(&mut self) {
        self.generate_key("id");
    }

    fn generate_key(&mut self, variable: &str) {
        let SysbenchOptions { tables, distribution, .. } = *self.options;
        let table_size = tables.table_size;
        self.generate_variable(
            variable,
            &[],
            format!("{distribution} of 1 to {table_size}"),
            between_generator(distribution, 1, table_size),
        );
    }

    fn own_key(&mut self, variable: &str) {
        let SysbenchOptions { tables, distribution, .. } = *self.options;
        let table_size = tables.table_size;
        let what = format!("{distribution} of the client's part of {table_size}");
        self.generate_variable(variable, &["client_id"], what, of_own_part(distribution, table_size, self.clients));
    }

    fn generate_texts(&mut self) {
        self.generate_variable("c", &[], "text", digit_text_generator(C_GROUPS));
        self.generate_variable("pad", &[], "text", digit_text_generator(PAD_GROUPS));
    }

    /// The number of the table, from 0, that the statements of a group go to.
    fn choose_table(&mut self) {
        if self.options.tables.tables > 1 {
            self.number_of_table(0, "place");
        }
    }

    fn number_of_table(&mut self, first: u32, variable: &str) {
        let last = first + self.options.tables.tables - 1;
        self.generate_variable(
            variable,
            &[],
            format!("any of {first} to {last}"),
            between_generator(Distribution::Uniform, first, last),
        );
    }

    fn generate_variable(&mut self, variable: &str, inputs: &[&str], what: impl Display, generator: SharedGenerator) {
        let offset = self.add_line(&format!("-- {variable}: {what}"));
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
            return self.add_statement(&sql.replace('#', "1"));
        }
        let offset = self.add_line(&format!("{};", sql.replace('#', "N")));
        let statements = (1..=tables)
            .map(|table| statement_with_parameters(&sql.replace('#', &table.to_string()), offset))
            .collect();
        self.commands
            .push(ScriptCommand { offset, kind: CommandKind::OneOf { number: "place".to_owned(), statements } });
    }

    fn add_statement(&mut self, sql: &str) {
        let offset = self.add_line(&format!("{sql};"));
        let statement = statement_with_parameters(sql, offset);
        self.commands
            .push(ScriptCommand { offset, kind: CommandKind::Sql { statement, rows: StatementRows::Ignored } });
    }

    fn add_plain_statement(&mut self, sql: &str) {
        let offset = self.add_line(&format!("{sql};"));
        let (statement, rows) = (split_at_variables(sql, offset, &[]), StatementRows::Ignored);
        self.commands.push(ScriptCommand { offset, kind: CommandKind::Plain { statement, rows } });
    }

    /// Adds a line to the text and returns where it begins.
    fn add_line(&mut self, line: &str) -> usize {
        let offset = self.text.len();
        self.text.push_str(line);
        self.text.push('\n');
        offset
    }
}

/// A statement with its variables, of which `c` and `pad` are texts.
fn statement_with_parameters(sql: &str, offset: usize) -> SqlStatement {
    let mut statement = split_at_variables(sql, offset, &[]);
    for piece in &mut statement.pieces {
        if let SqlPiece::Variable { name, offset } = piece
            && matches!(name.as_str(), "c" | "pad")
        {
            *piece = SqlPiece::Literal { name: std::mem::take(name), offset: *offset };
        }
    }
    statement
}
