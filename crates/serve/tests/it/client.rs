//! A client of HTTP as small as it can be, which sends what a browser would not.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Longer than anything takes.
const DEADLINE: Duration = Duration::from_secs(60);

/// Where a server is, from the address that it prints.
#[derive(Debug, Clone)]
pub struct Address {
    pub authority: String,
    /// Of the first page, token included.
    pub path: String,
}

impl Address {
    pub fn of(url: &str) -> Self {
        let (authority, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
        Self { authority: authority.to_owned(), path: format!("/{path}") }
    }

    pub fn port(&self) -> u16 {
        self.authority.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port")
    }

    /// The answer to a request below the first page.
    pub fn get(&self, below: &str) -> Answer {
        self.ask("GET", &format!("{}{below}", self.path), &[("Host", &self.authority)])
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut stream = self.send(method, path, &[headers, &[("Connection", "close")]].concat());
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        Answer::parse(&String::from_utf8(bytes).expect("text"))
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.authority).expect("a connection");
        stream.set_read_timeout(Some(DEADLINE)).expect("a deadline");
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        stream.write_all(format!("{method} {path} HTTP/1.1\r\n{headers}\r\n").as_bytes()).expect("sent");
        stream
    }
}

/// Server-sent events, as a browser takes them.
pub struct Events(BufReader<TcpStream>);

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub name: String,
    pub id: Option<String>,
    pub data: serde_json::Value,
}

impl Address {
    /// Listens to the run of the first page, from what was seen last on.
    pub fn listen(&self, last_event_id: Option<&str>) -> Events {
        let mut headers = vec![("Host", self.authority.as_str()), ("Connection", "close")];
        headers.extend(last_event_id.map(|id| ("Last-Event-ID", id)));
        Events(BufReader::new(self.send("GET", &format!("{}events", self.path), &headers)))
    }
}

impl Iterator for Events {
    type Item = Told;

    /// The next event; none when the server has ended the stream.
    fn next(&mut self) -> Option<Told> {
        let (mut name, mut id, mut data) = (None, None, None);
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("a line in time") == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("event", is)) => name = Some(is.to_owned()),
                Some(("id", is)) => id = Some(is.to_owned()),
                Some(("data", is)) => data = Some(serde_json::from_str(is).expect("JSON")),
                None if line.trim_end().is_empty() && name.is_some() => {
                    return Some(Told { name: name?, id, data: data.unwrap_or_default() });
                }
                _ => {}
            }
        }
    }
}

impl Events {
    /// The next event of a name.
    #[track_caller]
    pub fn await_event(&mut self, name: &str) -> Told {
        self.find(|told| told.name == name).unwrap_or_else(|| panic!("the stream ended without {name}"))
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    #[track_caller]
    pub fn has_status(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{:.300}", format!("{self:?}"));
        self
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("no JSON ({error}): {self:?}"))
    }
}
