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

const fn define_parameter(name: &'static str, variable: Option<&'static str>, used: ParameterUse) -> Parameter {
    Parameter { name, variable, used }
}

/// Every parameter of libpq 14 to 18.
pub(super) const PARAMETERS: &[Parameter] = &[
    define_parameter("host", Some("PGHOST"), Acts),
    define_parameter("hostaddr", Some("PGHOSTADDR"), Acts),
    define_parameter("port", Some("PGPORT"), Acts),
    define_parameter("dbname", Some("PGDATABASE"), Acts),
    define_parameter("user", Some("PGUSER"), Acts),
    define_parameter("password", Some("PGPASSWORD"), Acts),
    define_parameter("passfile", Some("PGPASSFILE"), Acts),
    define_parameter("service", Some("PGSERVICE"), Acts),
    define_parameter("servicefile", Some("PGSERVICEFILE"), Acts),
    define_parameter("options", Some("PGOPTIONS"), Acts),
    define_parameter("connect_timeout", Some("PGCONNECT_TIMEOUT"), Acts),
    define_parameter("sslmode", Some("PGSSLMODE"), Acts),
    define_parameter("application_name", Some("PGAPPNAME"), Inert),
    define_parameter("fallback_application_name", None, Inert),
    define_parameter("keepalives", None, Acts),
    define_parameter("keepalives_idle", None, Acts),
    define_parameter("keepalives_interval", None, Acts),
    define_parameter("keepalives_count", None, Acts),
    define_parameter("tcp_user_timeout", None, Acts),
    define_parameter("sslcompression", Some("PGSSLCOMPRESSION"), Inert),
    define_parameter("sslcert", Some("PGSSLCERT"), Acts),
    define_parameter("sslkey", Some("PGSSLKEY"), Acts),
    define_parameter("sslpassword", None, Inert),
    define_parameter("sslcertmode", Some("PGSSLCERTMODE"), Only(&["disable", "allow"])),
    define_parameter("sslrootcert", Some("PGSSLROOTCERT"), Acts),
    define_parameter("sslcrl", Some("PGSSLCRL"), Only(&[])),
    define_parameter("sslcrldir", Some("PGSSLCRLDIR"), Only(&[])),
    define_parameter("sslsni", Some("PGSSLSNI"), Acts),
    define_parameter("sslkeylogfile", None, Inert),
    define_parameter("sslnegotiation", Some("PGSSLNEGOTIATION"), Acts),
    define_parameter("ssl_min_protocol_version", Some("PGSSLMINPROTOCOLVERSION"), Acts),
    define_parameter("ssl_max_protocol_version", Some("PGSSLMAXPROTOCOLVERSION"), Acts),
    define_parameter("min_protocol_version", Some("PGMINPROTOCOLVERSION"), Only(&["3.0"])),
    define_parameter("max_protocol_version", Some("PGMAXPROTOCOLVERSION"), Only(&["3.0", "latest"])),
    define_parameter("client_encoding", Some("PGCLIENTENCODING"), Only(&["UTF8", "utf8", "UTF-8", "utf-8"])),
    define_parameter("channel_binding", Some("PGCHANNELBINDING"), Acts),
    define_parameter("gssencmode", Some("PGGSSENCMODE"), Only(&["disable", "prefer"])),
    define_parameter("gssdelegation", Some("PGGSSDELEGATION"), Only(&["0"])),
    define_parameter("krbsrvname", Some("PGKRBSRVNAME"), Inert),
    define_parameter("gsslib", Some("PGGSSLIB"), Inert),
    define_parameter("require_auth", Some("PGREQUIREAUTH"), Only(&[])),
    define_parameter("requirepeer", Some("PGREQUIREPEER"), Only(&[])),
    define_parameter("replication", None, Only(&["false", "off", "no", "0"])),
    define_parameter("target_session_attrs", Some("PGTARGETSESSIONATTRS"), Acts),
    define_parameter("load_balance_hosts", Some("PGLOADBALANCEHOSTS"), Acts),
];

/// Finds a parameter by its exact name.
pub(super) fn find_parameter(name: &str) -> Option<&'static Parameter> {
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
pub(super) fn nearest_parameter(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = PARAMETERS.iter().map(|parameter| (parameter.name, parameter.name)).chain(SYNONYMS.iter().copied());
    let distances = known.map(|(spelled, known)| (strsim::damerau_levenshtein(spelled, &name), known));
    let (distance, nearest) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 2.min(name.len() / 2)).then_some(nearest)
}
