//! A password as PostgreSQL keeps it, hashed any number of times: servers before 16 cannot be asked for that.

use sha2::{Digest as _, Sha256};

/// The password of the load.
pub const PASSWORD: &str = "secret";

const SALT: &[u8] = b"0123456789abcdef";

/// The verifier of RFC 5803 for [`PASSWORD`].
pub fn verifier(iterations: u64) -> String {
    let salted = salted_password(iterations);
    let client_key = keyed_hash(&salted, b"Client Key");
    let stored = Sha256::digest(client_key);
    let server_key = keyed_hash(&salted, b"Server Key");
    format!("SCRAM-SHA-256${iterations}:{}${}:{}", base64(SALT), base64(&stored), base64(&server_key))
}

/// `Hi` of RFC 5802.
fn salted_password(iterations: u64) -> [u8; 32] {
    let mut first = SALT.to_vec();
    first.extend(1_u32.to_be_bytes());
    let mut last = keyed_hash(PASSWORD.as_bytes(), &first);
    let mut result = last;
    for _ in 1..iterations {
        last = keyed_hash(PASSWORD.as_bytes(), &last);
        for (byte, other) in result.iter_mut().zip(last) {
            *byte ^= other;
        }
    }
    result
}

/// HMAC (RFC 2104) with SHA-256; the key is not longer than a block.
fn keyed_hash(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut pads = [[0x36_u8; 64], [0x5c_u8; 64]];
    for pad in &mut pads {
        for (byte, of_key) in pad.iter_mut().zip(key) {
            *byte ^= of_key;
        }
    }
    let inner = Sha256::new().chain_update(pads[0]).chain_update(text).finalize();
    Sha256::new().chain_update(pads[1]).chain_update(inner).finalize().into()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let mut bits = 0_usize;
        for at in 0..3 {
            bits = bits << 8 | usize::from(three.get(at).copied().unwrap_or(0));
        }
        for digit in 0..4 {
            let is_padding = digit > three.len();
            text.push(if is_padding { '=' } else { char::from(DIGITS[bits >> (18 - 6 * digit) & 63]) });
        }
    }
    text
}
