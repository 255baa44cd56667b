//! Who may log in: what a Secret says, in CloudNativePG's words or those of other operators.

use std::collections::BTreeMap;
use std::fmt;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::ResourceExt as _;

use crate::api::ObjectKind;
use crate::error::ClusterError;

/// The kind of a Secret.
pub(crate) const SECRET: ObjectKind = ObjectKind { word: "Secret", plural: "secrets" };

/// Who logs in, and where to.
#[derive(Clone, PartialEq, Eq)]
pub struct ClusterLogin {
    /// The role.
    pub user: String,
    /// Its password.
    pub password: String,
    /// The database; none: the one called like the role.
    pub database: Option<String>,
    /// The Secret that says so.
    pub secret: String,
    /// The key of the password in it.
    pub key: String,
}

/// Without the password.
impl fmt::Debug for ClusterLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { user, password: _, database, secret, key } = self;
        f.debug_struct("Login")
            .field("user", user)
            .field("database", database)
            .field("secret", secret)
            .field("key", key)
            .finish_non_exhaustive()
    }
}

/// What the role is called in Secrets: by CloudNativePG, Crunchy and StackGres, Zalando, charts, images.
const USER: [&str; 5] = ["username", "user", "superuser-username", "POSTGRES_USER", "PGUSER"];
/// What its password is called.
const PASSWORD: [&str; 5] = ["password", "postgres-password", "superuser-password", "POSTGRES_PASSWORD", "PGPASSWORD"];
/// What the database is called.
const DATABASE: [&str; 5] = ["dbname", "database", "db", "POSTGRES_DB", "PGDATABASE"];

/// Reads a Secret. A password without a user is that of `postgres`, as images and charts have it.
pub(crate) fn login_from_secret(secret: &Secret) -> Result<ClusterLogin, ClusterError> {
    let data = secret.data.as_ref();
    let found = |names: &[&str]| {
        let (name, bytes) = names.iter().find_map(|name| Some((*name, data?.get(*name)?)))?;
        let text = String::from_utf8(bytes.0.clone()).ok()?;
        Some((name.to_owned(), text.trim_end_matches('\n').to_owned()))
    };
    let text = |names: &[&str]| found(names).map(|(_, text)| text);
    let missing = |what| ClusterError::NoKey {
        secret: secret.name_any(),
        what,
        known: data.map_or_else(Vec::new, |data| data.keys().cloned().collect()),
    };
    let (key, password) = found(&PASSWORD).ok_or_else(|| missing("password"))?;
    let user = text(&USER).unwrap_or_else(|| "postgres".to_owned());
    // CloudNativePG says `*` in the Secret of the superuser, who may connect to all of them.
    let database = text(&DATABASE).filter(|name| name != "*");
    Ok(ClusterLogin { user, password, database, secret: secret.name_any(), key })
}

/// What is in a Secret, as text.
pub(crate) fn texts_of_secret(secret: &Secret) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for (key, bytes) in secret.data.iter().flatten() {
        texts.insert(key.clone(), String::from_utf8_lossy(&bytes.0).into_owned());
    }
    texts
}

/// What is in a ConfigMap, as text.
pub(crate) fn texts_of_config_map(map: &ConfigMap) -> BTreeMap<String, String> {
    let mut texts = map.data.clone().unwrap_or_default();
    for (key, bytes) in map.binary_data.iter().flatten() {
        texts.insert(key.clone(), String::from_utf8_lossy(&bytes.0).into_owned());
    }
    texts
}

/// The certificate in `ca.crt` of an object that has no private key. One that has is refused, so that nobody is asked
/// to let pgdyno read it: what signs certificates gives more than any measurement needs.
pub(crate) fn ca_alone(
    kind: &'static str,
    name: &str,
    texts: &BTreeMap<String, String>,
) -> Result<String, ClusterError> {
    let mut keys = Vec::new();
    for (key, text) in texts {
        if key.ends_with(".key") || text.contains("PRIVATE KEY-----") {
            keys.push(key.clone());
        }
    }
    if !keys.is_empty() {
        return Err(ClusterError::HasPrivateKey { kind, name: name.to_owned(), keys });
    }
    match texts.get("ca.crt") {
        Some(certificate) if certificate.contains("BEGIN CERTIFICATE") => Ok(certificate.clone()),
        Some(_) | None => {
            Err(ClusterError::NoCertificate { kind, name: name.to_owned(), known: texts.keys().cloned().collect() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(pairs: &[(&str, &str)]) -> Secret {
        let data =
            pairs.iter().map(|(name, text)| ((*name).to_owned(), k8s_openapi::ByteString(text.as_bytes().to_vec())));
        let mut secret = Secret { data: Some(data.collect()), ..Secret::default() };
        secret.metadata.name = Some("s".to_owned());
        secret
    }

    #[test]
    fn a_login_is_read_in_the_words_of_several_operators() {
        let of = |pairs: &[(&str, &str)]| login_from_secret(&secret(pairs)).map(|l| (l.user, l.password, l.database));
        let all =
            |user: &str, database: Option<&str>| Ok((user.to_owned(), "p".to_owned(), database.map(str::to_owned)));
        assert_eq!(of(&[("username", "app"), ("password", "p"), ("dbname", "app")]), all("app", Some("app")));
        assert_eq!(of(&[("username", "postgres"), ("password", "p\n"), ("dbname", "*")]), all("postgres", None));
        assert_eq!(of(&[("POSTGRES_USER", "u"), ("POSTGRES_PASSWORD", "p")]), all("u", None));
        assert_eq!(of(&[("postgres-password", "p")]), all("postgres", None));
        let error = login_from_secret(&secret(&[("username", "app"), ("uri", "x")])).expect_err("no password");
        assert_eq!(error.to_string(), "the Secret s has no password");
        assert_eq!(error.detail().as_deref(), Some("it has uri, username"));
    }

    #[test]
    fn an_object_for_the_certificate_of_an_authority_has_no_private_key() {
        const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
        const KEY: &str = "-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n";
        let of = |pairs: &[(&str, &str)]| ca_alone("Secret", "db-ca", &texts_of_secret(&secret(pairs)));
        assert_eq!(of(&[("ca.crt", CERTIFICATE)]).as_deref(), Ok(CERTIFICATE));
        let refused: [(&[(&str, &str)], &str); 4] = [
            (&[("ca.crt", CERTIFICATE), ("ca.key", KEY)], "the Secret db-ca has a private key (ca.key)"),
            (&[("ca.crt", CERTIFICATE), ("tls.key", "")], "the Secret db-ca has a private key (tls.key)"),
            (&[("ca.crt", CERTIFICATE), ("more", KEY)], "the Secret db-ca has a private key (more)"),
            (&[("root.crt", CERTIFICATE)], "the Secret db-ca has no certificate in ca.crt"),
        ];
        for (pairs, said) in refused {
            assert_eq!(of(pairs).expect_err("refused").to_string(), said);
        }
        let map = ConfigMap { data: Some([("ca.crt".to_owned(), KEY.to_owned())].into()), ..ConfigMap::default() };
        let refused = ca_alone("ConfigMap", "trust", &texts_of_config_map(&map)).expect_err("refused");
        assert_eq!(refused.to_string(), "the ConfigMap trust has a private key (ca.crt)");
        assert!(refused.hint().is_some_and(|hint| hint.contains("as ca.crt")));
    }

    #[test]
    fn a_login_never_shows_its_password() {
        let shown = format!("{:?}", login_from_secret(&secret(&[("password", "hunter2")])).expect("a login"));
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
