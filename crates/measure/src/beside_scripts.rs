//! The scripts of loads beside, and the rows that they copy: read beside the plan, checked before anything is started,
//! kept in the run directory in `beside/NAME/`, where its `plan.yaml` names them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use conninfo::{ConnInfo, ServerHost};
use load::{EngineJob, LoadError, ParsedScript, QueryMode, Weighted};
use plan::{BesideLoad, BesideWork, CopiedFile, Plan};

use crate::script_files::{ReadFile, text_of_bytes};
use problem::Problem;

/// The directory of a run with them.
const DIRECTORY: &str = "beside";

/// The scripts of every load beside that has some, by its name.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScriptsBeside {
    by_load: BTreeMap<String, LoadScripts>,
}

#[derive(Debug, Clone)]
struct LoadScripts {
    weighted: Vec<Weighted>,
    /// The files as they were read: a script, or rows; in the order of the plan.
    files: Vec<ReadText>,
}

#[derive(Debug, Clone)]
struct ReadText {
    name: String,
    text: String,
}

impl ScriptsBeside {
    /// Reads and checks them; relative paths start at `directory`, the plan's.
    ///
    /// # Errors
    /// A file that cannot be read, or the first error of a script.
    pub(crate) fn read_from_plan(plan: &Plan, directory: &Path, read_file: &ReadFile<'_>) -> Result<Self, Problem> {
        let mut by_load = BTreeMap::new();
        for load in &plan.beside {
            let scripts = match &load.work {
                BesideWork::Script(scripts) => {
                    let (mut weighted, mut files) = (Vec::new(), Vec::new());
                    for (place, file) in scripts.files.iter().enumerate() {
                        let mut read = read_text(load, &file.path, directory, read_file)?;
                        if files.iter().any(|other: &ReadText| other.name == read.name) {
                            read.name = format!("{}-{}", place + 1, read.name);
                        }
                        let script = parsed_script(load, &read.name, &read.text)?;
                        weighted.push(Weighted { script, weight: file.weight });
                        files.push(read);
                    }
                    LoadScripts { weighted, files }
                }
                BesideWork::Copy(copied) => {
                    let read = read_text(load, &copied.rows, directory, read_file)?;
                    let script = parsed_script(load, &load.name, &copying_text(load, copied, &read.text)?)?;
                    LoadScripts { weighted: vec![Weighted::with_weight_one(script)], files: vec![read] }
                }
                BesideWork::Vacuum(_)
                | BesideWork::IndexBuild(_)
                | BesideWork::BaseBackup(_)
                | BesideWork::Dump(_)
                | BesideWork::Command(_) => continue,
            };
            check_scripts(load, &scripts.weighted)?;
            by_load.insert(load.name.clone(), scripts);
        }
        Ok(Self { by_load })
    }

    /// The scripts of a load.
    pub(crate) fn of_load(&self, load: &str) -> &[Weighted] {
        self.by_load.get(load).map_or(&[], |scripts| scripts.weighted.as_slice())
    }

    /// Has the plan name them as they lie in the run directory.
    pub(crate) fn name_in_run(&self, plan: &mut Plan) {
        for load in &mut plan.beside {
            let Some(scripts) = self.by_load.get(&load.name) else { continue };
            let in_run = scripts.files.iter().map(|file| path_in_run(&load.name, file));
            match &mut load.work {
                BesideWork::Script(own) => {
                    for (file, path) in own.files.iter_mut().zip(in_run) {
                        file.path = path;
                    }
                }
                BesideWork::Copy(copied) => in_run.take(1).for_each(|path| copied.rows = path),
                BesideWork::Vacuum(_)
                | BesideWork::IndexBuild(_)
                | BesideWork::BaseBackup(_)
                | BesideWork::Dump(_)
                | BesideWork::Command(_) => {}
            }
        }
    }

    /// Each file as one of a run directory: its path there, and its text.
    pub(crate) fn run_directory_files(&self) -> impl Iterator<Item = (PathBuf, &str)> {
        self.by_load
            .iter()
            .flat_map(|(load, scripts)| scripts.files.iter().map(|file| (path_in_run(load, file), file.text.as_str())))
    }
}

/// A script that pgdyno has made for a load.
///
/// # Errors
/// What is wrong with it: a part of it is the plan's.
pub(crate) fn made_script(name: &str, text: &str) -> Result<Weighted, String> {
    let script = ParsedScript::parse(name, text).map_err(|error| error.to_string())?;
    Ok(Weighted::with_weight_one(script))
}

fn path_in_run(load: &str, file: &ReadText) -> PathBuf {
    Path::new(DIRECTORY).join(load).join(&file.name)
}

fn problem_of(load: &BesideLoad, what: &str) -> Problem {
    Problem::usage_error(format!("beside: load {:?}: {what}", load.name))
}

/// A file, under its own name.
fn read_text(load: &BesideLoad, path: &Path, directory: &Path, read_file: &ReadFile<'_>) -> Result<ReadText, Problem> {
    let path = directory.join(path);
    let what = format!("could not read {}", path.display());
    let bytes = read_file(&path).map_err(|error| {
        problem_of(load, &what)
            .detail(error.to_string())
            .hint("a relative path is relative to the directory of the plan")
    })?;
    let text = text_of_bytes(&bytes).map_err(|(detail, hint)| problem_of(load, &what).detail(detail).hint(hint))?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(ReadText { name, text })
}

fn parsed_script(load: &BesideLoad, name: &str, text: &str) -> Result<ParsedScript, Problem> {
    ParsedScript::parse(name, text).map_err(|error| {
        problem_of(load, &error.to_string())
            .detail(format!("\n{}", error.source_excerpt()))
            .hint(error.hint.clone().unwrap_or_default())
    })
}

/// The script that copies the rows of a file.
fn copying_text(load: &BesideLoad, copied: &CopiedFile, rows: &str) -> Result<String, Problem> {
    let what = format!("{} has no rows", copied.rows.display());
    if rows.trim().is_empty() {
        return Err(problem_of(load, &what).hint("make it with: \\copy (SELECT ...) TO 'FILE'"));
    }
    // Where a dump ends its rows, they end.
    let mut end = 0;
    for line in rows.split_inclusive('\n') {
        if line.trim_end_matches(['\r', '\n']) == "\\." {
            break;
        }
        end += line.len();
    }
    let rows = &rows[..end];
    let newline = if rows.ends_with('\n') { "" } else { "\n" };
    let options = copied.options.as_ref().map_or_else(String::new, |options| format!(" WITH ({})", options.text()));
    Ok(format!("COPY {} FROM STDIN{options};\n{rows}{newline}\\.\n", copied.into.text()))
}

/// What the engine finds only when it makes the scripts ready.
fn check_scripts(load: &BesideLoad, weighted: &[Weighted]) -> Result<(), Problem> {
    let Some(first) = weighted.first() else { return Ok(()) };
    if let Some(file) = weighted.iter().find_map(|weighted| weighted.script.value_files().into_iter().next()) {
        return Err(problem_of(load, &format!("\\values {file} is not possible in a load beside"))
            .hint("draw the values with \\set and random(), or make the script one of a workload"));
    }
    let nowhere = ConnInfo::new((ServerHost::tcp_from_name("localhost"), 5432), "", "");
    let job = EngineJob {
        scripts: weighted.to_vec(),
        mode: QueryMode::Simple,
        ..EngineJob::new(nowhere, first.script.clone())
    };
    load::check_job(&job).map_err(|error| {
        let problem = problem_of(load, &error.to_string())
            .detail(error.detail().unwrap_or_default())
            .hint(error.hint().unwrap_or_default());
        if let LoadError::Script(of_script) = &error { problem.in_script(of_script) } else { problem }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan_with(beside: &str) -> Plan {
        let text = format!(
            "name: x\ntargets: {{ a: {{ local: {{ version: 17 }} }}, b: {{ local: {{ version: 18 }} }} }}\nbaseline: a\n\
             workloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\nbeside: {{ {beside} }}\n"
        );
        plan::parse_plan("x.yaml", text.as_bytes()).expect("a plan")
    }

    fn read(beside: &str, file: &'static str) -> Result<ScriptsBeside, String> {
        let read = |_: &Path| Ok(file.as_bytes().to_vec());
        let scripts = ScriptsBeside::read_from_plan(&plan_with(beside), Path::new("plans"), &read);
        scripts.map_err(|problem| problem.in_one_line())
    }

    #[test]
    fn rows_are_copied_with_their_options_and_kept_as_they_are() {
        let of = "ingest: { copy: { into: t (a), rows: data/t.csv, options: FORMAT csv } }";
        let scripts = read(of, "1\n2").expect("it is read");
        assert_eq!(scripts.of_load("ingest")[0].script.text(), "COPY t (a) FROM STDIN WITH (FORMAT csv);\n1\n2\n\\.\n");
        let kept: Vec<_> = scripts.run_directory_files().collect();
        assert_eq!(kept, [(PathBuf::from("beside/ingest/t.csv"), "1\n2")]);
        let mut plan = plan_with(of);
        scripts.name_in_run(&mut plan);
        let BesideWork::Copy(copied) = &plan.beside[0].work else { panic!("{:?}", plan.beside) };
        assert_eq!(copied.rows, Path::new("beside/ingest/t.csv"));
    }

    #[test]
    fn what_cannot_be_executed_is_refused_by_the_name_of_its_load() {
        for (of, file, expected) in [
            ("r: { script: [r.sql] }", "SELECT :x \\gset\n\\bad", "load \"r\""),
            ("r: { script: [r.sql] }", "\\shell rm\n", "shell commands"),
            ("r: { script: [r.sql] }", "\\values a.csv\nSELECT 1;", "\\values a.csv is not possible"),
            ("r: { copy: { into: t, rows: r.csv } }", "\n", "has no rows"),
        ] {
            let said = read(of, file).expect_err("it is refused");
            assert!(said.contains(expected), "{said}");
        }
    }
}
