//! What can be wrong with a connection string, in words that never repeat a value which might be a secret.
//!
//! A password that was not quoted or percent-encoded ends up in the wrong place of the string (in the host, the port,
//! a parameter name), so values are named by their position and not repeated.

use std::path::PathBuf;

/// Why a connection string, the environment or a service file could not be turned into a connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConninfoError {
    /// The string is neither a URL nor `key=value` pairs, or breaks their syntax.
    #[error("malformed connection string: {what}")]
    Malformed {
        /// What was found where.
        what: &'static str,
        /// How to write it.
        hint: &'static str,
    },
    /// A parameter that libpq does not know.
    #[error("unknown connection parameter{}", .name.as_ref().map(|name| format!(" \"{name}\"")).unwrap_or_default())]
    UnknownParameter {
        /// Its name, unless it might be a piece of an unquoted password.
        name: Option<String>,
        /// The known parameter that is spelled most alike.
        nearest: Option<&'static str>,
    },
    /// A parameter that libpq knows and this version does not act upon.
    #[error("connection parameter {name} is not supported yet by this version")]
    UnsupportedParameter {
        /// Its name.
        name: &'static str,
        /// The only values that are accepted for it, if any.
        accepted: &'static [&'static str],
    },
    /// A parameter whose value has the wrong form.
    #[error("invalid value for connection parameter {name}")]
    InvalidValue {
        /// The parameter.
        name: &'static str,
        /// What a value looks like.
        expected: &'static str,
    },
    /// A file of certificates or keys that cannot be used.
    #[error("cannot use {name} {}", .file.display())]
    TlsFile {
        /// The parameter that names it, or whose default it is.
        name: &'static str,
        /// The file.
        file: PathBuf,
        /// The system's reason, or what is wrong with its content.
        why: String,
    },
    /// Parameters that do not go together.
    #[error("connection parameters contradict each other: {what}")]
    Contradiction {
        /// Which, and how.
        what: &'static str,
        /// What to do instead.
        hint: &'static str,
    },
    /// A service that no service file defines.
    #[error("service \"{name}\" is not defined")]
    ServiceNotFound {
        /// The service.
        name: String,
        /// The files looked at.
        files: Vec<PathBuf>,
    },
    /// A service file that cannot be used.
    #[error("cannot use service file {}: {why}", .file.display())]
    ServiceFile {
        /// The file.
        file: PathBuf,
        /// The system's reason, or the line and what is wrong with it.
        why: String,
    },
    /// No user name given and none known for this process.
    #[error("no user name for the connection")]
    NoUser,
}

impl ConninfoError {
    /// What the system said, beyond the primary message.
    #[must_use]
    pub fn error_detail(&self) -> Option<String> {
        match self {
            Self::ServiceNotFound { files, .. } => {
                let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
                Some(format!("looked in {}", files.join(", ")))
            }
            Self::TlsFile { why, .. } => Some(why.clone()),
            Self::Malformed { .. }
            | Self::UnknownParameter { .. }
            | Self::UnsupportedParameter { .. }
            | Self::InvalidValue { .. }
            | Self::Contradiction { .. }
            | Self::ServiceFile { .. }
            | Self::NoUser => None,
        }
    }

    /// What to try.
    #[must_use]
    pub fn error_hint(&self) -> Option<String> {
        match self {
            Self::Malformed { hint, .. } => Some((*hint).to_owned()),
            Self::UnknownParameter { nearest, .. } => nearest.map(|nearest| format!("did you mean {nearest}?")),
            Self::UnsupportedParameter { accepted: [], .. } => Some("remove it".to_owned()),
            Self::UnsupportedParameter { accepted, .. } => {
                Some(format!("remove it or use one of: {}", accepted.join(", ")))
            }
            Self::Contradiction { hint, .. } => Some((*hint).to_owned()),
            Self::TlsFile { name: "sslrootcert", .. } => {
                Some("specify a file with the CA certificate in PEM format, or sslrootcert=system".to_owned())
            }
            Self::TlsFile { .. } => Some("specify files in PEM format, and a key without a passphrase".to_owned()),
            Self::ServiceNotFound { .. } => Some("set PGSERVICEFILE, or add the section to the file".to_owned()),
            Self::NoUser => Some("specify the user: postgresql://user@host/db, user=…, or PGUSER".to_owned()),
            Self::InvalidValue { expected, .. } => Some(format!("write {expected}")),
            Self::ServiceFile { .. } => None,
        }
    }
}
