//! A target and its variants → targets of their own: the target itself,
//! then each variant with all that it does not vary.
//!
//! Pure. The resolved plan has the targets; that they were variants stands in their names, `target/variant`.

use std::path::PathBuf;

use super::model::{Cache, Filesystem, Initdb, Reach, Settings, Target};
use super::units::WalSegmentSize;

/// What a variant has otherwise.
#[derive(Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) knobs: Settings,
    pub(super) initdb: InitdbChanges,
    pub(super) filesystem: Option<Filesystem>,
    pub(super) huge_pages: Option<bool>,
    pub(super) sysctl: Settings,
    pub(super) cache: Option<Cache>,
}

/// Options of initdb that are not the target's.
#[derive(Debug)]
pub(super) struct InitdbChanges {
    pub(super) wal_segment_size: Option<WalSegmentSize>,
    pub(super) data_checksums: Option<bool>,
    pub(super) locale: Option<String>,
    pub(super) encoding: Option<String>,
}

/// The name of a variant as a target.
pub(super) fn name_of(target: &str, variant: &str) -> String {
    format!("{target}/{variant}")
}

/// The data directory of a variant, from that of its target.
pub(super) fn data_directory(mut of_target: PathBuf, variant: &str) -> PathBuf {
    of_target.as_mut_os_string().push(format!("-{variant}"));
    of_target
}

/// The target and its variants, in the order of the file.
pub(super) fn expand(target: Target, variants: Vec<Variant>) -> Vec<Target> {
    let varied: Vec<Target> = variants.into_iter().map(|variant| variant.of(&target)).collect();
    std::iter::once(target).chain(varied).collect()
}

impl Variant {
    fn of(self, target: &Target) -> Target {
        let mut varied = target.clone();
        varied.name = name_of(&target.name, &self.name);
        if let Reach::Local(local) = &mut varied.reach {
            // Of a setting that is varied, the variant's value is the only one.
            local.settings.retain(|name, _| !self.knobs.keys().any(|knob| knob.eq_ignore_ascii_case(name)));
            self.initdb.apply(&mut local.initdb);
            if let Some(directory) = &mut local.data_directory {
                *directory = data_directory(std::mem::take(directory), &self.name);
            }
        }
        replace(&mut varied.knobs, self.knobs);
        replace(&mut varied.machine.sysctl, self.sysctl);
        varied.machine.filesystem = self.filesystem.or(varied.machine.filesystem);
        varied.machine.huge_pages = self.huge_pages.or(varied.machine.huge_pages);
        varied.cache = self.cache.or(varied.cache);
        varied
    }
}

impl InitdbChanges {
    fn apply(self, initdb: &mut Initdb) {
        initdb.wal_segment_size = self.wal_segment_size.unwrap_or(initdb.wal_segment_size);
        initdb.data_checksums = self.data_checksums.or(initdb.data_checksums);
        initdb.locale = self.locale.unwrap_or_else(|| initdb.locale.clone());
        initdb.encoding = self.encoding.unwrap_or_else(|| initdb.encoding.clone());
    }
}

/// Adds settings in place of those of the same name, whatever their case.
fn replace(settings: &mut Settings, changes: Settings) {
    settings.retain(|name, _| !changes.keys().any(|change| change.eq_ignore_ascii_case(name)));
    settings.extend(changes);
}
