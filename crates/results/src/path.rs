//! What lay between the transactions and the server's sockets, in one second or in the measurement phase, as the load
//! engine told.

use serde::{Deserialize, Serialize};

/// Counts over all clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathFigures {
    /// How often a client waited for the server: what was sent together and answered together is one.
    pub round_trips: u64,
    /// Bytes of answers as they came, encrypted or not; absent where nobody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_bytes: Option<u64>,
    /// Time for which the load engine itself kept clients waiting, from the arrivals of answers until the next requests
    /// were handed to the kernel, in microseconds, summed over clients.
    pub engine_us: u64,
    /// Time for which clients waited because their scripts ask them to (`\sleep`), or for programs that their scripts
    /// run, in microseconds, summed over clients; absent where nobody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_us: Option<u64>,
    /// What the kernel measured on the connections.
    pub network: NetworkPath,
}

/// What the kernel knows of the connections' path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum NetworkPath {
    /// Nothing: unix sockets have no path.
    Unix,
    /// Of some connections, each read once a second at most (`TCP_INFO`).
    Tcp(TcpFigures),
    /// Nothing.
    Unknown {
        /// Why.
        gap: String,
    },
}

/// TCP connections of the load. Retransmissions of connections that end before they are read again are not among these.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TcpFigures {
    /// Readings of a connection.
    pub readings: u64,
    /// Mean over the readings of the connection's shortest round-trip time, in microseconds: the path by itself.
    pub rtt_us_min: f64,
    /// Mean over the readings of the smoothed round-trip time, in microseconds. It contains the server's own time where
    /// the acknowledgement of a request travels with the answer.
    pub rtt_us_smoothed: f64,
    /// Segments that were sent again.
    pub retransmits: u64,
    /// Segments that were thought lost when their connection was read.
    pub lost: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_come_back_as_they_were_written() {
        let tcp = TcpFigures { readings: 4, rtt_us_min: 31.5, rtt_us_smoothed: 80.25, retransmits: 1, lost: 0 };
        for (network, start) in [
            (NetworkPath::Unix, r#""network":{"kind":"unix"}"#),
            (NetworkPath::Tcp(tcp), r#""network":{"kind":"tcp","readings":4,"#),
            (NetworkPath::Unknown { gap: "no reading".to_owned() }, r#""network":{"kind":"unknown","gap":"#),
        ] {
            let figures =
                PathFigures { round_trips: 7, received_bytes: Some(8), engine_us: 90, script_us: Some(5), network };
            let text = serde_json::to_string(&figures).unwrap();
            assert!(text.contains(start), "{text}");
            assert_eq!(serde_json::from_str::<PathFigures>(&text).unwrap(), figures);
        }
    }
}
