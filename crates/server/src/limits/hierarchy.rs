//! Where the control groups of a machine are: the hierarchy of each controller, in version 1 or 2 of the interface.

use std::fs;
use std::path::{Path, PathBuf};

use super::limit_error::LimitError;

/// The hierarchies of one machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Hierarchies {
    /// Controllers of version 1, each with its mount point.
    version_1: Vec<(String, PathBuf)>,
    /// Version 2: its mount point, and the controllers that groups right below its root have.
    version_2: Option<(PathBuf, Vec<String>)>,
    /// The memory nodes of the machine, as the root of cpuset shows them.
    pub(super) memory_nodes: String,
    /// The CPUs of the machine, as the root of cpuset shows them.
    pub(super) all_cpus: String,
}

/// Where a controller is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ControllerPlace {
    /// In a hierarchy of its own.
    Version1(PathBuf),
    /// In the one of all.
    Version2(PathBuf),
}

impl Hierarchies {
    /// Reads those of the machine whose file system has this root.
    pub(super) fn read_from(root: &Path) -> Result<Self, LimitError> {
        let path = root.join("proc/self/mountinfo");
        let mounts =
            fs::read_to_string(&path).map_err(|error| LimitError::Failed(format!("{}: {error}", path.display())))?;
        let mut found = Self { memory_nodes: "0".to_owned(), all_cpus: "0".to_owned(), ..Self::default() };
        for line in mounts.lines() {
            let Some((before, after)) = line.split_once(" - ") else { continue };
            let Some(point) = before.split(' ').nth(4) else { continue };
            let mut after = after.split(' ');
            let (filesystem, options) = (after.next(), after.nth(1).unwrap_or_default());
            match filesystem {
                Some("cgroup") => {
                    let controllers = options.split(',').filter(|option| CONTROLLERS.contains(option));
                    found.version_1.extend(controllers.map(|name| (name.to_owned(), PathBuf::from(point))));
                }
                Some("cgroup2") => {
                    let file = path_below_root(root, Path::new(point)).join("cgroup.subtree_control");
                    let text = fs::read_to_string(file).unwrap_or_default();
                    let controllers = text.split_whitespace().map(str::to_owned).collect();
                    found.version_2 = Some((PathBuf::from(point), controllers));
                }
                Some(_) | None => {}
            }
        }
        let cpuset = found.version_1.iter().find(|(name, _)| name == "cpuset").map(|(_, point)| point.clone());
        if let Some(point) = cpuset {
            let point = path_below_root(root, &point);
            if let Ok(nodes) = fs::read_to_string(point.join("cpuset.mems")) {
                found.memory_nodes = nodes.trim().to_owned();
            }
            if let Ok(cpus) = fs::read_to_string(point.join("cpuset.cpus")) {
                found.all_cpus = cpus.trim().to_owned();
            }
        }
        Ok(found)
    }

    /// Where the controller for a key of the plan is; `names` are what versions 1 and 2 call it.
    pub(super) fn place_of_controller(
        &self,
        key: &'static str,
        [version_1, version_2]: [&str; 2],
    ) -> Result<ControllerPlace, LimitError> {
        if let Some((_, point)) = self.version_1.iter().find(|(name, _)| name == version_1) {
            return Ok(ControllerPlace::Version1(point.clone()));
        }
        let Some((point, enabled)) = &self.version_2 else {
            let why = format!("no control group hierarchy with {version_1} is mounted");
            let hint = "run pgdyno outside a container, or remove the limit".to_owned();
            return Err(LimitError::Impossible { key, why, hint });
        };
        if enabled.iter().any(|name| name == version_2) {
            return Ok(ControllerPlace::Version2(point.clone()));
        }
        let file = point.join("cgroup.subtree_control");
        Err(LimitError::Impossible {
            key,
            why: format!("the controller {version_2} is not enabled in {}", file.display()),
            hint: format!("as root: echo +{version_2} > {}", file.display()),
        })
    }
}

/// The controllers of version 1 that limit something.
const CONTROLLERS: [&str; 4] = ["cpu", "cpuset", "memory", "blkio"];

fn path_below_root(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}
