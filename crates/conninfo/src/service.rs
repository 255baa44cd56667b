//! Connection service files: sections `[name]` of `key=value` lines, looked up as libpq does.

use std::path::{Path, PathBuf};

use super::{ConninfoError, ConninfoSurroundings, parameters};

type ServicePairs = Vec<(String, String)>;

/// The pairs of service `name`, from the user's file or, failing that, the system's.
///
/// `user_file` is what the `servicefile` parameter or `PGSERVICEFILE` names, if either does.
pub(super) fn find_service_pairs(
    name: &str,
    user_file: Option<&str>,
    around: &ConninfoSurroundings<'_>,
) -> Result<ServicePairs, ConninfoError> {
    let mut files = Vec::new();
    let home = around.environment_variable("HOME").map(|home| Path::new(&home).join(".pg_service.conf"));
    if let Some(file) = user_file.map(PathBuf::from).or(home) {
        files.push((file, user_file.is_some()));
    }
    let system = around.environment_variable("PGSYSCONFDIR").unwrap_or_else(|| "/etc/postgresql-common".to_owned());
    files.push((Path::new(&system).join("pg_service.conf"), false));
    for (file, named_by_user) in &files {
        let text = match (around.read)(file) {
            Ok(file) => file.text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !named_by_user => continue,
            Err(error) => return Err(ConninfoError::ServiceFile { file: file.clone(), why: error.to_string() }),
        };
        if let Some(pairs) = parse_service_section(&text, name).map_err(|(line, why)| ConninfoError::ServiceFile {
            file: file.clone(),
            why: format!("line {line}: {why}"),
        })? {
            return Ok(pairs);
        }
    }
    Err(ConninfoError::ServiceNotFound {
        name: name.to_owned(),
        files: files.into_iter().map(|(file, _)| file).collect(),
    })
}

/// The pairs of one section, or the number of the offending line and what is wrong with it.
fn parse_service_section(text: &str, name: &str) -> Result<Option<ServicePairs>, (usize, &'static str)> {
    let mut found: Option<ServicePairs> = None;
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(header) = line.strip_prefix('[') {
            if found.is_some() {
                break;
            }
            if header.strip_suffix(']') == Some(name) {
                found = Some(Vec::new());
            }
            continue;
        }
        let Some(pairs) = &mut found else { continue };
        let Some((key, value)) = line.split_once('=') else { return Err((number, "no \"=\"")) };
        if key == "service" || key == "servicefile" {
            return Err((number, "a service cannot refer to another service"));
        }
        if parameters::find_parameter(key).is_none() {
            return Err((number, "unknown connection parameter"));
        }
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Ok(found)
}
