//! Who may log in: what a Secret says, in CloudNativePG's words or those of other operators.

use std::fmt;

use k8s_openapi::api::core::v1::Secret;
use kube::ResourceExt as _;

use crate::error::ClusterError;

/// Who logs in, and where to.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
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
impl fmt::Debug for Login {
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
pub(crate) fn login(secret: &Secret) -> Result<Login, ClusterError> {
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
    Ok(Login { user, password, database, secret: secret.name_any(), key })
}

/// The certificate of an authority in a Secret.
pub(crate) fn authority(secret: &Secret) -> Option<String> {
    let bytes = secret.data.as_ref()?.get("ca.crt")?;
    String::from_utf8(bytes.0.clone()).ok()
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
        let of = |pairs: &[(&str, &str)]| login(&secret(pairs)).map(|l| (l.user, l.password, l.database));
        let all =
            |user: &str, database: Option<&str>| Ok((user.to_owned(), "p".to_owned(), database.map(str::to_owned)));
        assert_eq!(of(&[("username", "app"), ("password", "p"), ("dbname", "app")]), all("app", Some("app")));
        assert_eq!(of(&[("username", "postgres"), ("password", "p\n"), ("dbname", "*")]), all("postgres", None));
        assert_eq!(of(&[("POSTGRES_USER", "u"), ("POSTGRES_PASSWORD", "p")]), all("u", None));
        assert_eq!(of(&[("postgres-password", "p")]), all("postgres", None));
        let error = login(&secret(&[("username", "app"), ("uri", "x")])).expect_err("no password");
        assert_eq!(error.to_string(), "the Secret s has no password");
        assert_eq!(error.detail().as_deref(), Some("it has uri, username"));
    }

    #[test]
    fn a_login_never_shows_its_password() {
        let shown = format!("{:?}", login(&secret(&[("password", "hunter2")])).expect("a login"));
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
