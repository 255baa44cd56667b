//! `study.yaml`: the conditions of a comparison as its author states them.
//! Any key may stand below `declared`; some are known. Which files are of which target, and what the columns of tables
//! tell, is said outside of it.

use std::path::PathBuf;

use plan::Condition;
use results::imported::StatedTarget;

use super::figure::Marks;
use super::found::Study;
use super::selection;
use super::source_file::SourceFile;
use problem::Problem;

/// Lines of what is wrong with a study at most: whoever mends the first of many sees the next.
const LINES_MAX: usize = 20;

/// The keys of the outermost level.
const KEYS: [&str; 12] = [
    "study",
    "author",
    "customer",
    "notes",
    "declared",
    "baseline",
    "paired_by",
    "generators",
    "may_differ",
    "files",
    "columns",
    "decimal_mark",
];

/// Reads a study.
///
/// # Errors
/// When it is not YAML, or has a key that is not known on its outermost level.
pub(crate) fn read_study(file: &SourceFile, text: &str) -> Result<Study, Problem> {
    let conditions = plan::parse_conditions(&file.display_name(), text)
        .map_err(|errors| Problem::from_plan_errors(&errors).in_lines(LINES_MAX))?;
    let mut study = Study { text: text.to_owned(), ..Study::default() };
    for condition in conditions {
        let keys: Vec<&str> = condition.keys.iter().map(String::as_str).collect();
        match keys.as_slice() {
            ["study"] => study.name = Some(condition.value),
            // Words for the reader of a report, as in a plan.
            [key @ ("author" | "customer" | "notes")] => {
                study.stated.insert((*key).to_owned(), condition.value);
            }
            ["baseline"] => study.baseline = Some(condition.value),
            ["paired_by"] if condition.value == "repetition" => study.paired = true,
            ["paired_by"] => {
                let what = format!("{:?} is not a valid pairing", condition.value);
                let hint = "write paired_by: repetition if the repetitions of one number were measured one target \
                            after the other, or omit it";
                return Err(file.problem_at_line(condition.line, what).hint(hint));
            }
            ["generators"] if condition.value == "together" => study.adds_generators = true,
            ["generators"] => {
                let what = format!("{:?} is not known of generators", condition.value);
                let hint = "write generators: together if they ran at the same time, so that their outputs are added";
                return Err(file.problem_at_line(condition.line, what).hint(hint));
            }
            ["decimal_mark"] => study.decimal_mark = Some(decimal_mark(file, &condition)?),
            ["may_differ"] => {
                study.may_differ = Some(condition.value.split(", ").map(str::to_owned).collect());
            }
            ["files"] => study.files.extend(split_file_list(&condition.value, None)),
            ["files", target] => study.files.extend(split_file_list(&condition.value, Some(target))),
            ["columns", name, rest @ ..] => {
                let meaning = study.columns.entry((*name).to_owned()).or_default();
                match rest {
                    [] | ["tells"] => meaning.tells = condition.value,
                    ["over"] => meaning.over = Some(condition.value),
                    of => {
                        meaning.of.insert(of.join("."), condition.value);
                    }
                }
            }
            // The former word, of studies that exist.
            ["declared" | "stated", rest @ ..] if !rest.is_empty() => {
                enter_target_statement(&mut study, rest, &condition.value);
                study.stated.insert(rest.join("."), condition.value);
            }
            _ => return Err(unknown_key_problem(file, &condition)),
        }
    }
    if let Some((name, _)) = study.columns.iter().find(|(_, meaning)| meaning.tells.is_empty()) {
        let hint = "set tells to the name of a known column, such as tps or read_iops, or \"nothing\"";
        return Err(Problem::usage_error(format!("{}: column {name:?} has no `tells`", file.display_name())).hint(hint));
    }
    share_postgresql(&mut study);
    Ok(study)
}

/// What marks decimals in tables.
fn decimal_mark(file: &SourceFile, condition: &Condition) -> Result<Marks, Problem> {
    match condition.value.as_str() {
        "point" | "." => Ok(Marks::Points),
        "comma" | "," => Ok(Marks::Commas),
        other => Err(file
            .problem_at_line(condition.line, format!("{other:?} is not a decimal mark"))
            .hint("write decimal_mark: point or decimal_mark: comma")),
    }
}

/// The files of a list, each maybe with the target that its outputs are of.
fn split_file_list(list: &str, target: Option<&str>) -> Vec<(Option<String>, String)> {
    list.split(", ").map(|name| (target.map(str::to_owned), name.to_owned())).collect()
}

fn unknown_key_problem(file: &SourceFile, condition: &Condition) -> Problem {
    let key = condition.keys.first().map_or("", String::as_str);
    let hint = work::nearest_candidate(key, KEYS)
        .map_or_else(|| "write conditions below \"declared\"".to_owned(), |meant| format!("did you mean {meant:?}?"));
    file.problem_at_line(condition.line, format!("unknown key {key:?}")).hint(hint)
}

/// Enters what is stated of a single target.
fn enter_target_statement(study: &mut Study, keys: &[&str], value: &str) {
    let ["targets", name, rest @ ..] = keys else { return };
    let at = study.targets.iter().position(|target| target.name == *name).unwrap_or_else(|| {
        study.targets.push(StatedTarget { name: (*name).to_owned(), ..StatedTarget::default() });
        study.targets.len() - 1
    });
    let target = &mut study.targets[at];
    match rest {
        [] => {}
        ["postgresql", "version"] => target.version = Some(value.to_owned()),
        ["postgresql", setting] => {
            target.settings.insert((*setting).to_owned(), value.to_owned());
        }
        _ => {
            target.conditions.insert(rest.join("."), value.to_owned());
        }
    }
}

/// What is stated of PostgreSQL without a target holds for all, but for what a target says itself.
fn share_postgresql(study: &mut Study) {
    for (key, value) in &study.stated {
        let Some(setting) = key.strip_prefix("postgresql.") else { continue };
        for target in &mut study.targets {
            if setting == "version" {
                target.version.get_or_insert_with(|| value.clone());
            } else {
                target.settings.entry(setting.to_owned()).or_insert_with(|| value.clone());
            }
        }
    }
}

/// The files of a study: those that it names, else the tables beside `NAME.study.yaml` that begin with `NAME`.
///
/// # Errors
/// When the directory cannot be read.
pub(crate) fn files_of(file: &SourceFile, study: &Study) -> Result<Vec<SourceFile>, Problem> {
    let directory = file.path.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(".".as_ref());
    if !study.files.is_empty() {
        let mut files = Vec::new();
        for (target, name) in &study.files {
            let whole = directory.join(name);
            let of_page = selection::split_output_number(name).filter(|_| !whole.exists());
            let (path, output) = match of_page {
                Some((path, number)) => (directory.join(path), Some(number)),
                None => (whole, None),
            };
            files.push(SourceFile { target: target.clone(), output, ..SourceFile::from_path(path) });
        }
        return Ok(files);
    }
    let name = file.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let Some(prefix) = name.strip_suffix(".study.yaml").or_else(|| name.strip_suffix(".study.yml")) else {
        return Ok(Vec::new());
    };
    let entries = std::fs::read_dir(directory).map_err(|error| file.unreadable_file_problem(&error))?;
    let mut tables: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let name =
            entry.map_err(|error| file.unreadable_file_problem(&error))?.file_name().to_string_lossy().into_owned();
        let rest = name.strip_prefix(prefix).filter(|rest| rest.starts_with(['-', '.', '_']));
        if rest.is_some_and(|rest| rest.trim_end_matches(".gz").ends_with(".csv")) {
            tables.push(directory.join(name));
        }
    }
    tables.sort();
    Ok(tables.into_iter().map(SourceFile::from_path).collect())
}
