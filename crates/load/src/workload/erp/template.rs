//! The templates of the scripts, so that ten equal lines are written once and a key is computed in one way only.
//!
//! `{key(n)}` is the key of number n; `{draw(a, b)}` draws an item; `{splitter}` is the option; what stands between
//! `-- for each line` and `-- end` comes once for each of the ten lines of a document, with `{line}` its number, and on
//! demand `with commas between`. A template is written by us: what is wrong with it, the scripts' tests find.

use std::num::NonZeroU32;

use super::KeyDistribution;

/// Lines of a document.
const LINES: u32 = 10;

/// What stands for the placeholders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlaceholderValues {
    pub(super) splitter: NonZeroU32,
    pub(super) keys: KeyDistribution,
}

/// The script that a template describes.
pub(super) fn expand_template(template: &str, values: &PlaceholderValues) -> String {
    let text = repeat_lines(template);
    let text = replace_calls(&text, "{key(", |number| format!("substr(sha256(int8send({number})), 1, 16)"));
    let text = replace_calls(&text, "{draw(", |range| match values.keys {
        KeyDistribution::Uniform => format!("random({range})"),
        KeyDistribution::Zipfian(parameter) => format!("random_zipfian({range}, {parameter:?})"),
    });
    text.replace("{splitter}", &values.splitter.to_string())
}

fn repeat_lines(template: &str) -> String {
    let mut text = String::new();
    let mut lines = template.lines();
    while let Some(line) = lines.next() {
        let Some(manner) = line.strip_prefix("-- for each line") else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "-- end").collect();
        let block = block.join("\n");
        let repeated: Vec<String> = (1..=LINES).map(|line| block.replace("{line}", &line.to_string())).collect();
        text.push_str(&repeated.join(if manner.is_empty() { "\n" } else { ",\n" }));
        text.push('\n');
    }
    text
}

/// Replaces each `opening argument )}`.
fn replace_calls(text: &str, opening: &str, replacement: impl Fn(&str) -> String) -> String {
    let mut parts = text.split(opening);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (argument, rest) = part.split_once(")}").unwrap_or((part, ""));
        replaced.push_str(&replacement(argument));
        replaced.push_str(rest);
    }
    replaced
}
