//! What a process of the server is, by its title: one of PostgreSQL's own kinds, a session, or a worker of an extension
//! by its own words.

use results::process_figures::{KINDS_OF_TITLES, PARALLEL_WORKER};

/// Bytes of a name that an extension gave, at most.
const NAME_AT_MOST: usize = 48;

/// What a process is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KindOfProcess {
    /// Serves a client, or is not known to do anything else.
    Session,
    /// Works for another process of the server.
    ParallelWorker {
        /// That process, by the server's own number.
        of: Option<u32>,
    },
    /// Any other.
    OfServer(String),
}

/// From a title such as `postgres: 15/main: checkpointer ` or `postgres: bench bench [local] idle`; none of a process
/// that has not given itself a title yet, or has ended.
pub(super) fn process_kind(title: &str) -> Option<KindOfProcess> {
    let title = title.trim_end_matches(['\0', ' ']);
    let purpose = title.strip_prefix("postgres: ")?;
    let purpose = purpose.rsplit_once(": ").map_or(purpose, |(_, purpose)| purpose);
    for kind in KINDS_OF_TITLES {
        if purpose.starts_with(kind) {
            return Some(match kind {
                PARALLEL_WORKER => KindOfProcess::ParallelWorker { of: leader_in_title(purpose) },
                kind => KindOfProcess::OfServer(kind.to_owned()),
            });
        }
    }
    if is_of_client(purpose) {
        return Some(KindOfProcess::Session);
    }
    Some(KindOfProcess::OfServer(name_of_extension(purpose)))
}

/// `parallel worker for PID 4711`.
fn leader_in_title(purpose: &str) -> Option<u32> {
    purpose.rsplit_once(" PID ")?.1.trim().parse().ok()
}

/// Whether a word of a title says from where a client has come: `[local]`, `10.0.0.7(50124)`, `10.0.0.7[50124]`; or
/// whether it is about to say so.
fn is_of_client(purpose: &str) -> bool {
    purpose.contains("client backend") || purpose.split(' ').any(|word| word == "[local]" || is_address(word))
}

fn is_address(word: &str) -> bool {
    let port = word.strip_suffix([')', ']']).and_then(|word| word.rsplit_once(['(', '[']));
    port.is_some_and(|(host, port)| !host.is_empty() && !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit()))
}

/// The words of a worker's name without those that have a number in them: workers of a kind are counted together.
fn name_of_extension(purpose: &str) -> String {
    let mut name = String::new();
    for word in purpose.split_whitespace() {
        let has_number = word.chars().any(char::is_numeric);
        if has_number || name.len() + word.len() >= NAME_AT_MOST {
            continue;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if name.is_empty() { "worker of an extension".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_title(title: &str, expected: Option<&KindOfProcess>) {
        assert_eq!(process_kind(title).as_ref(), expected, "{title:?}");
    }

    fn of_server(kind: &str) -> Option<KindOfProcess> {
        Some(KindOfProcess::OfServer(kind.to_owned()))
    }

    #[test]
    fn a_title_says_what_a_process_is() {
        check_title("postgres: checkpointer \0\0", of_server("checkpointer").as_ref());
        check_title("postgres: 15/main: background writer ", of_server("background writer").as_ref());
        check_title("postgres: autovacuum worker bench", of_server("autovacuum worker").as_ref());
        check_title("postgres: autovacuum launcher ", of_server("autovacuum launcher").as_ref());
        check_title("postgres: walsender repl 10.0.0.7(50124) streaming 0/3000148", of_server("walsender").as_ref());
        check_title("postgres: walsender repl bench [local] START_REPLICATION", of_server("walsender").as_ref());
        check_title("postgres: io worker 2", of_server("io worker").as_ref());
        check_title("postgres: logical replication launcher ", of_server("logical replication launcher").as_ref());
        check_title(
            "postgres: logical replication apply worker for subscription 16398 ",
            of_server("logical replication").as_ref(),
        );
        check_title("postgres: parallel worker for PID 4711 ", Some(&KindOfProcess::ParallelWorker { of: Some(4711) }));
    }

    #[test]
    fn a_session_says_where_its_client_is() {
        for title in [
            "postgres: bench bench [local] SELECT",
            "postgres: 17/main: bench bench 127.0.0.1(50124) idle",
            "postgres: my user bench ::1(50124) idle in transaction",
            "postgres: bench bench 10.0.0.7[50124] idle",
        ] {
            check_title(title, Some(&KindOfProcess::Session));
        }
    }

    #[test]
    fn a_worker_of_an_extension_has_its_own_words_without_numbers() {
        check_title(
            "postgres: TimescaleDB Background Worker Launcher ",
            of_server("TimescaleDB Background Worker Launcher").as_ref(),
        );
        check_title("postgres: 16/main: User-Defined Action [1000] ", of_server("User-Defined Action").as_ref());
        check_title("postgres: 4711", of_server("worker of an extension").as_ref());
    }

    #[test]
    fn a_process_without_a_title_is_not_known() {
        check_title("/usr/lib/postgresql/15/bin/postgres\0-D\0/data", None);
        check_title("", None);
    }
}
