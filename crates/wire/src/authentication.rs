//! The authentication dialogue: trust, password in clear, MD5, SCRAM-SHA-256.
//!
//! Start ─(Ok)→ done; Start ─(password asked)→ Start; Start ─(SASL)→ ScramFirst ─(Continue)→ ScramLast ─(Final)→ Proved
//! ─(Ok)→ done. Once SCRAM has begun the server must prove that it knows the password before its Ok counts: otherwise
//! anyone could pose as it.

use crate::error::WireError;
use crate::frontend;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{ChannelBinding, SCRAM_SHA_256, ScramSha256};

/// How far the dialogue has come.
#[derive(Default)]
pub(crate) enum Authentication {
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
    /// Takes the body of an Authentication message and appends the answer to `out`. True: the server is satisfied.
    pub(crate) fn step(&mut self, body: &[u8], who: &Credentials, out: &mut Vec<u8>) -> Result<bool, WireError> {
        let (code, data) =
            body.split_first_chunk::<4>().ok_or(WireError::Protocol("a malformed authentication request"))?;
        let state = std::mem::take(self);
        *self = match (u32::from_be_bytes(*code), state) {
            (0, Authentication::Start | Authentication::Proved) => return Ok(true),
            (3, Authentication::Start) => {
                frontend::password(out, password(who)?.as_bytes());
                Authentication::Start
            }
            (5, Authentication::Start) => {
                let salt = data.try_into().map_err(|_| WireError::Protocol("an MD5 salt that is not 4 bytes long"))?;
                let hash = md5_hash(who.user.as_bytes(), password(who)?.as_bytes(), salt);
                frontend::password(out, hash.as_bytes());
                Authentication::Start
            }
            (10, Authentication::Start) => begin_scram(data, password(who)?, out)?,
            (11, Authentication::ScramFirst(mut scram)) => {
                scram.update(data).map_err(|error| WireError::Scram(error.to_string()))?;
                frontend::sasl_response(out, scram.message());
                Authentication::ScramLast(scram)
            }
            (12, Authentication::ScramLast(mut scram)) => {
                scram.finish(data).map_err(|error| WireError::Scram(error.to_string()))?;
                Authentication::Proved
            }
            (0, _) => return Err(WireError::Scram("the server did not prove that it knows the password".to_owned())),
            (code, _) => return Err(unsupported(code)),
        };
        Ok(false)
    }
}

fn password(who: &Credentials) -> Result<&str, WireError> {
    who.password.as_deref().ok_or(WireError::PasswordNeeded)
}

fn begin_scram(mechanisms: &[u8], password: &str, out: &mut Vec<u8>) -> Result<Authentication, WireError> {
    let offered = || mechanisms.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    if !offered().any(|name| name == SCRAM_SHA_256.as_bytes()) {
        let names: Vec<_> = offered().map(String::from_utf8_lossy).collect();
        return Err(WireError::UnsupportedAuthentication(names.join(", ")));
    }
    let scram = Box::new(ScramSha256::new(password.as_bytes(), ChannelBinding::unsupported()));
    frontend::sasl_initial(out, SCRAM_SHA_256, scram.message());
    Ok(Authentication::ScramFirst(scram))
}

fn unsupported(code: u32) -> WireError {
    let name = match code {
        2 => "Kerberos V5",
        7 | 8 => "GSSAPI",
        9 => "SSPI",
        11 | 12 => return WireError::Protocol("a SASL message out of turn"),
        3 | 5 | 10 => return WireError::Protocol("a second authentication request"),
        _ => return WireError::UnsupportedAuthentication(format!("unknown (code {code})")),
    };
    WireError::UnsupportedAuthentication(name.to_owned())
}
