//! The server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), as far as a client can notice; written from the RFC, not
//! from the client's code, so that each checks the other. Passwords must be ASCII.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

type Key = [u8; 32];

/// One dialogue, after the client's first message.
pub(crate) struct ScramServer {
    password: String,
    /// The client's first message without the channel-binding flag.
    client_first_bare: String,
    server_first: String,
}

impl ScramServer {
    /// Answers the client's first message with `answer`, in which `%n` stands for the client's nonce. `None`: the
    /// client's message is none.
    pub(crate) fn answer(client_first: &str, password: &str, answer: &str) -> Option<ScramServer> {
        let bare = client_first.strip_prefix("n,,").or_else(|| client_first.strip_prefix("y,,"))?;
        let nonce = bare.strip_prefix("n=,r=")?;
        Some(ScramServer {
            password: password.to_owned(),
            client_first_bare: bare.to_owned(),
            server_first: answer.replace("%n", nonce),
        })
    }

    /// The server's first message.
    pub(crate) fn first(&self) -> &str {
        &self.server_first
    }

    /// The server's signature for the client's last message; `None` unless the client has proved that it knows the
    /// password.
    pub(crate) fn signature(&self, client_last: &str) -> Option<String> {
        let salt = STANDARD.decode(attribute(&self.server_first, "s=")?).ok()?;
        let iterations = attribute(&self.server_first, "i=")?.parse().ok()?;
        let salted = iterated(self.password.as_bytes(), &salt, iterations);
        let (without_proof, proof) = client_last.rsplit_once(",p=")?;
        let signed = format!("{},{},{without_proof}", self.client_first_bare, self.server_first);
        let stored_key: Key = Sha256::digest(keyed(&salted, b"Client Key")).into();
        let mut client_key: Key = STANDARD.decode(proof).ok()?.try_into().ok()?;
        xor(&mut client_key, &keyed(&stored_key, signed.as_bytes()));
        let proved = Key::from(Sha256::digest(client_key)) == stored_key;
        proved.then(|| STANDARD.encode(keyed(&keyed(&salted, b"Server Key"), signed.as_bytes())))
    }
}

fn attribute<'a>(message: &'a str, name: &str) -> Option<&'a str> {
    message.split(',').find_map(|part| part.strip_prefix(name))
}

fn keyed(key: &[u8], text: &[u8]) -> Key {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length will do");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

/// `Hi` of the RFC: PBKDF2 with one block.
fn iterated(password: &[u8], salt: &[u8], iterations: u32) -> Key {
    let mut last = keyed(password, &[salt, &[0, 0, 0, 1]].concat());
    let mut sum = last;
    for _ in 1..iterations {
        last = keyed(password, &last);
        xor(&mut sum, &last);
    }
    sum
}

fn xor(to: &mut Key, with: &Key) {
    to.iter_mut().zip(with).for_each(|(to, with)| *to ^= with);
}
