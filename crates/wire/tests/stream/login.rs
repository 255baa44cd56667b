//! Whole logins with a server that plays its part: the same however the bytes of either side are cut.

use crate::peer::{hear, message, pieces};
use crate::scram_server::ScramServer;
use proptest::collection::vec;
use proptest::prelude::*;
use wire::{ResultRows, SessionLogin, WireConnection};

const SALT: &str = "c2FsdHNhbHQ=";

/// How the server asks for the password, and what it does when it has been proved.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asks {
    Nothing,
    InClear,
    Md5,
    Scram,
    /// It knows another password, and its signature is for that one.
    ScramWithAnotherPassword,
}

/// One side of a login: takes messages of the client, gives answers.
pub(crate) struct Server {
    asks: Asks,
    received: Vec<u8>,
    started: bool,
    scram: Option<ScramServer>,
    /// What it says after its welcome.
    more: Vec<u8>,
}

impl Server {
    pub(crate) fn new(asks: Asks) -> Server {
        Server { asks, received: Vec::new(), started: false, scram: None, more: Vec::new() }
    }

    /// Says more after its welcome.
    pub(crate) fn then(self, more: Vec<u8>) -> Server {
        Server { more, ..self }
    }

    /// What it sends after these bytes.
    pub(crate) fn hear(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.received.extend_from_slice(bytes);
        let mut answer = Vec::new();
        while let Some(body) = self.next_message() {
            answer.extend(self.reply(&body));
        }
        answer
    }

    /// The body of the client's next message: the start-up message has no type byte.
    fn next_message(&mut self) -> Option<Vec<u8>> {
        let tag = usize::from(self.started);
        let length = self.received.get(tag..tag + 4)?;
        let end = tag + u32::from_be_bytes(length.try_into().ok()?) as usize;
        if self.received.len() < end {
            return None;
        }
        let body = self.received[tag + 4..end].to_vec();
        self.received.drain(..end);
        Some(body)
    }

    fn reply(&mut self, body: &[u8]) -> Vec<u8> {
        if !std::mem::replace(&mut self.started, true) {
            return match self.asks {
                Asks::Nothing => self.welcome(),
                Asks::InClear => message(b'R', &[0, 0, 0, 3]),
                Asks::Md5 => message(b'R', &[0, 0, 0, 5, 0x2a, 0x3d, 0x8f, 0xe0]),
                Asks::Scram | Asks::ScramWithAnotherPassword => message(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0"),
            };
        }
        match self.asks {
            Asks::Nothing => panic!("the client says something unasked: {body:?}"),
            Asks::InClear => {
                assert_eq!(body, b"sesame\0");
                self.welcome()
            }
            Asks::Md5 => {
                assert!(body.starts_with(b"md5") && body.len() == 36, "{body:?}");
                self.welcome()
            }
            Asks::Scram | Asks::ScramWithAnotherPassword => self.reply_to_scram(body),
        }
    }

    fn reply_to_scram(&mut self, body: &[u8]) -> Vec<u8> {
        if let Some(scram) = &self.scram {
            let client_last = std::str::from_utf8(body).expect("text");
            let signature = scram.signature(client_last);
            assert_eq!(signature.is_some(), matches!(self.asks, Asks::Scram), "the client's proof is right");
            let forged = || "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=".to_owned();
            let last = format!("v={}", signature.unwrap_or_else(forged));
            return [message(b'R', &[b"\0\0\0\x0c", last.as_bytes()].concat()), self.welcome()].concat();
        }
        let client_first = body.strip_prefix(b"SCRAM-SHA-256\0").and_then(|rest| rest.get(4..)).expect("a mechanism");
        let client_first = std::str::from_utf8(client_first).expect("text");
        let password = if matches!(self.asks, Asks::Scram) { "sesame" } else { "open sesame" };
        let scram = ScramServer::answer(client_first, password, &format!("r=%nserver,s={SALT},i=2"));
        let scram = self.scram.insert(scram.expect("a first message of SCRAM"));
        message(b'R', &[b"\0\0\0\x0b", scram.first().as_bytes()].concat())
    }

    /// All that a server says between its satisfaction and the first request, and more.
    fn welcome(&self) -> Vec<u8> {
        [
            message(b'R', &[0, 0, 0, 0]),
            message(b'N', b"SNOTICE\0VNOTICE\0C00000\0Mwelcome\0\0"),
            message(b'S', b"TimeZone\0Etc/UTC\0"),
            message(b'v', &[0, 3, 0, 0, 0, 0, 0, 0]),
            message(b'K', &[0, 0, 0, 7, 0, 0, 0, 9]),
            message(b'Z', b"I"),
            self.more.clone(),
        ]
        .concat()
    }
}

/// What the tests log in with.
pub(crate) fn login() -> SessionLogin<'static> {
    SessionLogin { user: "bench", password: Some("sesame"), ..SessionLogin::default() }
}

/// Lets the two talk until neither has anything to say. `cuts` decides how many bytes pass at a time.
pub(crate) fn talk(login: &SessionLogin<'_>, server: &mut dyn FnMut(&[u8]) -> Vec<u8>, cuts: &[usize]) -> Vec<String> {
    let mut connection = WireConnection::start(login);
    connection.set_rows(ResultRows::Keep);
    let mut said = Vec::new();
    loop {
        let answer = server(&outgoing(&mut connection, cuts));
        if answer.is_empty() {
            return said;
        }
        for piece in pieces(&answer, cuts) {
            if !hear(&mut connection, piece, &mut said) {
                return said;
            }
        }
    }
}

/// Everything that is to be sent, taken in pieces.
pub(crate) fn outgoing(connection: &mut WireConnection, cuts: &[usize]) -> Vec<u8> {
    let mut sent = Vec::new();
    let mut sizes = cuts.iter().map(|cut| cut % 7 + 1);
    while !connection.outgoing_bytes().is_empty() {
        let count = sizes.next().unwrap_or(usize::MAX).min(connection.outgoing_bytes().len());
        sent.extend_from_slice(&connection.outgoing_bytes()[..count]);
        connection.mark_sent(count);
    }
    sent
}

fn asks() -> impl Strategy<Value = Asks> {
    prop_oneof![
        Just(Asks::Nothing),
        Just(Asks::InClear),
        Just(Asks::Md5),
        Just(Asks::Scram),
        Just(Asks::ScramWithAnotherPassword),
    ]
}

proptest! {
    #[test]
    fn a_login_is_the_same_however_the_bytes_of_either_side_are_cut(
        asks in asks(),
        cuts in vec(any::<usize>(), 0..60),
    ) {
        let talk_in = |cuts: &[usize]| {
            let mut server = Server::new(asks);
            talk(&login(), &mut |bytes| server.hear(bytes), cuts)
        };
        let said = talk_in(&cuts);
        prop_assert_eq!(&said, &talk_in(&[]));
        match asks {
            Asks::ScramWithAnotherPassword => prop_assert!(said[0].starts_with("SCRAM"), "{:?}", said),
            Asks::Nothing | Asks::InClear | Asks::Md5 | Asks::Scram => {
                prop_assert_eq!(said.last().map(String::as_str), Some("ReadyForQuery(Idle)"));
            }
        }
    }
}
