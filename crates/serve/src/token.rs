//! The secret in the address of every page: who has it may read the runs.
//!
//! It is kept from one server to the next in a file that only its owner can read, so that a page which is open connects
//! again after the server was restarted on the same port.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::error::ServeError;

/// Random bytes in it.
const BYTES: usize = 16;

/// The token; its text is only told on purpose.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// The token in a file, which is made with a new one if it is not there.
    ///
    /// # Errors
    /// [`ServeError::Token`], also when the file holds something else.
    pub fn read_or_create(path: &Path) -> Result<Self, ServeError> {
        Self::read_or_make(path).map_err(|source| ServeError::Token { path: path.to_owned(), source })
    }

    fn read_or_make(path: &Path) -> io::Result<Self> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse_hexadecimal(text.trim())
                .ok_or_else(|| io::Error::other("the file holds no token; remove it")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(directory) = path.parent() {
                    fs::create_dir_all(directory)?;
                }
                let made = Self::generate_random()?;
                let mut file = match File::options().write(true).create_new(true).mode(0o600).open(path) {
                    Ok(file) => file,
                    // Another server was first.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Self::read_or_make(path),
                    Err(error) => return Err(error),
                };
                writeln!(file, "{}", made.0)?;
                Ok(made)
            }
            Err(error) => Err(error),
        }
    }

    /// A new one.
    ///
    /// # Errors
    /// The system's, when it gives no random bytes.
    pub fn generate_random() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    fn parse_hexadecimal(text: &str) -> Option<Self> {
        let is_one = text.len() == 2 * BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_one.then(|| Self(text.to_owned()))
    }

    /// Its text, for the address that is printed.
    pub(crate) fn reveal_text(&self) -> &str {
        &self.0
    }

    /// Whether a text is it, in a time that does not tell how much of it was right.
    pub(crate) fn matches_text(&self, text: &str) -> bool {
        let differs = self.0.bytes().zip(text.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        self.0.len() == text.len() && differs == 0
    }
}

impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_token_is_kept_for_its_owner_alone_and_the_same_the_next_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state/token");
        let first = AccessToken::read_or_create(&path).unwrap();
        assert_eq!(AccessToken::read_or_create(&path).unwrap(), first);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_ne!(AccessToken::generate_random().unwrap(), first);
        assert_eq!(format!("{first:?}"), "Token");
        fs::write(&path, "").unwrap();
        assert!(AccessToken::read_or_create(&path).unwrap_err().to_string().contains("holds no token"));
    }

    #[test]
    fn a_token_is_only_itself() {
        let token = AccessToken::parse_hexadecimal("00112233445566778899aabbccddeeff").unwrap();
        assert!(token.matches_text("00112233445566778899aabbccddeeff"));
        for wrong in ["", "0", "00112233445566778899aabbccddeefe", "00112233445566778899aabbccddeeff0"] {
            assert!(!token.matches_text(wrong), "{wrong}");
        }
    }
}
