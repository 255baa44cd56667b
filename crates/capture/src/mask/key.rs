//! The key of the substitution. It stays with the owner of the data, outside the capture directory.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Bytes of a key.
const KEY_BYTES: usize = 32;

/// A key.
#[derive(Clone)]
pub struct MaskKey([u8; KEY_BYTES]);

impl std::fmt::Debug for MaskKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MaskKey")
    }
}

impl MaskKey {
    /// A key of these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// A key that nobody else has.
    pub fn draw_random() -> std::io::Result<Self> {
        let mut bytes = [0; KEY_BYTES];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// Reads a file with the key in hexadecimal.
    pub fn read_file(path: &Path) -> std::io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        Self::parse_hex(text.trim())
            .ok_or_else(|| std::io::Error::new(std::io::ErrorKind::InvalidData, "it is not 64 hexadecimal digits"))
    }

    /// Writes a new file that only its owner can read.
    pub fn write_file(&self, path: &Path) -> std::io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(self.as_hex().as_bytes())?;
        file.write_all(b"\n")
    }

    /// The key in hexadecimal.
    #[must_use]
    pub fn as_hex(&self) -> String {
        let mut text = String::new();
        for byte in self.0 {
            text.push_str(&format!("{byte:02x}"));
        }
        text
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn parse_hex(text: &str) -> Option<Self> {
        if text.len() != 2 * KEY_BYTES || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; KEY_BYTES];
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}
