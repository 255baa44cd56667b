//! The output of a page that a study names by its number: `page.md#2` is the second.

use problem::Problem;

use super::between::OutputSurroundings;
use super::found::{FileContent, ImportedDocument, TrialPart};
use super::source_file::SourceFile;

/// The path and the number of an output, from 1, of a name like `page.md#2`.
pub(crate) fn split_output_number(name: &str) -> Option<(&str, usize)> {
    let (path, number) = name.rsplit_once('#')?;
    let number: usize = number.parse().ok()?;
    (number > 0 && !path.is_empty()).then_some((path, number))
}

/// What a file holds, or of a page that output alone whose number the study gives: outputs of database benchmarks are
/// counted in the order of the page.
///
/// # Errors
/// When the page has fewer outputs.
pub(crate) fn select_output(
    file: &SourceFile,
    documents: Vec<ImportedDocument>,
) -> Result<Vec<ImportedDocument>, Problem> {
    let Some(wanted) = file.output else { return Ok(documents) };
    let mut found = Vec::new();
    for document in documents {
        let FileContent::Runs(runs) = document.content else { continue };
        for run in runs.into_iter().filter(|run| run.part == TrialPart::Whole) {
            found.push((run, document.tool, document.version.clone()));
        }
    }
    found.sort_by_key(|(run, ..)| run.line);
    let count = found.len();
    let Some((mut run, tool, version)) = found.into_iter().nth(wanted - 1) else {
        let what =
            format!("{} does not exist: the page has {count} outputs of database benchmarks", file.display_name());
        return Err(Problem::usage_error(what).hint("they are counted from 1, in the order of the page"));
    };
    // The study says which one it is, so that nothing around it does.
    let (of_server, generator) = (run.surroundings.version.clone(), run.surroundings.generator.clone());
    run.surroundings = OutputSurroundings { version: of_server, generator, ..OutputSurroundings::default() }.into();
    let notes = vec![format!("output {wanted} of {count} on this page, at line {}", run.line)];
    let content = FileContent::Runs(vec![run]);
    Ok(vec![ImportedDocument { file: file.clone(), tool, version, notes, content }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_output_stands_behind_the_last_sign() {
        for (name, expected) in [
            ("page.md#2", Some(("page.md", 2))),
            ("a#b.md#12", Some(("a#b.md", 12))),
            ("page.md", None),
            ("page.md#0", None),
            ("page.md#", None),
            ("page#x", None),
            ("#1", None),
        ] {
            assert_eq!(split_output_number(name), expected, "{name}");
        }
    }
}
