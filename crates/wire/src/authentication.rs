//! The authentication dialogue: trust, password in clear, MD5, SCRAM-SHA-256 with and without channel binding.
//!
//! Start ─(Ok)→ done; Start ─(password asked)→ Start; Start ─(SASL)→ ScramFirst ─(Continue)→ ScramLast ─(Final)→ Proved
//! ─(Ok)→ done. Once SCRAM has begun the server must prove that it knows the password before its Ok counts: otherwise
//! anyone could pose as it.

use crate::connection::ChannelBinding;
use crate::error::WireError;
use crate::frontend;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{self, SCRAM_SHA_256, SCRAM_SHA_256_PLUS, ScramSha256};

/// The dialogue.
pub(crate) struct Authentication {
    channel_binding: ChannelBinding,
    state: AuthenticationState,
    /// The server has proved itself by SCRAM with channel binding.
    bound: bool,
    /// How often the server asks for the password to be hashed, if it did.
    scram_iterations: Option<u32>,
}

/// What a login can be bound to.
pub(crate) enum Binding {
    /// Nothing: the session is not encrypted.
    InClear,
    /// The hash of the server's certificate, if it has one.
    Encrypted { end_point: Option<Vec<u8>> },
}

/// How far the dialogue has come.
#[derive(Default)]
enum AuthenticationState {
    #[default]
    Start,
    ScramFirst(Box<ScramSha256>),
    ScramLast(Box<ScramSha256>),
    Proved,
}

/// Who is logging in.
pub(crate) struct Credentials {
    pub(crate) user: Box<str>,
    pub(crate) password: Option<Box<str>>,
}

impl Authentication {
    pub(crate) fn new(channel_binding: ChannelBinding) -> Authentication {
        Authentication { channel_binding, state: AuthenticationState::Start, bound: false, scram_iterations: None }
    }

    /// Takes the body of an Authentication message and appends the answer to `out`. True: the server is satisfied.
    pub(crate) fn answer_request(
        &mut self,
        body: &[u8],
        who: &Credentials,
        binding: Binding,
        out: &mut Vec<u8>,
    ) -> Result<bool, WireError> {
        let (code, data) =
            body.split_first_chunk::<4>().ok_or(WireError::Protocol("a malformed authentication request"))?;
        let (code, state) = (u32::from_be_bytes(*code), std::mem::take(&mut self.state));
        self.check_binding(code)?;
        self.state = match (code, state) {
            (0, AuthenticationState::Start | AuthenticationState::Proved) => return Ok(true),
            (3, AuthenticationState::Start) => {
                frontend::write_password_message(out, required_password(who)?.as_bytes());
                AuthenticationState::Start
            }
            (5, AuthenticationState::Start) => {
                let salt = data.try_into().map_err(|_| WireError::Protocol("an MD5 salt that is not 4 bytes long"))?;
                let hash = md5_hash(who.user.as_bytes(), required_password(who)?.as_bytes(), salt);
                frontend::write_password_message(out, hash.as_bytes());
                AuthenticationState::Start
            }
            (10, AuthenticationState::Start) => self.begin_scram(data, required_password(who)?, binding, out)?,
            (11, AuthenticationState::ScramFirst(mut scram)) => {
                self.scram_iterations = iterations_asked_for(data);
                scram.update(data).map_err(|error| WireError::Scram(error.to_string()))?;
                frontend::sasl_response(out, scram.message());
                AuthenticationState::ScramLast(scram)
            }
            (12, AuthenticationState::ScramLast(mut scram)) => {
                scram.finish(data).map_err(|error| WireError::Scram(error.to_string()))?;
                AuthenticationState::Proved
            }
            (0, _) => return Err(WireError::Scram("the server did not prove that it knows the password".to_owned())),
            (code, _) => return Err(unsupported_method(code)),
        };
        Ok(false)
    }

    /// How often the server asked for the password to be hashed (SCRAM); none where it did not.
    pub(crate) fn scram_iterations(&self) -> Option<u32> {
        self.scram_iterations
    }

    /// Where channel binding is required, nothing but SCRAM that has it will do.
    fn check_binding(&self, code: u32) -> Result<(), WireError> {
        if self.channel_binding != ChannelBinding::Require || matches!(code, 10..=12) || self.bound {
            return Ok(());
        }
        Err(WireError::ChannelBinding("the server requested authentication without it"))
    }

    fn begin_scram(
        &mut self,
        mechanisms: &[u8],
        password: &str,
        binding: Binding,
        out: &mut Vec<u8>,
    ) -> Result<AuthenticationState, WireError> {
        let offered = |wanted: &str| mechanisms.split(|&byte| byte == 0).any(|name| name == wanted.as_bytes());
        let wanted = self.channel_binding;
        let (mechanism, binding) = match binding {
            Binding::InClear if wanted == ChannelBinding::Require => {
                return Err(WireError::ChannelBinding("the connection is not encrypted"));
            }
            Binding::Encrypted { end_point: Some(hash) }
                if offered(SCRAM_SHA_256_PLUS) && wanted != ChannelBinding::Disable =>
            {
                (SCRAM_SHA_256_PLUS, sasl::ChannelBinding::tls_server_end_point(hash))
            }
            Binding::Encrypted { .. } if wanted == ChannelBinding::Require => {
                return Err(WireError::ChannelBinding("the server does not offer it, or its certificate has no hash"));
            }
            // Tells the server that it could have had it, so that nobody in between can have struck it off the list.
            Binding::Encrypted { end_point: Some(_) } if wanted == ChannelBinding::Prefer => {
                (SCRAM_SHA_256, sasl::ChannelBinding::unrequested())
            }
            Binding::InClear | Binding::Encrypted { .. } => (SCRAM_SHA_256, sasl::ChannelBinding::unsupported()),
        };
        if !offered(mechanism) {
            let names = mechanisms.split(|&byte| byte == 0).filter(|name| !name.is_empty());
            let names: Vec<_> = names.map(String::from_utf8_lossy).collect();
            return Err(WireError::UnsupportedAuthentication(names.join(", ")));
        }
        self.bound = mechanism == SCRAM_SHA_256_PLUS;
        let scram = Box::new(ScramSha256::new(password.as_bytes(), binding));
        frontend::sasl_initial(out, mechanism, scram.message());
        Ok(AuthenticationState::ScramFirst(scram))
    }
}

/// The iteration count of SCRAM's server-first-message, `r=…,s=…,i=4096` (RFC 5802, 5.1).
fn iterations_asked_for(server_first: &[u8]) -> Option<u32> {
    let attributes = server_first.split(|&byte| byte == b',');
    let count = attributes.filter_map(|attribute| attribute.strip_prefix(b"i=")).next()?;
    std::str::from_utf8(count).ok()?.parse().ok()
}

fn required_password(who: &Credentials) -> Result<&str, WireError> {
    who.password.as_deref().ok_or(WireError::PasswordNeeded)
}

fn unsupported_method(code: u32) -> WireError {
    let name = match code {
        2 => "Kerberos V5",
        7 | 8 => "GSSAPI",
        9 => "SSPI",
        11 | 12 => return WireError::Protocol("a SASL message out of order"),
        3 | 5 | 10 => return WireError::Protocol("a second authentication request"),
        _ => return WireError::UnsupportedAuthentication(format!("unknown (code {code})")),
    };
    WireError::UnsupportedAuthentication(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::iterations_asked_for;

    #[test]
    fn the_iteration_count_is_what_the_server_asks_for() {
        assert_eq!(iterations_asked_for(b"r=fyko+d2lbbFgONRv9qkxdawL,s=QSXCR+Q6sek8bf92,i=4096"), Some(4096));
        assert_eq!(iterations_asked_for(b"e=other-error"), None);
        assert_eq!(iterations_asked_for(b"r=x,s=y,i=many"), None);
    }
}
