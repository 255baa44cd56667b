//! The files of values that scripts name (`\values`): read beside their script, copied into the run beside its copy.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use load::{ParsedScript, ValueRows};
use problem::Problem;

use crate::script_files::{ReadFile, text_of_bytes};

/// The files of values of a run's scripts, by the path that each has in the run directory.
#[derive(Debug, Clone, Default)]
pub(crate) struct ValueFiles {
    by_path: BTreeMap<PathBuf, ValueFile>,
}

#[derive(Debug, Clone)]
struct ValueFile {
    read_from: PathBuf,
    text: String,
    rows: Arc<ValueRows>,
}

impl ValueFiles {
    /// The script with the rows of all files that it names. It lies in `directory`, and in `directory_in_run` of the
    /// run directory.
    ///
    /// # Errors
    /// A file that cannot be read, lies elsewhere, or is no table of values.
    pub(crate) fn bind_script(
        &mut self,
        mut script: ParsedScript,
        directory: &Path,
        directory_in_run: &Path,
        read_file: &ReadFile<'_>,
    ) -> Result<ParsedScript, Problem> {
        let named: Vec<String> = script.value_files().into_iter().map(str::to_owned).collect();
        for file in named {
            let of_script = script.name().to_owned();
            if !Path::new(&file).components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(problem_of_file(&of_script, &file, "\\values cannot use the file")
                    .detail("it is not in the script's directory")
                    .hint(
                        "put it beside the script, or in a directory below: the run directory keeps a copy of both",
                    ));
            }
            let (from, in_run) = (directory.join(&file), directory_in_run.join(&file));
            if let Some(known) = self.by_path.get(&in_run) {
                if known.read_from != from {
                    return Err(problem_of_file(&of_script, &file, "\\values has another file of the same name:")
                        .detail(format!("{} and {}", known.read_from.display(), from.display()))
                        .hint("rename one of them: the run directory keeps both"));
                }
            } else {
                let bytes = read_file(&from).map_err(|error| {
                    problem_of_file(&of_script, &file, "could not read the values of")
                        .detail(format!("{}: {error}", from.display()))
                        .hint("make it with: \\copy (SELECT ...) TO 'FILE' WITH (FORMAT csv, HEADER)")
                })?;
                let text = text_of_bytes(&bytes).map_err(|(detail, hint)| {
                    problem_of_file(&of_script, &file, "could not read the values of").detail(detail).hint(hint)
                })?;
                let rows = ValueRows::from_csv(text.as_bytes()).map_err(|error| {
                    problem_of_file(&of_script, &file, "could not read the values of")
                        .detail(format!("{}: {error}", from.display()))
                        .hint(
                            "the file is CSV as COPY writes it, with a header that names the variables: \
                         \\copy (SELECT ...) TO 'FILE' WITH (FORMAT csv, HEADER)",
                        )
                })?;
                let rows = Arc::new(rows);
                self.by_path.insert(in_run.clone(), ValueFile { read_from: from, text, rows });
            }
            script = script.with_values(&file, &self.by_path[&in_run].rows);
        }
        Ok(script)
    }

    /// Each as a file of a run directory: its path there, and its text.
    pub(crate) fn run_directory_files(&self) -> impl Iterator<Item = (PathBuf, &str)> {
        self.by_path.iter().map(|(path, file)| (path.clone(), file.text.as_str()))
    }
}

fn problem_of_file(script: &str, file: &str, what: &str) -> Problem {
    Problem::usage_error(format!("script {script}: {what} {file:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bind(script: &str, files: &[(&str, &[u8])]) -> Result<(ValueFiles, ParsedScript), String> {
        let script = ParsedScript::parse("t.sql", script).expect("it parses");
        let read = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found.map(|(_, bytes)| bytes.to_vec()).ok_or(std::io::Error::from(std::io::ErrorKind::NotFound))
        };
        let mut files = ValueFiles::default();
        let bound = files.bind_script(script, Path::new("plans"), Path::new("scripts/w"), &read);
        bound.map(|script| (files, script)).map_err(|problem| problem.in_one_line())
    }

    #[test]
    fn a_file_is_read_beside_its_script_and_kept_beside_its_copy() {
        let script = "\\values keys/a.csv\nSELECT :id;\n\\values keys/a.csv shuffled\nSELECT :id;";
        let (files, script) = bind(script, &[("plans/keys/a.csv", b"id\n1\n")]).expect("it is there");
        assert_eq!(script.value_rows().len(), 1);
        let kept: Vec<_> = files.run_directory_files().collect();
        assert_eq!(kept, [(PathBuf::from("scripts/w/keys/a.csv"), "id\n1\n")]);
    }

    #[test]
    fn what_cannot_be_used_is_refused_by_its_name() {
        for (script, files, expected) in [
            ("\\values ../a.csv\nSELECT 1;", &[][..], "not in the script's directory"),
            ("\\values /tmp/a.csv\nSELECT 1;", &[][..], "not in the script's directory"),
            ("\\values a.csv\nSELECT 1;", &[][..], "plans/a.csv: entity not found"),
            ("\\values a.csv\nSELECT 1;", &[("plans/a.csv", &b"id\n\"1\n"[..])][..], "line 2: the quote"),
            ("\\values a.csv\nSELECT 1;", &[("plans/a.csv", &b"id\n\xff\n"[..])][..], "not UTF-8"),
        ] {
            let said = bind(script, files).expect_err("it cannot be used");
            assert!(said.contains("a.csv") && said.contains(expected), "{said}");
        }
    }
}
