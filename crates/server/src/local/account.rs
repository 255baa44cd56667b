//! Which operating-system user runs a local server: the user of this process, or an unprivileged one in place of root,
//! as PostgreSQL refuses to run as root.

use serde::{Deserialize, Serialize};

use crate::environment::{Environment, users_in_passwd};

/// The user and group to become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SystemAccount {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// The account for the server's processes; none means this process's own.
///
/// In place of root: the user who called `sudo`, else `postgres`, else `nobody`, else the customary number of nobody.
pub(crate) fn choose_account(environment: &Environment) -> Option<SystemAccount> {
    if !environment.is_root() {
        return None;
    }
    let named = |wanted: &str| users_in_passwd(&environment.passwd).find(|user| user.name == wanted);
    let account = sudo_caller(environment)
        .or_else(|| ["postgres", "nobody"].into_iter().find_map(named).map(|user| (user.uid, user.gid)))
        .filter(|&(uid, _)| uid != 0)
        .unwrap_or((65534, 65534));
    Some(SystemAccount { uid: account.0, gid: account.1 })
}

fn sudo_caller(environment: &Environment) -> Option<(u32, u32)> {
    let uid: u32 = environment.nonempty_variable("SUDO_UID")?.parse().ok().filter(|&uid| uid != 0)?;
    let gid = environment.nonempty_variable("SUDO_GID").and_then(|gid| gid.parse().ok());
    let gid = gid.or_else(|| users_in_passwd(&environment.passwd).find(|user| user.uid == uid).map(|user| user.gid));
    Some((uid, gid.unwrap_or(uid)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn root_gives_the_server_to_the_caller_of_sudo_else_to_postgres_else_to_nobody() {
        let root = "root:x:0:0:root:/root:/bin/bash\n";
        let nobody = "nobody:x:65534:65533::/:/usr/sbin/nologin\n";
        let all = format!("{root}{nobody}postgres:x:101:104::/:/bin/sh\nann:x:1000:1001::/:/bin/sh\n");
        let cases = [
            (1000, all.as_str(), None, None),
            (1000, &all, Some(("1000", Some("1007"))), None),
            (0, &all, Some(("1000", Some("1007"))), Some((1000, 1007))),
            (0, &all, Some(("1000", None)), Some((1000, 1001))),
            (0, &all, Some(("0", None)), Some((101, 104))),
            (0, &all, None, Some((101, 104))),
            (0, &format!("{root}{nobody}"), None, Some((65534, 65533))),
            (0, root, None, Some((65534, 65534))),
        ];
        for (uid, passwd, sudo, expected) in cases {
            let (sudo_uid, sudo_gid) = sudo.map_or((None, None), |(uid, gid)| (Some(uid), gid));
            let variables = [("SUDO_UID", sudo_uid), ("SUDO_GID", sudo_gid)];
            let variables: BTreeMap<_, _> =
                variables.iter().filter_map(|(name, value)| Some(((*name).to_owned(), (*value)?.to_owned()))).collect();
            let environment = Environment { variables, executable: "/x".into(), uid, passwd: passwd.to_owned() };
            let expected = expected.map(|(uid, gid)| SystemAccount { uid, gid });
            assert_eq!(choose_account(&environment), expected, "uid {uid}, {passwd}, {sudo:?}");
        }
    }
}
