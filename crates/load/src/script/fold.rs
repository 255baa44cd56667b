//! Works out once what is the same in every transaction: expressions of constants and of variables that nothing
//! assigns. What has no value is left as it is, so that it fails in its place, when it is executed.

use super::command::StatementRows;
use super::compiled_script::{CompiledScript, ScriptStep};
use super::distribution::Range;
use super::expression::{CaseExpression, Expression};
use super::function::ScriptFunction;
use super::value::ScriptValue;
use super::variables::{ClientVariables, VariableSlot};
use work::Random;

/// Folds the expressions of all scripts of a program, whose clients begin with the values of `initial`.
pub(crate) fn fold_scripts(scripts: &mut [CompiledScript], rows: &[StatementRows], initial: &ClientVariables) {
    let assigned: Vec<VariableSlot> =
        scripts.iter().flat_map(|script| &script.steps).flat_map(ScriptStep::assigned_slots).collect();
    for step in scripts.iter_mut().flat_map(|script| &mut script.steps) {
        if let ScriptStep::Set { expression, .. } | ScriptStep::Unless { condition: expression, .. } = step {
            let whole = std::mem::replace(expression, Expression::Constant(ScriptValue::Null));
            *expression = whole.fold_constants(&|slot: VariableSlot| {
                let by_a_row = rows.iter().any(|rows| rows.may_assign(initial.slot_name(slot)));
                if by_a_row || assigned.contains(&slot) { None } else { initial.variable_value(slot).ok() }
            });
        }
    }
}

impl ScriptStep {
    /// The variables that it sets by their own names; rows of results set others.
    fn assigned_slots(&self) -> Vec<VariableSlot> {
        match self {
            ScriptStep::Set { slot, .. } | ScriptStep::Generate { slot, .. } => vec![*slot],
            ScriptStep::TakeRow(taking) => taking.columns.clone(),
            ScriptStep::Shell { variable, .. } => Vec::from_iter(*variable),
            ScriptStep::Send { .. }
            | ScriptStep::Copy { .. }
            | ScriptStep::SendOneOf { .. }
            | ScriptStep::Unless { .. }
            | ScriptStep::GoTo(_)
            | ScriptStep::Sleep { .. }
            | ScriptStep::StartPipeline { .. }
            | ScriptStep::SyncPipeline { .. }
            | ScriptStep::EndPipeline { .. } => Vec::new(),
        }
    }
}

impl StatementRows {
    /// Whether some column's name could make it the variable called `name`.
    fn may_assign(&self, name: &str) -> bool {
        match self {
            StatementRows::Ignored => false,
            StatementRows::One { prefix } | StatementRows::Last { prefix } => name.starts_with(prefix.as_str()),
        }
    }
}

impl Expression<VariableSlot> {
    /// An expression that always has the same value and effect,
    /// with `fixed` for the values of variables that never change.
    fn fold_constants(self, fixed: &impl Fn(VariableSlot) -> Option<ScriptValue>) -> Expression<VariableSlot> {
        let boxed = |inner: Box<Expression<VariableSlot>>| Box::new(inner.fold_constants(fixed));
        let folded = match self {
            Expression::Constant(_) | Expression::Uniform(_) => return self,
            Expression::Variable(slot) => return fixed(slot).map_or(self, Expression::Constant),
            Expression::Binary(operator, left, right) => Expression::Binary(operator, boxed(left), boxed(right)),
            Expression::Not(inner) => Expression::Not(boxed(inner)),
            Expression::Is(inner, wanted) => Expression::Is(boxed(inner), wanted),
            Expression::And(left, right) => Expression::And(boxed(left), boxed(right)),
            Expression::Or(left, right) => Expression::Or(boxed(left), boxed(right)),
            Expression::Call(function, arguments) => Expression::Call(
                function,
                arguments.into_iter().map(|argument| argument.fold_constants(fixed)).collect(),
            ),
            Expression::Case(case) => {
                let branches = case
                    .branches
                    .into_iter()
                    .map(|(when, then)| (when.fold_constants(fixed), then.fold_constants(fixed)));
                Expression::Case(Box::new(CaseExpression {
                    branches: branches.collect(),
                    otherwise: case.otherwise.fold_constants(fixed),
                }))
            }
        };
        folded.constant_result().unwrap_or(folded)
    }

    /// What it comes to whenever it is evaluated, if all its operands are constants.
    fn constant_result(&self) -> Option<Expression<VariableSlot>> {
        let constant = |operand: &Expression<VariableSlot>| matches!(operand, Expression::Constant(_));
        let all = match self {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Uniform(_) => return None,
            Expression::Binary(_, left, right) | Expression::And(left, right) | Expression::Or(left, right) => {
                constant(left) && constant(right)
            }
            Expression::Not(inner) | Expression::Is(inner, _) => constant(inner),
            Expression::Case(case) => {
                case.branches.iter().all(|(when, then)| constant(when) && constant(then)) && constant(&case.otherwise)
            }
            Expression::Call(ScriptFunction::Random, arguments) => {
                let [Expression::Constant(lower), Expression::Constant(upper)] = **arguments else { return None };
                if lower.is_null() || upper.is_null() {
                    return None;
                }
                let range = Range::new(lower.to_integer().ok()?, upper.to_integer().ok()?);
                return range.ok().map(Expression::Uniform);
            }
            Expression::Call(function, arguments) => function.is_pure() && arguments.iter().all(constant),
        };
        // Nothing in it asks for a variable or draws a number.
        let (nothing, undrawn) = (ClientVariables::new(Default::default()), &mut Random::new(0));
        let value = all.then(|| self.evaluate(&nothing, undrawn).ok())?;
        value.map(Expression::Constant)
    }
}

#[cfg(test)]
mod tests {
    use crate::script::compiled_script::ScriptStep;
    use crate::script::program::ScriptProgram;
    use crate::script::{ParsedScript, expression::Expression, value::ScriptValue};
    use crate::{EngineJob, ShellCommands};
    use conninfo::{ConnInfo, ServerHost};

    /// How the expression of the last `\set` or `\if` of a script is evaluated,
    /// in a job of scale 3 with `text` defined as 2.
    fn folded(text: &str) -> String {
        let server = ConnInfo::new((ServerHost::Unix("/nowhere".into()), 1), "user", "database");
        let script = ParsedScript::parse("script", text).expect("it parses");
        let definitions = vec![("text".to_owned(), "2".to_owned())];
        let shell = ShellCommands::Permitted;
        let job = EngineJob { scale: 3, definitions, shell, ..EngineJob::new(server, script) };
        let program = ScriptProgram::new(&job).expect("it compiles");
        let mut expressions = program.scripts()[0].steps.iter().filter_map(|step| match step {
            ScriptStep::Set { expression, .. } | ScriptStep::Unless { condition: expression, .. } => Some(expression),
            _ => None,
        });
        match expressions.next_back().expect("there is one") {
            Expression::Constant(ScriptValue::Integer(value)) => value.to_string(),
            Expression::Constant(ScriptValue::Boolean(value)) => value.to_string(),
            Expression::Uniform(range) => format!("{range:?}"),
            _ => "open".to_owned(),
        }
    }

    #[test]
    fn what_never_changes_is_worked_out_once() {
        for (text, value) in [
            ("\\set x 1 + 2 * :scale", "7"),
            ("\\set x :text * 10", "20"),
            ("\\set x case when :scale > 2 then abs(-5) else 0 end", "5"),
            ("\\if :scale = 3 and not false\nSELECT 1;\n\\endif", "true"),
            ("\\set x random(1, 100 * :scale)", "Range { lower: 1, width: 299 }"),
        ] {
            assert_eq!(folded(&format!("{text}\nSELECT 1;\n")), value, "{text}");
        }
    }

    #[test]
    fn what_may_change_or_fail_or_has_an_effect_is_left_to_every_transaction() {
        for text in [
            "\\set scale :scale + 1",
            "SELECT 4 AS scale \\gset\n\\set x :scale + 1",
            "SELECT 4 AS cale \\aset s\n\\set x :scale + 1",
            "\\setshell scale echo 4\n\\set x :scale + 1",
            "\\set x :client_id + 1",
            "\\set x random_gaussian(1, 10, 3.0)",
            "\\set x debug(3)",
            "\\set x 1 / 0",
            "\\set x random(2, 1)",
            "\\set x random(null, 1)",
            "\\set x case when random(1, 2) = 1 then 3 else 4 end",
        ] {
            assert_eq!(folded(&format!("{text}\nSELECT 1;\n")), "open", "{text}");
        }
    }
}
