//! The same connection as it is told to another machine: in words, with the authorities that it trusts, and without its
//! password, which travels by another way or not at all.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::parameters::PARAMETERS;
use super::{
    ConnInfo, ConninfoError, ConninfoSurroundings, File, Secret, ServerHost, SessionAttrs, resolve_connection_string,
};

/// A connection as another machine is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForwardedConninfo {
    /// A connection string without a password.
    pub text: String,
    /// What the server sees of who connects.
    pub application_name: String,
    /// The files that the string names, by their paths in it.
    pub files: BTreeMap<PathBuf, String>,
}

/// Why a connection cannot be made from another machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotElsewhere {
    /// It leads to a Unix-domain socket.
    #[error("{0} is a socket of this machine")]
    Socket(String),
    /// It leads to this machine itself.
    #[error("{0} is a loopback address")]
    Loopback(String),
    /// It begins in a network namespace of this machine.
    #[error("its route starts in a network namespace of this machine")]
    Namespace,
    /// It needs a key that stays here.
    #[error("the key of a client certificate ({0}) is not sent to another machine")]
    Key(String),
    /// A file that it names cannot be read.
    #[error("could not read {0}: {1}")]
    File(String, String),
}

impl ConnInfo {
    /// This connection for another machine; `read` reads the certificates that it names.
    ///
    /// # Errors
    /// It leads nowhere from there, or needs what stays here.
    pub fn told_elsewhere(&self, read: &dyn Fn(&Path) -> io::Result<File>) -> Result<ForwardedConninfo, NotElsewhere> {
        if self.network_namespace.is_some() {
            return Err(NotElsewhere::Namespace);
        }
        let mut hosts: [Vec<String>; 3] = Default::default();
        for (host, port) in self.all_hosts() {
            let ServerHost::Tcp { name, address } = host else {
                return Err(NotElsewhere::Socket(super::address_of_host(host, port)));
            };
            let address = address.or_else(|| name.parse().ok());
            if name == "localhost" || address.is_some_and(|address| address.is_loopback()) {
                return Err(NotElsewhere::Loopback(super::address_of_host(host, port)));
            }
            let address = address.map_or_else(String::new, |address| address.to_string());
            hosts.iter_mut().zip([name.clone(), address, port.to_string()]).for_each(|(all, one)| all.push(one));
        }
        let [names, addresses, ports] = hosts;
        let mut words = vec![("host", names.join(",")), ("port", ports.join(","))];
        if addresses.iter().any(|address| !address.is_empty()) {
            words.push(("hostaddr", addresses.join(",")));
        }
        words.extend([("user", self.user.clone()), ("dbname", self.dbname.clone())]);
        words.extend(self.options.clone().map(|options| ("options", options)));
        words.extend(self.connect_timeout.map(|timeout| ("connect_timeout", timeout.as_secs().to_string())));
        words.extend(self.keepalive_parameters());
        words.push(("target_session_attrs", self.session.libpq_spelling().to_owned()));
        if self.spread {
            words.push(("load_balance_hosts", "random".to_owned()));
        }
        let mut files = BTreeMap::new();
        for (name, value) in self.of_encryption() {
            match name {
                "sslkey" | "sslcert" => return Err(NotElsewhere::Key(value.clone())),
                "sslrootcert" if value != "system" => {
                    let path = PathBuf::from(value);
                    let found = read(&path).map_err(|error| NotElsewhere::File(value.clone(), error.to_string()))?;
                    files.insert(path, found.text);
                }
                _ => {}
            }
            words.push((name, value.clone()));
        }
        let text =
            words.iter().map(|(name, value)| format!("{name}={}", quote_value(value))).collect::<Vec<_>>().join(" ");
        Ok(ForwardedConninfo { text, application_name: self.application_name.clone(), files })
    }

    /// What was said of encryption, by the names of the parameters.
    fn of_encryption(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let told = self.libpq.iter().filter_map(|(variable, value)| {
            let known = PARAMETERS.iter().find(|known| known.variable == Some(variable))?;
            Some((known.name, value))
        });
        told.filter(move |(name, _)| name.starts_with("ssl") || *name == "channel_binding")
    }

    fn keepalive_parameters(&self) -> Vec<(&'static str, String)> {
        let of = &self.keepalive;
        let words = [
            ("keepalives", of.on.map(|on| u8::from(on).to_string())),
            ("keepalives_idle", of.idle.map(|time| time.as_secs().to_string())),
            ("keepalives_interval", of.interval.map(|time| time.as_secs().to_string())),
            ("keepalives_count", of.count.map(|count| count.to_string())),
            ("tcp_user_timeout", of.user_timeout.map(|time| time.as_millis().to_string())),
        ];
        words.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl ForwardedConninfo {
    /// The connection, on the machine that was told of it; `read` reads what is that machine's, such as the authorities
    /// that its system trusts.
    ///
    /// # Errors
    /// What [`resolve_connection_string`](crate::resolve_connection_string) has against it.
    pub fn resolve_connection(
        &self,
        password: Option<Secret>,
        read: &dyn Fn(&Path) -> io::Result<File>,
    ) -> Result<ConnInfo, ConninfoError> {
        let read = |path: &Path| match self.files.get(path) {
            Some(text) => Ok(File { text: text.clone(), mode: 0o600 }),
            None => read(path),
        };
        // What the environment there says of servers is not about this one.
        let around = ConninfoSurroundings {
            variables: &BTreeMap::new(),
            os_user: None,
            read: &read,
            socket_directory: Path::new("/tmp"),
        };
        let resolved = resolve_connection_string(&self.text, &around)?.conninfo;
        Ok(ConnInfo { password, application_name: self.application_name.clone(), ..resolved })
    }
}

impl SessionAttrs {
    /// As libpq spells it.
    fn libpq_spelling(self) -> &'static str {
        match self {
            SessionAttrs::Any => "any",
            SessionAttrs::ReadWrite => "read-write",
            SessionAttrs::ReadOnly => "read-only",
            SessionAttrs::Primary => "primary",
            SessionAttrs::Standby => "standby",
            SessionAttrs::PreferStandby => "prefer-standby",
        }
    }
}

/// A value of a connection string in its quotes.
fn quote_value(value: &str) -> String {
    format!("'{}'", value.replace('\\', r"\\").replace('\'', r"\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here(text: &str) -> ConnInfo {
        let around = ConninfoSurroundings {
            variables: &BTreeMap::new(),
            os_user: Some("me"),
            read: &|_| Err(io::ErrorKind::NotFound.into()),
            socket_directory: Path::new("/tmp"),
        };
        resolve_connection_string(text, &around).expect("a connection").conninfo
    }

    fn nothing(_: &Path) -> io::Result<File> {
        Err(io::ErrorKind::NotFound.into())
    }

    #[test]
    fn a_connection_is_the_same_one_elsewhere() {
        for text in [
            "host=db.example port=5433 user=bench dbname=bench password=hunter2 sslmode=disable",
            "host=a,b hostaddr=10.0.0.1,10.0.0.2 port=1,2 user='o''b' dbname=x sslmode=disable \
             target_session_attrs=read-write load_balance_hosts=random"
                .replace("''", "\\'")
                .as_str(),
            "host=10.244.1.7 user=app dbname=app sslmode=disable options='-c a=b\\\\ c' connect_timeout=7 \
             keepalives=1 keepalives_idle=5 tcp_user_timeout=900 channel_binding=disable",
        ] {
            let here = here(text);
            let told = here.told_elsewhere(&nothing).expect("it leads there");
            assert!(!format!("{told:?}").contains("hunter2"), "{told:?}");
            let there = told.resolve_connection(here.password.clone(), &nothing).expect("a connection");
            let (mut here, mut there) = (here, there);
            // How addresses and defaults were said is of no consequence.
            for connection in [&mut here, &mut there] {
                connection.libpq.clear();
                for host in std::iter::once(&mut connection.host).chain(connection.others.iter_mut().map(|(h, _)| h)) {
                    if let ServerHost::Tcp { name, address } = host {
                        *address = address.or_else(|| name.parse().ok());
                    }
                }
            }
            assert_eq!(here, there, "{text}");
        }
    }

    #[test]
    fn what_only_this_machine_reaches_is_refused() {
        let why = |text: &str| here(text).told_elsewhere(&nothing).expect_err(text).to_string();
        assert_eq!(why("host=/run/x user=a"), "/run/x/.s.PGSQL.5432 is a socket of this machine");
        assert_eq!(why("host=localhost user=a sslmode=disable"), "localhost:5432 is a loopback address");
        assert_eq!(why("host=db hostaddr=127.0.0.2 user=a sslmode=disable"), "db:5432 is a loopback address");
    }
}
