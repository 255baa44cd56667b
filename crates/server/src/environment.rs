//! What the process around this crate provides: environment variables, the executable, who runs it.
//!
//! Read once, at the edge, and passed down, so that everything else can be tested with another environment.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use conninfo::{ConninfoSurroundings, File};

/// The surroundings of this process.
#[derive(Clone)]
pub struct Environment {
    /// Environment variables.
    pub variables: BTreeMap<String, String>,
    /// The program that [`crate::run_as_supervisor`] is reached through, executed again for each local server.
    pub executable: PathBuf,
    /// The real user id of this process.
    pub uid: u32,
    /// The user database in the format of `passwd(5)`.
    pub passwd: String,
}

impl Environment {
    /// The directory under which temporary data directories are made.
    #[must_use]
    pub fn data_parent(&self) -> PathBuf {
        self.nonempty_variable("TMPDIR").unwrap_or("/var/tmp").into()
    }

    /// Reads the surroundings of this process. Variables that are not UTF-8 are left out.
    ///
    /// `executable` is a program whose `main` calls [`crate::run_as_supervisor`] when its first argument is
    /// [`crate::SUPERVISE_ARGUMENT`]; for the binary itself, `/proc/self/exe`, which survives an upgrade on disk.
    #[must_use]
    pub fn of_this_process(executable: PathBuf) -> Self {
        let text = |value: std::ffi::OsString| value.into_string().ok();
        Self {
            variables: std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect(),
            executable,
            uid: rustix::process::geteuid().as_raw(),
            passwd: fs::read_to_string("/etc/passwd").unwrap_or_default(),
        }
    }

    /// A variable that is set and not empty.
    #[must_use]
    pub fn nonempty_variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether this process may become another user.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.uid == 0
    }

    /// The name of this process's user.
    pub(crate) fn user_name(&self) -> Option<&str> {
        users_in_passwd(&self.passwd)
            .find(|user| user.uid == self.uid)
            .map(|user| user.name)
            .or_else(|| self.nonempty_variable("USER"))
    }

    /// What a connection string is resolved against.
    #[must_use]
    pub fn conninfo_surroundings(&self) -> ConninfoSurroundings<'_> {
        let debian = Path::new("/var/run/postgresql");
        ConninfoSurroundings {
            variables: &self.variables,
            os_user: self.user_name(),
            read: &read_file,
            socket_directory: if debian.is_dir() { debian } else { Path::new("/tmp") },
        }
    }
}

/// Without the variables, which may hold passwords.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variables: _, executable, uid, passwd: _ } = self;
        f.debug_struct("Environment").field("executable", executable).field("uid", uid).finish_non_exhaustive()
    }
}

/// Reads a text file, as connections are resolved with it.
///
/// # Errors
/// It cannot be read.
pub fn read_file(path: &Path) -> io::Result<File> {
    Ok(File { mode: fs::metadata(path)?.permissions().mode() & 0o777, text: fs::read_to_string(path)? })
}

/// One user of the user database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct User<'a> {
    pub(crate) name: &'a str,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// The users of a text in the format of `passwd(5)`.
pub(crate) fn users_in_passwd(passwd: &str) -> impl Iterator<Item = User<'_>> {
    passwd.lines().filter_map(|line| {
        let mut fields = line.split(':');
        let (name, _password) = (fields.next()?, fields.next()?);
        Some(User { name, uid: fields.next()?.parse().ok()?, gid: fields.next()?.parse().ok()? })
    })
}
