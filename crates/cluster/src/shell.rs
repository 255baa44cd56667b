//! A shell in a container, by `pods/exec`: it prints files when it is asked to, with programs that every image of
//! PostgreSQL has (`sh`, `tail`, `readlink`, `df`). It changes nothing there, and ends with its input.

use std::time::Duration;

use k8s_openapi::api::core::v1::Pod;
use kube::api::AttachParams;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::time::timeout;

use crate::api::{Api, ObjectKind};
use crate::error::ClusterError;

/// Each line of input is a question with a number; the answer ends with a line that has the number, so that one which
/// comes too late is not taken for the next one's.
///
/// One `tail` prints all files, since in a container with a CPU limit every process that is started costs the server.
const SCRIPT: &str = "while read -r number what rest; do case $what in \
     files) tail -v -n +1 $rest 2>/dev/null;; \
     link) readlink -f \"$rest\";; \
     space) df -Pk \"$rest\";; \
     esac; echo; echo \"==> end of answer $number <==\"; done";

/// How that line begins.
const END: &[u8] = b"==> end of answer ";

/// The kind of what is asked for, as Roles call it.
const EXEC: ObjectKind = ObjectKind { word: "exec", plural: "pods/exec" };

/// What is kept of an answer before it is read: the client's own default is 1 KiB.
pub(crate) const BUFFER_BYTES: usize = 1 << 20;

/// The longest that a shell may take to be there.
const START_AT_MOST: Duration = Duration::from_secs(15);

/// The longest that a script may take.
const SCRIPT_AT_MOST: Duration = Duration::from_secs(30);

/// How the last line of a script's output begins; its exit status follows.
const STATUS: &str = "==> exit status ";

/// The space of a file system, as `df` counts it: what is used and what is free are not all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// All of it.
    pub size_bytes: u64,
    /// What files take.
    pub used_bytes: u64,
    /// What may still be written.
    pub free_bytes: u64,
}

/// A shell at work. Dropping it closes its input, which ends it.
pub struct RemoteShell {
    number: u64,
    _process: kube::api::AttachedProcess,
    questions: Box<dyn AsyncWrite + Send + Unpin>,
    answers: Box<dyn AsyncBufRead + Send + Unpin>,
}

impl Api {
    /// Starts a shell in a container.
    ///
    /// # Errors
    /// The right to exec is missing, or the container is gone.
    pub async fn open_shell(&self, pod: &str, container: &str) -> Result<RemoteShell, ClusterError> {
        let parameters = AttachParams {
            container: Some(container.to_owned()).filter(|name| !name.is_empty()),
            stdin: true,
            stderr: false,
            max_stdout_buf_size: Some(BUFFER_BYTES),
            ..AttachParams::default()
        };
        let pods: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        let started = timeout(START_AT_MOST, pods.exec(pod, ["sh", "-c", SCRIPT], &parameters)).await;
        let failed = |said: String| ClusterError::Failed { verb: "exec", what: format!("in the pod {pod}"), said };
        let mut process = match started {
            Ok(Ok(process)) => process,
            Ok(Err(error)) => return Err(self.upgrade_refusal_error(&error)),
            Err(_) => return Err(failed(format!("no answer within {} s", START_AT_MOST.as_secs()))),
        };
        let (Some(questions), Some(answers)) = (process.stdin(), process.stdout()) else {
            return Err(failed("it has no standard input or output".to_owned()));
        };
        let answers = Box::new(BufReader::with_capacity(BUFFER_BYTES, answers));
        Ok(RemoteShell { number: 0, _process: process, questions: Box::new(questions), answers })
    }

    /// What a script of `sh` prints in a container, whole.
    ///
    /// # Errors
    /// The right to exec is missing, the container is gone, the connection broke on the way, or the script failed.
    pub async fn run_script(
        &self,
        pod: &str,
        container: &str,
        script: &str,
        arguments: &[&str],
    ) -> Result<Vec<u8>, ClusterError> {
        let script = format!("{{ {script}\n}} 2>&1; echo \"{STATUS}$?\"");
        let parameters = AttachParams {
            container: Some(container.to_owned()),
            stderr: false,
            max_stdout_buf_size: Some(BUFFER_BYTES),
            ..AttachParams::default()
        };
        let words = ["sh", "-c", &script, "sh"].into_iter().chain(arguments.iter().copied());
        let pods: kube::Api<Pod> = kube::Api::namespaced(self.client.clone(), self.namespace_name());
        let run = async {
            let mut process =
                pods.exec(pod, words, &parameters).await.map_err(|error| self.upgrade_refusal_error(&error))?;
            let mut printed = Vec::new();
            if let Some(mut output) = process.stdout() {
                // A connection that breaks leaves the last line out.
                let _ = output.read_to_end(&mut printed).await;
            }
            Ok(printed)
        };
        let away = |why: &str| ClusterError::Away { context: self.context_name().to_owned(), why: why.to_owned() };
        let printed =
            timeout(SCRIPT_AT_MOST, run).await.map_err(|_| away("a script in a pod did not end in time"))??;
        let (output, status) = status_of(printed).ok_or_else(|| away("the connection to a pod was lost"))?;
        if status == "0" {
            return Ok(output);
        }
        let said = format!("exit status {status}: {}", String::from_utf8_lossy(&output).trim());
        Err(ClusterError::Failed { verb: "exec", what: format!("in the pod {pod}"), said })
    }

    /// A refused upgrade says only that it was refused.
    pub(crate) fn upgrade_refusal_error(&self, error: &kube::Error) -> ClusterError {
        match error {
            kube::Error::UpgradeConnection(refused) if refused.to_string().contains("403") => ClusterError::Forbidden {
                verb: "create,get",
                what: EXEC.plural.to_owned(),
                namespace: self.namespace_name().to_owned(),
                said: refused.to_string(),
            },
            other => self.in_words("exec", EXEC, other),
        }
    }
}

impl RemoteShell {
    /// The files of these paths, patterns as shells have them; what is not there is left out.
    ///
    /// # Errors
    /// The shell has ended.
    pub async fn read_files(&mut self, patterns: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
        Ok(files_in(&self.ask_shell(&format!("files {patterns}")).await?))
    }

    /// What a link leads to, all links on the way followed; none where there is nothing.
    ///
    /// # Errors
    /// The shell has ended.
    pub async fn resolve_link(&mut self, path: &str) -> Result<Option<String>, String> {
        let answer = self.ask_shell(&format!("link {path}")).await?;
        Ok(Some(String::from_utf8_lossy(&answer).trim().to_owned()).filter(|path| !path.is_empty()))
    }

    /// The space of the file system of a directory.
    ///
    /// # Errors
    /// The shell has ended.
    pub async fn file_system_space(&mut self, path: &str) -> Result<Option<Space>, String> {
        let answer = self.ask_shell(&format!("space {path}")).await?;
        Ok(space_in(&String::from_utf8_lossy(&answer)))
    }

    async fn ask_shell(&mut self, question: &str) -> Result<Vec<u8>, String> {
        let gone = |error: std::io::Error| format!("the shell in the pod has ended: {error}");
        self.number += 1;
        let end = format!("{} <==\n", self.number).into_bytes();
        self.questions.write_all(format!("{} {question}\n", self.number).as_bytes()).await.map_err(gone)?;
        self.questions.flush().await.map_err(gone)?;
        let mut answer = Vec::new();
        loop {
            let line_at = answer.len();
            if self.answers.read_until(b'\n', &mut answer).await.map_err(gone)? == 0 {
                return Err("the shell in the pod has ended".to_owned());
            }
            match answer[line_at..].strip_prefix(END) {
                Some(number) if number == end => {
                    answer.truncate(line_at);
                    return Ok(answer);
                }
                // Of a question that nobody waits for any more.
                Some(_) => answer.clear(),
                None => {}
            }
        }
    }
}

/// The output of a script and its exit status; none if it is not all there.
fn status_of(mut printed: Vec<u8>) -> Option<(Vec<u8>, String)> {
    let at = printed.windows(STATUS.len()).rposition(|window| window == STATUS.as_bytes())?;
    let last = String::from_utf8_lossy(&printed[at + STATUS.len()..]).into_owned();
    printed.truncate(at);
    last.strip_suffix('\n').map(|status| (printed, status.to_owned()))
}

/// What `tail -v` printed: before each file a line with its name, and an empty line before all but the first.
fn files_in(printed: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for line in printed.split_inclusive(|byte| *byte == b'\n') {
        let name = line.strip_prefix(b"==> ").and_then(|rest| rest.strip_suffix(b" <==\n"));
        match (name, files.last_mut()) {
            (Some(name), _) => files.push((String::from_utf8_lossy(name).into_owned(), Vec::new())),
            (None, Some((_, content))) => content.extend_from_slice(line),
            (None, None) => {}
        }
    }
    for (_, content) in &mut files {
        if content.last() == Some(&b'\n') {
            content.pop();
        }
    }
    files
}

/// The second line of `df -Pk`: source, size, used, free in KiB.
fn space_in(printed: &str) -> Option<Space> {
    let line = printed.lines().nth(1)?;
    let mut numbers = line.split_whitespace().skip(1).map(str::parse::<u64>);
    let mut bytes = || Some(numbers.next()?.ok()? * 1024);
    Some(Space { size_bytes: bytes()?, used_bytes: bytes()?, free_bytes: bytes()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_whatever_they_end_with() {
        let printed = b"==> /proc/stat <==\ncpu 1\nbtime 5\n\n==> /proc/7/cmdline <==\npostgres: app\0\n\
                        ==> /proc/8/cmdline <==\n\n==> /proc/pressure/cpu <==\nsome avg10=0\n\n";
        let files = files_in(printed);
        let named: Vec<(&str, &str)> =
            files.iter().map(|(name, content)| (name.as_str(), std::str::from_utf8(content).expect("text"))).collect();
        assert_eq!(
            named,
            [
                ("/proc/stat", "cpu 1\nbtime 5\n"),
                ("/proc/7/cmdline", "postgres: app\0"),
                ("/proc/8/cmdline", ""),
                ("/proc/pressure/cpu", "some avg10=0\n"),
            ]
        );
        assert_eq!(files_in(b"\n"), []);
    }

    #[test]
    fn output_without_its_last_line_is_not_all_of_it() {
        let of = |printed: &str| status_of(printed.as_bytes().to_vec());
        assert_eq!(of("a\n==> exit status 3\n"), Some((b"a\n".to_vec(), "3".to_owned())));
        assert_eq!(of("no newline==> exit status 0\n"), Some((b"no newline".to_vec(), "0".to_owned())));
        assert_eq!(of("a\n==> exit status 1"), None, "12, perhaps");
        assert_eq!(of("a\n"), None);
    }

    #[test]
    fn the_space_of_a_file_system_is_in_the_second_line() {
        let printed = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/vda 100 40 50 45% /data\n\n";
        let space = Space { size_bytes: 102_400, used_bytes: 40_960, free_bytes: 51_200 };
        assert_eq!(space_in(printed), Some(space));
        assert_eq!(space_in("df: /x: No such file or directory\n"), None);
    }
}
