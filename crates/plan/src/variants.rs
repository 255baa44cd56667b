//! A target and its variants → targets of their own: the target itself,
//! then each variant with all that it does not vary.
//!
//! The resolved plan has the targets; that they were variants stands in their names, `target/variant`.

use std::path::PathBuf;

use super::cache::Cache;
use super::error::PlanFinding;
use super::kubernetes::InKubernetes;
use super::language::{
    At, Form, HasName, Identifier, List, MappingFields, NamedValues, PlanReadingFindings, SettingsByName, TextForm,
    ValueDescription, Yaml, record,
};
use super::target::{Initdb, Machine, Reach, Target};
use super::units::WalSegmentSize;

record! {
    /// One PostgreSQL to measure: an existing server (`url`), a new one on this machine (`local`), one in Kubernetes
    /// (`kubernetes`), or the server of another target (`shared`).
    struct Varied = "a target", check = Self::can_be_varied {
        /// The target itself.
        keys target: Target,
        /// Variants of this target, by name. Each becomes a separate target `target/variant` with its own server. What
        /// a variant changes may differ without being listed in `may_differ`.
        key variants: Vec<Variant> as NamedValues<Variant> = Absent("none"),
    }
}

record! {
    /// A variant of a target.
    struct Variant = "a variant" {
        /// What it is called behind the target's name.
        name name: String,
        /// PostgreSQL settings, added to those of the target or replacing them.
        key settings: SettingsByName = Default("{}"),
        /// Options of initdb, replacing those of the target.
        key initdb: InitdbChanges = Default("{}"),
        /// What is changed of this machine in place of what the target changes.
        keys machine: Machine,
        /// State of the caches at the start of a trial of this target. Has precedence over the `cache` of the workload.
        key cache: Option<Cache> = Absent("the `cache` of the workload"),
        /// Which loads of the plan's `beside` run beside the trials of this variant, by name; `[]` for none.
        key beside: Option<Vec<String>> as Option<List<TextForm, 0, Vec<String>>> = Absent("those of the target"),
    }
}

record! {
    /// Options of initdb of a variant.
    struct InitdbChanges = "initdb of a variant" {
        /// Size of a WAL segment: a power of two from `1MB` to `1GB`. initdb derives `min_wal_size` and `max_wal_size`
        /// from it. Set both for the target, or they differ, too.
        key wal_segment_size: Option<WalSegmentSize> = Absent("the target's"),
        /// Checksums on data pages.
        key data_checksums: Option<bool> = Absent("the target's"),
        /// Locale of the cluster.
        key locale: Option<String> as Option<Identifier> = Absent("the target's"),
        /// Encoding of the cluster's databases.
        key encoding: Option<String> as Option<Identifier> = Absent("the target's"),
    }
}

impl HasName for Varied {
    fn name(&self) -> &str {
        &self.target.name
    }
}

impl HasName for Variant {
    fn name(&self) -> &str {
        &self.name
    }
}

/// The targets of a plan, the variants among them.
pub(super) struct Targets;

/// As the file has them: a name may be that of a variant.
type WrittenVariants = NamedValues<Varied, 2>;

impl Form for Targets {
    type Value = Vec<Target>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Vec<Target>> {
        Some(WrittenVariants::read_value(findings, at)?.into_iter().flat_map(Varied::into_targets).collect())
    }

    fn write_value(value: &Vec<Target>) -> Yaml {
        NamedValues::<Target, 2>::write_value(value)
    }

    fn describe_form() -> ValueDescription {
        WrittenVariants::describe_form()
    }

    fn value_when_absent() -> Option<Vec<Target>> {
        Some(Vec::new())
    }
}

impl Varied {
    /// The target and its variants, in the order of the file.
    fn into_targets(self) -> impl Iterator<Item = Target> {
        let Self { target, variants } = self;
        let varied: Vec<Target> = variants.into_iter().map(|variant| variant.apply_to_target(&target)).collect();
        std::iter::once(target).chain(varied)
    }

    /// A variant has a server of its own, which is made for it, and no variants.
    fn can_be_varied(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        let Some(entry) = fields.entry_of_key("variants") else { return };
        let name = &self.target.name;
        let mut refuse = |message: &str, hint: &str| {
            let message = format!("target \"{name}\": {message}");
            findings.push(PlanFinding::new(entry.key_span, message).hint(hint).mark_as_read());
        };
        if name.contains('/') {
            refuse("a variant has no variants", "give the target a name without \"/\"");
        }
        match self.target.reach {
            Reach::Local(_) => {}
            Reach::Shared(_) => {
                refuse(
                    "variants require their own server",
                    "move it to the target that owns the server, or use `local`",
                );
            }
            Reach::Url(_) | Reach::Kubernetes(_) => {
                for Variant { name: variant, .. } in &self.variants {
                    let Some(initdb) = entry.node.get(variant).and_then(|entry| entry.node.get("initdb")) else {
                        continue;
                    };
                    let message = format!("target \"{name}/{variant}\": initdb requires a server that pgdyno creates");
                    let finding = PlanFinding::new(initdb.key_span, message).mark_as_read();
                    findings.push(
                        finding
                            .detail("an existing server has its database cluster already")
                            .hint("use `local`, or remove the key"),
                    );
                }
            }
        }
    }
}

impl Variant {
    fn apply_to_target(self, target: &Target) -> Target {
        let mut varied = target.clone();
        varied.name = format!("{}/{}", target.name, self.name);
        match &mut varied.reach {
            Reach::Local(local) => {
                // Of a setting that is varied, the variant's value is the only one.
                local
                    .settings
                    .retain(|name, _| !self.settings.keys().any(|setting| setting.eq_ignore_ascii_case(name)));
                self.initdb.apply_to_initdb(&mut local.initdb);
                if let Some(directory) = &mut local.data_directory {
                    let mut of_variant = std::mem::take(directory).into_os_string();
                    of_variant.push(format!("-{}", self.name));
                    *directory = PathBuf::from(of_variant);
                }
            }
            Reach::Kubernetes(kubernetes) => {
                if let InKubernetes::Create(made) = &mut kubernetes.server {
                    let parameters = &mut made.server_mut().parameters;
                    parameters
                        .retain(|name, _| !self.settings.keys().any(|setting| setting.eq_ignore_ascii_case(name)));
                }
            }
            // What a server that was found has of these is refused, and a shared one has no variants.
            Reach::Url(_) | Reach::Shared(_) => {}
        }
        replace_settings(&mut varied.settings, self.settings);
        replace_settings(&mut varied.machine.sysctl, self.machine.sysctl);
        varied.machine.filesystem = self.machine.filesystem.or(varied.machine.filesystem);
        varied.machine.limits = self.machine.limits.or(varied.machine.limits);
        varied.machine.huge_pages = self.machine.huge_pages.or(varied.machine.huge_pages);
        varied.cache = self.cache.or(varied.cache);
        varied.beside = self.beside.or(varied.beside);
        varied
    }
}

impl InitdbChanges {
    fn apply_to_initdb(self, initdb: &mut Initdb) {
        initdb.wal_segment_size = self.wal_segment_size.unwrap_or(initdb.wal_segment_size);
        initdb.data_checksums = self.data_checksums.or(initdb.data_checksums);
        initdb.locale = self.locale.unwrap_or_else(|| initdb.locale.clone());
        initdb.encoding = self.encoding.unwrap_or_else(|| initdb.encoding.clone());
    }
}

/// Adds settings in place of those of the same name, whatever their case.
fn replace_settings(settings: &mut SettingsByName, changes: SettingsByName) {
    settings.retain(|name, _| !changes.keys().any(|change| change.eq_ignore_ascii_case(name)));
    settings.extend(changes);
}
