//! The connection parameters of libpq: which exist, which environment variable stands for each, and what this version
//! does with each. Data only.

use ParameterUse::{Acts, Inert, Only};

/// What pgdyno does with a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterUse {
    /// The connection depends on it.
    Acts,
    /// Accepted without effect: it says how the client presents itself, or concerns what is never used.
    Inert,
    /// It asks for something that is not built yet, except with these values.
    Only(&'static [&'static str]),
}

/// One parameter.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) variable: Option<&'static str>,
    pub(super) used: ParameterUse,
}

const fn parameter(name: &'static str, variable: Option<&'static str>, used: ParameterUse) -> Parameter {
    Parameter { name, variable, used }
}

/// Every parameter of libpq 14 to 18.
pub(super) const PARAMETERS: &[Parameter] = &[
    parameter("host", Some("PGHOST"), Acts),
    parameter("hostaddr", Some("PGHOSTADDR"), Acts),
    parameter("port", Some("PGPORT"), Acts),
    parameter("dbname", Some("PGDATABASE"), Acts),
    parameter("user", Some("PGUSER"), Acts),
    parameter("password", Some("PGPASSWORD"), Acts),
    parameter("passfile", Some("PGPASSFILE"), Acts),
    parameter("service", Some("PGSERVICE"), Acts),
    parameter("servicefile", Some("PGSERVICEFILE"), Acts),
    parameter("options", Some("PGOPTIONS"), Acts),
    parameter("connect_timeout", Some("PGCONNECT_TIMEOUT"), Acts),
    parameter("sslmode", Some("PGSSLMODE"), Acts),
    parameter("application_name", Some("PGAPPNAME"), Inert),
    parameter("fallback_application_name", None, Inert),
    parameter("keepalives", None, Acts),
    parameter("keepalives_idle", None, Acts),
    parameter("keepalives_interval", None, Acts),
    parameter("keepalives_count", None, Acts),
    parameter("tcp_user_timeout", None, Acts),
    parameter("sslcompression", Some("PGSSLCOMPRESSION"), Inert),
    parameter("sslcert", Some("PGSSLCERT"), Acts),
    parameter("sslkey", Some("PGSSLKEY"), Acts),
    parameter("sslpassword", None, Inert),
    parameter("sslcertmode", Some("PGSSLCERTMODE"), Only(&["disable", "allow"])),
    parameter("sslrootcert", Some("PGSSLROOTCERT"), Acts),
    parameter("sslcrl", Some("PGSSLCRL"), Only(&[])),
    parameter("sslcrldir", Some("PGSSLCRLDIR"), Only(&[])),
    parameter("sslsni", Some("PGSSLSNI"), Acts),
    parameter("sslkeylogfile", None, Inert),
    parameter("sslnegotiation", Some("PGSSLNEGOTIATION"), Acts),
    parameter("ssl_min_protocol_version", Some("PGSSLMINPROTOCOLVERSION"), Acts),
    parameter("ssl_max_protocol_version", Some("PGSSLMAXPROTOCOLVERSION"), Acts),
    parameter("min_protocol_version", Some("PGMINPROTOCOLVERSION"), Only(&["3.0"])),
    parameter("max_protocol_version", Some("PGMAXPROTOCOLVERSION"), Only(&["3.0", "latest"])),
    parameter("client_encoding", Some("PGCLIENTENCODING"), Only(&["UTF8", "utf8", "UTF-8", "utf-8"])),
    parameter("channel_binding", Some("PGCHANNELBINDING"), Acts),
    parameter("gssencmode", Some("PGGSSENCMODE"), Only(&["disable", "prefer"])),
    parameter("gssdelegation", Some("PGGSSDELEGATION"), Only(&["0"])),
    parameter("krbsrvname", Some("PGKRBSRVNAME"), Inert),
    parameter("gsslib", Some("PGGSSLIB"), Inert),
    parameter("require_auth", Some("PGREQUIREAUTH"), Only(&[])),
    parameter("requirepeer", Some("PGREQUIREPEER"), Only(&[])),
    parameter("replication", None, Only(&["false", "off", "no", "0"])),
    parameter("target_session_attrs", Some("PGTARGETSESSIONATTRS"), Acts),
    parameter("load_balance_hosts", Some("PGLOADBALANCEHOSTS"), Acts),
];

/// Finds a parameter by its exact name.
pub(super) fn find(name: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|parameter| parameter.name == name)
}

/// What other drivers call the same thing.
const SYNONYMS: &[(&str, &str)] = &[
    ("database", "dbname"),
    ("db", "dbname"),
    ("hostname", "host"),
    ("pass", "password"),
    ("pwd", "password"),
    ("server", "host"),
    ("ssl", "sslmode"),
    ("username", "user"),
];

/// The parameter that was probably meant by `name`: a synonym, or a slip of the finger.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = PARAMETERS.iter().map(|parameter| (parameter.name, parameter.name)).chain(SYNONYMS.iter().copied());
    let distance = |(spelled, _): &(&str, &str)| strsim::damerau_levenshtein(spelled, &name);
    let best = known.min_by_key(distance)?;
    (distance(&best) <= 2.min(name.len() / 2)).then_some(best.1)
}
