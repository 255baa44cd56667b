//! `kubernetes fetch`: the run directory of a run in a cluster, copied file by file in chunks, each held against its
//! checksum there. What is here already is not copied again, so that a copy that was cut off goes on.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use plan::RUNS_DIRECTORY;
use results::latest::LATEST;
use sha2::{Digest as _, Sha256};

use measure::pod_scripts::{PodScripts, UnansweredScript};
use problem::Problem;

/// Bytes of one chunk: well within what a script may take over a slow connection.
const CHUNK_BYTES: usize = 1 << 20;

/// How often a chunk or a file is asked for that is not what its checksum says: a run that goes on writes its files.
const ATTEMPTS: u32 = 3;

/// Prints checksum and path of every file of a run directory, but for those of trials that are under way.
const LIST: &str = "cd \"$1\" && du -a . | cut -f 2- | while read -r file; do case $file in */*.partial/*) continue;; esac; \
                    [ ! -f \"$file\" ] || sha256sum \"$file\"; done";

/// Prints the checksum of a piece of a file, and after it the piece.
const PIECE: &str = "piece() { tail -c \"+$2\" \"$1\" | head -c \"$3\"; }; piece \"$@\" | sha256sum && piece \"$@\"";

/// A file of the run directory: what it has to be, and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ListedRunFile {
    sum: String,
    path: PathBuf,
}

/// What was copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CopiedRunFiles {
    /// How many files there are.
    pub files: usize,
    /// How many of them were here already.
    pub known: usize,
    /// How many bytes were brought here.
    pub bytes: u64,
}

/// The names of the run directories on the volume, oldest first.
pub async fn list_run_directories(there: &PodScripts) -> Result<Vec<String>, Problem> {
    let printed = there
        .run_script_insistently("ls -1 \"$1\" 2>/dev/null || true", &[RUNS_DIRECTORY])
        .await
        .map_err(problem_of_unanswered)?;
    let names = String::from_utf8_lossy(&printed);
    Ok(names.lines().filter(|name| *name != LATEST).map(str::to_owned).collect())
}

/// Copies a run directory to this place.
///
/// # Errors
/// The pod is lost, a file cannot be written here, or does not arrive as it is there.
pub async fn copy_run_directory(there: &PodScripts, name: &str, to: &Path) -> Result<CopiedRunFiles, Problem> {
    let from = format!("{RUNS_DIRECTORY}/{name}");
    let mut attempt = 1;
    loop {
        let printed = there.run_script_insistently(LIST, &[&from]).await.map_err(problem_of_unanswered)?;
        let listed = parse_checksum_list(&String::from_utf8_lossy(&printed))?;
        match copy_all(there, &from, &listed, to).await? {
            Ok(copied) => return Ok(copied),
            Err(path) if attempt == ATTEMPTS => {
                return Err(Problem::could_not_measure(format!(
                    "the copy of {} differs from the original",
                    path.display()
                ))
                .detail(format!("its checksum differed in {ATTEMPTS} attempts"))
                .hint("files of a run in progress change; try again"));
            }
            Err(_) => attempt += 1,
        }
    }
}

/// The file that has become another one meanwhile, if there is one.
async fn copy_all(
    there: &PodScripts,
    from: &str,
    listed: &[ListedRunFile],
    to: &Path,
) -> Result<Result<CopiedRunFiles, PathBuf>, Problem> {
    let mut copied = CopiedRunFiles { files: listed.len(), ..CopiedRunFiles::default() };
    for ListedRunFile { sum, path } in listed {
        let place = to.join(path);
        if sum_of_file(&place).is_some_and(|known| known == *sum) {
            copied.known += 1;
            continue;
        }
        let failed = |error: io::Error| {
            Problem::could_not_measure(format!("could not write {}", place.display())).detail(error.to_string())
        };
        fs::create_dir_all(place.parent().unwrap_or(to)).map_err(failed)?;
        let unfinished = place.with_file_name(format!(".{}.fetched", name_of(&place)));
        let mut file = File::create(&unfinished).map_err(failed)?;
        let (mut whole, mut at) = (Sha256::new(), 0);
        loop {
            let Some(piece) = read_verified_piece(there, &format!("{from}/{}", path.display()), at).await? else {
                return Ok(Err(path.clone()));
            };
            whole.update(&piece);
            file.write_all(&piece).map_err(failed)?;
            at += piece.len() as u64;
            if piece.len() < CHUNK_BYTES {
                break;
            }
        }
        if hexadecimal_digits(&whole.finalize()) != *sum {
            return Ok(Err(path.clone()));
        }
        fs::rename(&unfinished, &place).map_err(failed)?;
        copied.bytes += at;
    }
    Ok(Ok(copied))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A piece of a file, as long as a chunk unless the file ends in it; none if it does not arrive as it is there.
async fn read_verified_piece(there: &PodScripts, path: &str, at: u64) -> Result<Option<Vec<u8>>, Problem> {
    let (from, length) = ((at + 1).to_string(), CHUNK_BYTES.to_string());
    for _ in 0..ATTEMPTS {
        let printed =
            there.run_script_insistently(PIECE, &[path, &from, &length]).await.map_err(problem_of_unanswered)?;
        if let Some(piece) = verify_checksum(&printed) {
            return Ok(Some(piece.to_vec()));
        }
    }
    Ok(None)
}

/// What follows the line with its checksum, if it is what that says.
fn verify_checksum(printed: &[u8]) -> Option<&[u8]> {
    let end = printed.iter().position(|byte| *byte == b'\n')?;
    let (line, piece) = (&printed[..end], &printed[end + 1..]);
    let sum = std::str::from_utf8(line).ok()?.split(' ').next()?;
    (hexadecimal_digits(&Sha256::digest(piece)) == sum).then_some(piece)
}

/// The lines of `sha256sum`. A path that leads out of the directory is refused.
fn parse_checksum_list(printed: &str) -> Result<Vec<ListedRunFile>, Problem> {
    let line = |line: &str| {
        let unread = || Problem::could_not_measure("could not list the run directory").detail(line.to_owned());
        let (sum, path) = line.split_once("  ").ok_or_else(unread)?;
        let path = Path::new(path.strip_prefix("./").unwrap_or(path));
        let is_within = path.components().all(|part| matches!(part, Component::Normal(_)));
        if sum.len() != 64 || !is_within {
            return Err(unread());
        }
        Ok(ListedRunFile { sum: sum.to_owned(), path: path.to_owned() })
    };
    printed.lines().map(line).collect()
}

fn sum_of_file(path: &Path) -> Option<String> {
    let (mut file, mut sum, mut buffer) = (File::open(path).ok()?, Sha256::new(), vec![0; CHUNK_BYTES]);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hexadecimal_digits(&sum.finalize())),
            length => sum.update(&buffer[..length]),
        }
    }
}

fn hexadecimal_digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes it");
        text
    })
}

fn problem_of_unanswered(unanswered: UnansweredScript) -> Problem {
    match unanswered {
        UnansweredScript::Lost(why) => Problem::could_not_measure("the pod that reads the volume is lost").detail(why),
        UnansweredScript::Failed(error) => Problem::from(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_counts_only_if_it_is_what_its_checksum_says() {
        let sum = hexadecimal_digits(&Sha256::digest(b"a\nb"));
        assert_eq!(verify_checksum(format!("{sum}  -\na\nb").as_bytes()), Some(&b"a\nb"[..]));
        assert_eq!(verify_checksum(format!("{sum}  -\na\n").as_bytes()), None, "cut off");
        assert_eq!(verify_checksum(b"a\nb"), None);
        let nothing = hexadecimal_digits(&Sha256::digest(b""));
        assert_eq!(
            verify_checksum(format!("{nothing}  -\n").as_bytes()),
            Some(&b""[..]),
            "an empty file has an end, too"
        );
    }

    #[test]
    fn what_is_listed_stays_within_the_directory() {
        let sum = "0".repeat(64);
        let found = parse_checksum_list(&format!("{sum}  ./run.json\n{sum}  ./trials/1/a b.json\n")).expect("a list");
        assert_eq!(found[1].path, Path::new("trials/1/a b.json"));
        for wrong in [format!("{sum}  ../../etc/passwd\n"), format!("{sum}  /etc/passwd\n"), "sh: no du\n".to_owned()] {
            assert!(parse_checksum_list(&wrong).is_err(), "{wrong}");
        }
    }
}
