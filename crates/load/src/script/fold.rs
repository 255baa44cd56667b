//! Works out once what is the same in every transaction: expressions of constants and of variables that nothing
//! assigns. What has no value is left as it is, so that it fails in its place, when it is executed.

use super::command::Rows;
use super::compiled_script::{CompiledScript, Step};
use super::distribution::Range;
use super::expression::{Case, Expression};
use super::function::Function;
use super::value::Value;
use super::variables::{Slot, Variables};
use work::Random;

/// Folds the expressions of all scripts of a program, whose clients begin with the values of `initial`.
pub(crate) fn fold(scripts: &mut [CompiledScript], rows: &[Rows], initial: &Variables) {
    let assigned: Vec<Slot> = scripts.iter().flat_map(|script| &script.steps).filter_map(Step::assigns).collect();
    let fixed = |slot: Slot| {
        let by_a_row = rows.iter().any(|rows| rows.may_assign(initial.name(slot)));
        if by_a_row || assigned.contains(&slot) { None } else { initial.value(slot).ok() }
    };
    for step in scripts.iter_mut().flat_map(|script| &mut script.steps) {
        if let Step::Set { expression, .. } | Step::Unless { condition: expression, .. } = step {
            let whole = std::mem::replace(expression, Expression::Constant(Value::Null));
            *expression = whole.fold(&fixed);
        }
    }
}

impl Step {
    /// The variable that it sets by its own name; rows set others.
    fn assigns(&self) -> Option<Slot> {
        match self {
            Step::Set { slot, .. } | Step::Generate { slot, .. } => Some(*slot),
            Step::Shell { variable, .. } => *variable,
            Step::Send { .. }
            | Step::SendOneOf { .. }
            | Step::Unless { .. }
            | Step::GoTo(_)
            | Step::Sleep { .. }
            | Step::StartPipeline { .. }
            | Step::SyncPipeline { .. }
            | Step::EndPipeline { .. } => None,
        }
    }
}

impl Rows {
    /// Whether some column's name could make it the variable called `name`.
    fn may_assign(&self, name: &str) -> bool {
        match self {
            Rows::Ignored => false,
            Rows::One { prefix } | Rows::Last { prefix } => name.starts_with(prefix.as_str()),
        }
    }
}

impl Expression<Slot> {
    /// An expression that always has the same value and effect,
    /// with `fixed` for the values of variables that never change.
    fn fold(self, fixed: &impl Fn(Slot) -> Option<Value>) -> Expression<Slot> {
        let boxed = |inner: Box<Expression<Slot>>| Box::new(inner.fold(fixed));
        let folded = match self {
            Expression::Constant(_) | Expression::Uniform(_) => return self,
            Expression::Variable(slot) => return fixed(slot).map_or(self, Expression::Constant),
            Expression::Binary(operator, left, right) => Expression::Binary(operator, boxed(left), boxed(right)),
            Expression::Not(inner) => Expression::Not(boxed(inner)),
            Expression::Is(inner, wanted) => Expression::Is(boxed(inner), wanted),
            Expression::And(left, right) => Expression::And(boxed(left), boxed(right)),
            Expression::Or(left, right) => Expression::Or(boxed(left), boxed(right)),
            Expression::Call(function, arguments) => {
                Expression::Call(function, arguments.into_iter().map(|argument| argument.fold(fixed)).collect())
            }
            Expression::Case(case) => {
                let branches = case.branches.into_iter().map(|(when, then)| (when.fold(fixed), then.fold(fixed)));
                Expression::Case(Box::new(Case { branches: branches.collect(), otherwise: case.otherwise.fold(fixed) }))
            }
        };
        folded.known().unwrap_or(folded)
    }

    /// What it comes to whenever it is evaluated, if all its operands are constants.
    fn known(&self) -> Option<Expression<Slot>> {
        let constant = |operand: &Expression<Slot>| matches!(operand, Expression::Constant(_));
        let all = match self {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Uniform(_) => return None,
            Expression::Binary(_, left, right) | Expression::And(left, right) | Expression::Or(left, right) => {
                constant(left) && constant(right)
            }
            Expression::Not(inner) | Expression::Is(inner, _) => constant(inner),
            Expression::Case(case) => {
                case.branches.iter().all(|(when, then)| constant(when) && constant(then)) && constant(&case.otherwise)
            }
            Expression::Call(Function::Random, arguments) => {
                let [Expression::Constant(lower), Expression::Constant(upper)] = **arguments else { return None };
                if lower.is_null() || upper.is_null() {
                    return None;
                }
                let range = Range::new(lower.integer().ok()?, upper.integer().ok()?);
                return range.ok().map(Expression::Uniform);
            }
            Expression::Call(function, arguments) => function.is_pure() && arguments.iter().all(constant),
        };
        // Nothing in it asks for a variable or draws a number.
        let (nothing, undrawn) = (Variables::new(Default::default()), &mut Random::new(0));
        let value = all.then(|| self.evaluate(&nothing, undrawn).ok())?;
        value.map(Expression::Constant)
    }
}

#[cfg(test)]
mod tests {
    use crate::script::compiled_script::Step;
    use crate::script::program::Program;
    use crate::script::{Script, expression::Expression, value::Value};
    use crate::{Job, ShellCommands};
    use conninfo::{ConnInfo, Host};

    /// How the expression of the last `\set` or `\if` of a script is evaluated,
    /// in a job of scale 3 with `text` defined as 2.
    fn folded(text: &str) -> String {
        let server = ConnInfo::new((Host::Unix("/nowhere".into()), 1), "user", "database");
        let script = Script::parse("script", text).expect("it parses");
        let definitions = vec![("text".to_owned(), "2".to_owned())];
        let shell = ShellCommands::Permitted;
        let job = Job { scale: 3, definitions, shell, ..Job::new(server, script) };
        let program = Program::new(&job).expect("it compiles");
        let mut expressions = program.scripts()[0].steps.iter().filter_map(|step| match step {
            Step::Set { expression, .. } | Step::Unless { condition: expression, .. } => Some(expression),
            _ => None,
        });
        match expressions.next_back().expect("there is one") {
            Expression::Constant(Value::Integer(value)) => value.to_string(),
            Expression::Constant(Value::Boolean(value)) => value.to_string(),
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
