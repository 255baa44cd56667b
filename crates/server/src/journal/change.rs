//! One change of a machine: how it is made, and how it is undone without touching what is somebody else's by now.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use cluster::Removed;
use rustix::fs::FallocateFlags;
use serde::{Deserialize, Serialize};

use super::block_device;
use super::error::JournalError;
use super::kernel_value;
use super::reversal::Reversal;
use crate::changed_by_agent::ServerSettings;
use crate::host_access::{self, Carrier};
use crate::remains::{Cleared, Remains};
use crate::undo_in_kubernetes::{self, StoppedNode};

/// A change of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineChange {
    /// A value of the kernel in a file of /proc/sys or /sys.
    KernelValue {
        /// The file.
        path: PathBuf,
        /// What it said, to be written again.
        before: String,
        /// What is written; the file may show it in another form.
        set: String,
        /// Another value that the kernel clears when this one is written, with what it said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        twin: Option<(PathBuf, String)>,
    },
    /// A file of this size, in bytes, all of it taken from the disk, that no file was before.
    File {
        /// Where.
        path: PathBuf,
        /// Its size.
        size_bytes: u64,
    },
    /// A directory that is empty at its end; also a control group.
    Directory {
        /// Where.
        path: PathBuf,
    },
    /// A block device whose content is a file.
    LoopDevice {
        /// The file.
        image: PathBuf,
    },
    /// The file system in an image, mounted through its loop device.
    Mount {
        /// Where.
        point: PathBuf,
        /// The file that the loop device shows.
        image: PathBuf,
    },
    /// A server, which is made by the owner of the journal and cleared away with all that it left.
    Server(Remains),
    /// A server in Kubernetes, or a volume to be measured, which is made by the owner of the journal.
    InKubernetes(cluster::CreatedServer),
    /// The settings of a cluster in Kubernetes, which the owner of the journal changes.
    SettingsInKubernetes(cluster::ChangedCluster),
    /// The settings of a whole server of this machine that was found, which are changed by its owner's word.
    ServerSettings(ServerSettings),
    /// What an agent changes on its host, where it is written down, too.
    Elsewhere(Carrier),
    /// A node of a Kubernetes cluster, which the owner of the journal keeps from new pods.
    NodeCordoned(cluster::Cordoned),
    /// A node of a Kubernetes cluster, which the owner of the journal has a command take away.
    NodeStopped(StoppedNode),
}

impl fmt::Display for MachineChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KernelValue { path, before, set, .. } => {
                write!(f, "{} = {} (before: {})", kernel_value::name_of_value(path), one_line(set), one_line(before))
            }
            Self::File { path, .. } => write!(f, "file {}", path.display()),
            Self::Directory { path } => write!(f, "directory {}", path.display()),
            Self::LoopDevice { image } => write!(f, "loop device on {}", image.display()),
            Self::Mount { point, .. } => write!(f, "mount {}", point.display()),
            Self::InKubernetes(made) => {
                write!(f, "{} {} in Kubernetes, namespace {}", made.kind_word(), made.label.1, made.namespace)
            }
            Self::SettingsInKubernetes(changed) => {
                write!(f, "settings of the cluster {} in Kubernetes, namespace {}", changed.cluster, changed.namespace)
            }
            Self::NodeCordoned(cordoned) => write!(f, "node {} cordoned in Kubernetes", cordoned.node),
            Self::NodeStopped(stopped) => write!(f, "node {} stopped by a command", stopped.node),
            Self::Server(remains) => write!(f, "server in {}", remains.data_directory.display()),
            Self::ServerSettings(settings) => f.write_str(&settings.in_words()),
            Self::Elsewhere(carrier) => write!(f, "changes by an agent on {}", carrier.in_words()),
        }
    }
}

/// Fields that tabs separate, as some values of the kernel have them, separated by spaces.
fn one_line(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl MachineChange {
    /// Writing a value of the kernel: reads the value of before.
    ///
    /// # Errors
    /// There is no such value, or it may not be read.
    pub fn kernel_value(path: &Path, set: &str) -> Result<Self, JournalError> {
        let before = kernel_value::read_value(path).map_err(JournalError::system_call_failed("read", path))?;
        let twin = match kernel_value::twin_value_path(path) {
            Some(twin) => Some((
                twin.clone(),
                kernel_value::read_value(&twin).map_err(JournalError::system_call_failed("read", &twin))?,
            )),
            None => None,
        };
        Ok(Self::KernelValue { path: path.to_owned(), before, set: set.to_owned(), twin })
    }

    /// Writing a sysctl by its name with dots, as sysctl(8) takes it.
    ///
    /// # Errors
    /// The kernel has no such value, or it may not be read.
    pub fn sysctl_by_name(name: &str, set: &str) -> Result<Self, JournalError> {
        Self::kernel_value(&kernel_value::path_of(name), set)
    }

    /// Refuses to make what is there already.
    pub(super) fn check_not_made(&self) -> Result<(), JournalError> {
        let path = match self {
            Self::File { path, .. } | Self::Directory { path } => path,
            Self::KernelValue { .. }
            | Self::LoopDevice { .. }
            | Self::Mount { .. }
            | Self::Server(_)
            | Self::InKubernetes(_)
            | Self::SettingsInKubernetes(_)
            | Self::ServerSettings(_)
            | Self::Elsewhere(_)
            | Self::NodeCordoned(_)
            | Self::NodeStopped(_) => return Ok(()),
        };
        let there = fs::symlink_metadata(path).is_ok();
        if there { Err(JournalError::system_call_failed("create", path)("it already exists")) } else { Ok(()) }
    }

    /// Makes it, and reads back what can be read back; when it fails, nothing of it is left.
    pub(super) fn make_change(&self) -> Result<(), JournalError> {
        match self {
            Self::KernelValue { path, before, set, twin } => kernel_value::write_value(path, set).inspect_err(|_| {
                // What the kernel made of it must not stay; the error that is told is the first.
                let _ = kernel_value::put_back(path, before, twin.as_ref());
            }),
            Self::File { path, size_bytes } => {
                let file = OpenOptions::new().write(true).create_new(true).open(path);
                let file = file.map_err(JournalError::system_call_failed("create", path))?;
                let room = rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, *size_bytes);
                room.map_err(io::Error::from).map_err(|error| {
                    // The error that is told is the first.
                    let _ = fs::remove_file(path);
                    JournalError::system_call_failed("allocate space for", path)(error)
                })
            }
            Self::Directory { path } => fs::create_dir(path).map_err(JournalError::system_call_failed("create", path)),
            Self::LoopDevice { image } => block_device::attach_loop_device(image),
            Self::Mount { point, image } => block_device::mount_image(image, point),
            Self::Server(_)
            | Self::InKubernetes(_)
            | Self::SettingsInKubernetes(_)
            | Self::ServerSettings(_)
            | Self::Elsewhere(_)
            | Self::NodeCordoned(_)
            | Self::NodeStopped(_) => Ok(()),
        }
    }

    /// Undoes it, as far as it is made and still as it was made.
    pub(super) fn undo_change(&self) -> Result<Reversal, JournalError> {
        match self {
            Self::KernelValue { path, before, set, twin } => {
                kernel_value::restore_value(path, before, set, twin.as_ref())
            }
            Self::File { path, .. } => reversal_of_removal(path, fs::remove_file(path)),
            Self::Directory { path } => match remove_empty_directory(path) {
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                    Ok(Reversal::LeftAlone { found: "it contains files".to_owned() })
                }
                result => reversal_of_removal(path, result),
            },
            Self::LoopDevice { image } => block_device::detach_loop_devices(image),
            Self::Mount { point, image } => block_device::unmount_image(image, point),
            Self::InKubernetes(made) => self.in_kubernetes(undo_in_kubernetes::remove_made(made)),
            Self::SettingsInKubernetes(changed) => self.in_kubernetes(undo_in_kubernetes::put_settings_back(changed)),
            Self::ServerSettings(settings) => settings.undo_settings(),
            Self::Elsewhere(carrier) => host_access::restore_there(carrier)
                .map_err(|said| JournalError::Elsewhere { place: carrier.in_words(), said }),
            Self::NodeCordoned(cordoned) => self.in_kubernetes(undo_in_kubernetes::uncordon_node(cordoned)),
            Self::NodeStopped(stopped) => self.in_kubernetes(undo_in_kubernetes::bring_node_back(stopped)),
            Self::Server(remains) => match remains.clear_remains() {
                Ok(Cleared::Removed) => Ok(Reversal::Restored),
                Ok(Cleared::Nothing) => Ok(Reversal::NothingLeft),
                Ok(Cleared::LeftAlone(found)) => Ok(Reversal::LeftAlone { found }),
                Err(error) => Err(JournalError::system_call_failed("clean up", &remains.data_directory)(error)),
            },
        }
    }

    fn in_kubernetes(&self, removed: Result<Removed, String>) -> Result<Reversal, JournalError> {
        match removed {
            Ok(Removed::Gone) => Ok(Reversal::Restored),
            Ok(Removed::Nothing) => Ok(Reversal::NothingLeft),
            Ok(Removed::LeftAlone(found)) => Ok(Reversal::LeftAlone { found }),
            Err(said) => Err(JournalError::InKubernetes { change: self.to_string(), said }),
        }
    }

    /// Whether later changes may rest on it: a mount on its loop device, that on its image, and that on its directory.
    pub(super) fn may_bear_others(&self) -> bool {
        match self {
            Self::File { .. } | Self::Directory { .. } | Self::LoopDevice { .. } | Self::Mount { .. } => true,
            // Its data may lie on a mount of another journal, which is undone after this one.
            Self::KernelValue { .. }
            | Self::Server(_)
            | Self::InKubernetes(_)
            | Self::SettingsInKubernetes(_)
            | Self::ServerSettings(_)
            | Self::Elsewhere(_)
            | Self::NodeCordoned(_)
            | Self::NodeStopped(_) => false,
        }
    }

    /// Whether it ends with the kernel that it was made under.
    pub(super) fn ends_with_the_kernel(&self) -> bool {
        match self {
            Self::KernelValue { .. } | Self::LoopDevice { .. } | Self::Mount { .. } => true,
            Self::File { .. }
            | Self::Directory { .. }
            | Self::Server(_)
            | Self::InKubernetes(_)
            | Self::SettingsInKubernetes(_)
            | Self::ServerSettings(_)
            | Self::Elsewhere(_)
            | Self::NodeCordoned(_)
            | Self::NodeStopped(_) => false,
        }
    }
}

/// How often a control group whose last processes are ending is tried again, for 10 s.
const ATTEMPTS: usize = 200;

/// Removes a directory; a control group once its processes have ended.
fn remove_empty_directory(path: &Path) -> io::Result<()> {
    let mut removed = fs::remove_dir(path);
    for _ in 0..ATTEMPTS {
        match &removed {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(Duration::from_millis(50)),
            Ok(()) | Err(_) => break,
        }
        removed = fs::remove_dir(path);
    }
    removed
}

fn reversal_of_removal(path: &Path, result: io::Result<()>) -> Result<Reversal, JournalError> {
    match result {
        Ok(()) => Ok(Reversal::Restored),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Reversal::NothingLeft),
        Err(error) => Err(JournalError::system_call_failed("remove", path)(error)),
    }
}
