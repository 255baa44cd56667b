//! PostgreSQL as data: the major versions that pgdyno measures, and of each of them its settings, its wait events and
//! the columns of its statistics views. The files of `data` are what servers of these versions say of themselves;
//! `tests/versions.rs` writes them. What no server says is in `wait-resources.tsv` and `hidden-words.tsv`.
//!
//! Pure data: no files, no sockets, no clock. What an extension or a fork adds is not known here.

mod columns;
mod rows;
mod settings;
mod settings_between;
mod version;
mod waits;

pub use columns::first_version_with_column;
pub use settings::{CatalogSetting, all_settings, setting_group, settings_with_changed_default};
pub use settings_between::{SettingBetweenVersions, SettingChange, settings_changed_between};
pub use version::{MajorVersion, NEWEST_MAJOR, OLDEST_MAJOR, VERSIONS, version_with_number};
pub use waits::{WaitResource, common_wait_name, wait_event_meaning, wait_resource};
