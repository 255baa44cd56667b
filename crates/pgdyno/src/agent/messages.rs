//! What is said between pgdyno and its agent: one JSON object a line. Every answer bears the number of its order, so
//! that one that comes too late is not taken for the next one's.

use std::collections::BTreeMap;

use results::facts::Host;
use results::interval::Reading;
use serde::{Deserialize, Serialize};
use server::Backend;

/// Both sides must have the same.
pub const PROTOCOL: u32 = 2;

/// What the agent is told, by number.
#[derive(Debug, Serialize, Deserialize)]
pub struct Numbered<T> {
    /// Counts up from 1; the agent's first line, before any order, has 0.
    pub number: u64,
    /// What is said.
    #[serde(flatten)]
    pub said: T,
}

/// What the agent is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "order")]
pub enum Order {
    /// Say what time it is.
    Ping,
    /// Find the processes and the disk of the server one of whose open sessions this is, and read the facts of the
    /// machine.
    Attach(Backend),
    /// Take the first snapshots of a series.
    Prime,
    /// Read what happened since the last snapshots.
    Read,
}

/// What the agent says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum Answer {
    /// It is there.
    Hello {
        /// Of this protocol.
        protocol: u32,
        /// Its pgdyno's version.
        version: String,
    },
    /// Its time.
    Pong {
        /// Microseconds since 1970 by its clock.
        at_us: i64,
    },
    /// The machine.
    Attached {
        /// Its facts; none if the essentials could not be read.
        host: Option<Box<Host>>,
        /// What could not be read, and why.
        gaps: BTreeMap<String, String>,
    },
    /// The snapshots are taken.
    Primed,
    /// What the probes read.
    Readings {
        /// By probe.
        readings: BTreeMap<String, Reading>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_answers_come_back_as_they_were_said() {
        let backend = Backend { backend_pid: 7, backend_started_us: Some(5), data_directory: Some("/data".into()) };
        let order = Order::Attach(backend);
        let line = serde_json::to_string(&Numbered { number: 3, said: order }).unwrap();
        assert_eq!(
            line,
            r#"{"number":3,"order":"attach","backend_pid":7,"backend_started_us":5,"data_directory":"/data"}"#
        );
        let gap = Reading::Gap { took_us: 3, gap: "gone".to_owned() };
        let value = Reading::Values { took_us: 3, over_us: 9, values: [("a_us".to_owned(), 0.1)].into() };
        let readings = BTreeMap::from([("host.a".to_owned(), gap), ("host.b".to_owned(), value)]);
        let answer = Numbered { number: 4, said: Answer::Readings { readings: readings.clone() } };
        let text = serde_json::to_string(&answer).unwrap();
        let Numbered { number, said } = serde_json::from_str::<Numbered<Answer>>(&text).unwrap();
        assert!(matches!(said, Answer::Readings { readings: back } if number == 4 && back == readings), "{text}");
    }
}
