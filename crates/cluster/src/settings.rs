//! Settings and the image of a CloudNativePG cluster that was there: changed through its `Cluster`, whose operator
//! rolls them out, and put back.
//!
//! What a setting was before stands in an annotation of the `Cluster`, which the patch that changes it writes, too. So
//! whoever puts it back needs no other memory, and putting back twice is putting back once.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Pod;
use kube::ResourceExt as _;
use kube::api::{Patch, PatchParams};
use kube::core::DynamicObject;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::api::Api;
use crate::cnpg::{self, CLUSTER, CnpgCluster};
use crate::error::ClusterError;
use crate::make::{FIELD_MANAGER, Removed};
use crate::pods::{self, POD};

/// Where a `Cluster` keeps what its settings were.
const NOTE: &str = "pgdyno/settings-before";

/// The image, among the settings of a cluster: no setting of PostgreSQL has this name.
const IMAGE: &str = "imageName of the Cluster";

/// How often a patch is tried for which somebody else was faster: the operator writes the status of its clusters often.
const TRIES: u32 = 10;

/// Settings by name, and the image by [`IMAGE`].
type ClusterSettings = BTreeMap<String, String>;

/// A cluster whose settings are changed, and where: enough to put them back from another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedCluster {
    /// The kubeconfigs by which the API server was found, as `KUBECONFIG` had them; none: where kubectl looks.
    pub kubeconfig: Option<String>,
    /// The context; none: the current one, or the cluster that this runs in.
    pub context: Option<String>,
    /// The namespace.
    pub namespace: String,
    /// The name of the cluster.
    pub cluster: String,
    /// Who changes it, in words that no other process has.
    pub by: String,
}

/// What a cluster is updated to, by an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// Another image.
    Image(String),
    /// Other settings of PostgreSQL.
    Settings(BTreeMap<String, String>),
}

/// What the annotation says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    by: String,
    settings: BTreeMap<String, OfSetting>,
}

/// A setting that is changed; where it was or is not given, PostgreSQL or the operator decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OfSetting {
    before: Option<String>,
    /// What the server worked with before.
    shown: Option<String>,
    set: Option<String>,
}

/// Parameters to patch; none removes one.
type ParameterPatch = BTreeMap<String, Option<String>>;

impl Api {
    /// Gives a cluster these settings in place of what was given before by the same; `shown` is what the server works
    /// with now. Tells what it works with once the operator has rolled that out, which is yet to come.
    ///
    /// # Errors
    /// Somebody else is changing its settings, the API server or the operator refuses them, or a right is missing.
    pub async fn give_settings(
        &self,
        cluster: &str,
        settings: &ClusterSettings,
        shown: &ClusterSettings,
        by: &str,
    ) -> Result<ClusterSettings, ClusterError> {
        let note = |parameters: &ClusterSettings, before| note_given_settings(parameters, before, settings, shown, by);
        self.change_settings(cluster, by, note).await.map(|note| note.in_force())
    }

    /// Updates a cluster, or puts back what this update has changed before; `shown` is what the server works with now.
    pub(crate) async fn update_or_put_back(
        &self,
        cluster: &str,
        to: &Update,
        shown: &ClusterSettings,
        by: &str,
    ) -> Result<(), ClusterError> {
        let to = to.as_settings();
        self.change_settings(cluster, by, |parameters: &ClusterSettings, before| {
            note_toggled_settings(parameters, before, &to, shown, by)
        })
        .await
        .map(drop)
    }

    /// Changes a cluster to what is to be noted of it, given its settings and what was noted before.
    async fn change_settings(
        &self,
        cluster: &str,
        by: &str,
        to_note: impl Fn(&ClusterSettings, Option<Note>) -> Note,
    ) -> Result<Note, ClusterError> {
        for _ in 0..TRIES {
            let (object, parameters, before) = self.settings_of(cluster, by).await?;
            let note = to_note(&parameters, before);
            let patch = patch_to_noted_settings(&parameters, &note);
            if patch.is_empty() || self.patch_settings(&object, &patch, Some(&note)).await? {
                return Ok(note);
            }
        }
        Err(out_of_tries(cluster))
    }

    /// Whether all instances of a cluster run its image, and it is healthy.
    ///
    /// # Errors
    /// It or its pods cannot be read.
    pub async fn is_rolled_out(&self, name: &str) -> Result<bool, ClusterError> {
        let cluster = self.get_cnpg_cluster(name).await?;
        let pods: Vec<Pod> = self.list_objects(POD, &cnpg::of_cluster(name)).await?;
        let image = &cluster.spec.image_name;
        Ok(cluster.primary_pod_name(name).is_ok()
            && pods.iter().all(|pod| {
                image.is_none() || pods::postgres_container(pod).is_some_and(|container| container.image == *image)
            }))
    }

    /// Whether a cluster has these settings, and of what was changed before nothing else.
    ///
    /// # Errors
    /// As [`Api::give_settings`].
    pub async fn has_settings(
        &self,
        cluster: &str,
        settings: &ClusterSettings,
        by: &str,
    ) -> Result<bool, ClusterError> {
        let (_, parameters, note) = self.settings_of(cluster, by).await?;
        Ok(patch_to_noted_settings(
            &parameters,
            &note_given_settings(&parameters, note, settings, &ClusterSettings::new(), by),
        )
        .is_empty())
    }

    /// What a server works with once what this process has changed of its cluster's settings is put back and rolled
    /// out; nothing of a cluster that is gone, or that is another run's by now.
    ///
    /// # Errors
    /// The API server is away, or a right is missing: that nothing is to be waited for is not known then.
    pub async fn settings_before(&self, cluster: &str, by: &str) -> Result<ClusterSettings, ClusterError> {
        let (_, parameters, note) = match self.settings_of(cluster, by).await {
            Err(error) if is_out_of_reach(&error) => return Ok(ClusterSettings::new()),
            found => found?,
        };
        Ok(note.map(|note| note.in_force_before(&patch_to_previous_settings(&parameters, &note).0)).unwrap_or_default())
    }

    /// Puts the settings of a cluster back. The operator has yet to roll that out.
    ///
    /// # Errors
    /// The API server is away, or a right is missing.
    pub async fn put_settings_back(&self, changed: &ChangedCluster) -> Result<Removed, ClusterError> {
        for _ in 0..TRIES {
            let (object, parameters, note) = match self.settings_of(&changed.cluster, &changed.by).await {
                Err(error) if is_out_of_reach(&error) => return Ok(Removed::Nothing),
                found => found?,
            };
            let Some(note) = note else { return Ok(Removed::Nothing) };
            let (patch, others) = patch_to_previous_settings(&parameters, &note);
            if self.patch_settings(&object, &patch, None).await? {
                return Ok(if others.is_empty() { Removed::Gone } else { Removed::LeftAlone(others.join(", ")) });
            }
        }
        Err(out_of_tries(&changed.cluster))
    }

    /// A cluster with its settings, and what is noted of them by this process.
    async fn settings_of(
        &self,
        name: &str,
        by: &str,
    ) -> Result<(DynamicObject, ClusterSettings, Option<Note>), ClusterError> {
        let object = self.get_custom(&cnpg::api_resource_of_kind(CLUSTER), CLUSTER, name).await?;
        let cluster: CnpgCluster = cnpg::deserialize_object(&object, CLUSTER)?;
        let note = object.annotations().get(NOTE).map(|text| serde_json::from_str(text)).transpose();
        let note: Option<Note> = note.map_err(|error| ClusterError::Failed {
            verb: "read",
            what: format!("the annotation {NOTE} of the {} {name}", CLUSTER.word),
            said: error.to_string(),
        })?;
        match note {
            Some(note) if note.by != by => Err(ClusterError::Busy { cluster: name.to_owned(), by: note.by }),
            note => {
                let image = cluster.spec.image_name.map(|image| (IMAGE.to_owned(), image));
                Ok((object, cluster.spec.postgresql.parameters.into_iter().chain(image).collect(), note))
            }
        }
    }

    /// Whether nobody else has changed the object since it was read.
    async fn patch_settings(
        &self,
        object: &DynamicObject,
        parameters: &ParameterPatch,
        note: Option<&Note>,
    ) -> Result<bool, ClusterError> {
        let note = note.map(|note| serde_json::to_string(note).expect("texts only"));
        let (image, parameters): (ParameterPatch, ParameterPatch) =
            parameters.clone().into_iter().partition(|(name, _)| name == IMAGE);
        let mut patch = json!({
            "metadata": { "resourceVersion": object.resource_version(), "annotations": { NOTE: note } },
            "spec": { "postgresql": { "parameters": parameters } },
        });
        if let Some(image) = image.get(IMAGE) {
            patch["spec"]["imageName"] = json!(image);
        }
        let clusters: kube::Api<DynamicObject> = kube::Api::namespaced_with(
            self.client.clone(),
            self.namespace_name(),
            &cnpg::api_resource_of_kind(CLUSTER),
        );
        let by = PatchParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() };
        match clusters.patch(&object.name_any(), &by, &Patch::Merge(&patch)).await {
            Ok(_) => Ok(true),
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(false),
            Err(error) => Err(self.in_words("patch", CLUSTER, &error)),
        }
    }
}

/// What is the matter with a cluster, and whose run changes its settings meanwhile.
pub(crate) fn with_who_changes(cluster: &DynamicObject, mut unfit: ClusterError) -> ClusterError {
    let note = cluster.annotations().get(NOTE).and_then(|text| serde_json::from_str::<Note>(text).ok());
    if let (ClusterError::Unhealthy { said, .. }, Some(note)) = (&mut unfit, note) {
        *said += &format!("; its settings are changed by pgdyno on {}", note.by);
    }
    unfit
}

fn out_of_tries(cluster: &str) -> ClusterError {
    let said = format!("another client changed it at the same time, {TRIES} times");
    ClusterError::Failed { verb: "patch", what: format!("the {} {cluster}", CLUSTER.word), said }
}

impl Update {
    fn as_settings(&self) -> ClusterSettings {
        match self {
            Self::Image(image) => ClusterSettings::from([(IMAGE.to_owned(), image.clone())]),
            Self::Settings(given) => given.iter().map(|(name, value)| (name.to_lowercase(), value.clone())).collect(),
        }
    }
}

impl Note {
    /// Of nothing yet.
    fn without_settings(by: &str) -> Self {
        Self { by: by.to_owned(), settings: BTreeMap::new() }
    }

    /// What is noted of a setting; the first time what it is.
    fn note_of_setting(&mut self, name: &str, parameters: &ClusterSettings, shown: &ClusterSettings) -> &mut OfSetting {
        self.settings.entry(name.to_owned()).or_insert_with(|| OfSetting {
            before: parameters.get(name).cloned(),
            shown: shown.get(name).cloned(),
            set: None,
        })
    }

    /// What the server works with.
    fn in_force(&self) -> ClusterSettings {
        self.settings
            .iter()
            .filter_map(|(name, of)| Some((name.clone(), of.set.clone().or(of.shown.clone())?)))
            .collect()
    }

    /// What it worked with of these before they were changed.
    fn in_force_before(&self, of: &ParameterPatch) -> ClusterSettings {
        of.keys().filter_map(|name| Some((name.clone(), self.settings[name].shown.clone()?))).collect()
    }
}

/// What is noted when a cluster is given these settings, and all others that were changed are as they were.
fn note_given_settings(
    parameters: &ClusterSettings,
    note: Option<Note>,
    settings: &ClusterSettings,
    shown: &ClusterSettings,
    by: &str,
) -> Note {
    let mut note = note.unwrap_or_else(|| Note::without_settings(by));
    for of in note.settings.values_mut() {
        of.set.clone_from(&of.before);
    }
    for (name, value) in settings {
        note.note_of_setting(&name.to_lowercase(), parameters, shown).set = Some(value.clone());
    }
    note
}

/// What is noted when a cluster gets these settings or, where it got them before, what was there in their place.
fn note_toggled_settings(
    parameters: &ClusterSettings,
    note: Option<Note>,
    to: &ClusterSettings,
    shown: &ClusterSettings,
    by: &str,
) -> Note {
    let mut note = note.unwrap_or_else(|| Note::without_settings(by));
    let is_there = to.iter().all(|(name, value)| {
        note.settings.get(name).is_some_and(|of| of.set.as_ref() == Some(value)) && parameters.get(name) == Some(value)
    });
    for (name, value) in to {
        let of = note.note_of_setting(name, parameters, shown);
        of.set = if is_there { of.before.clone() } else { Some(value.clone()) };
    }
    note
}

/// What to patch so that a cluster has the settings that are noted.
fn patch_to_noted_settings(parameters: &ClusterSettings, note: &Note) -> ParameterPatch {
    note.settings
        .iter()
        .filter(|(name, of)| parameters.get(*name) != of.set.as_ref())
        .map(|(name, of)| (name.clone(), of.set.clone()))
        .collect()
}

/// What to patch so that a cluster has the settings of before, and those that somebody else has changed since.
fn patch_to_previous_settings(parameters: &ClusterSettings, note: &Note) -> (ParameterPatch, Vec<String>) {
    let (mut patch, mut others) = (ParameterPatch::new(), Vec::new());
    for (name, OfSetting { before, set, shown: _ }) in &note.settings {
        match parameters.get(name) {
            now if now == before.as_ref() => {}
            now if now == set.as_ref() => drop(patch.insert(name.clone(), before.clone())),
            now => others.push(format!("{name} is {}", now.map_or("not set", String::as_str))),
        }
    }
    (patch, others)
}

/// Whether a cluster's settings are not this process's to put back any more: it is gone, or it is another run's turn.
/// An API server that does not answer, or refuses, says nothing of the kind.
fn is_out_of_reach(error: &ClusterError) -> bool {
    matches!(
        error,
        ClusterError::NotFound { .. }
            | ClusterError::NoNamespace { .. }
            | ClusterError::NoKind { .. }
            | ClusterError::Unknown { .. }
            | ClusterError::Busy { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(all: &[(&str, &str)]) -> ClusterSettings {
        all.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// What a cluster has once the patch is taken.
    fn patched(before: &ClusterSettings, patch: &ParameterPatch) -> ClusterSettings {
        let mut after = before.clone();
        for (name, value) in patch {
            match value {
                Some(value) => drop(after.insert(name.clone(), value.clone())),
                None => drop(after.remove(name)),
            }
        }
        after
    }

    /// What a cluster that has some settings has once it is given others.
    fn after(now: &ClusterSettings, note: Option<Note>, settings: &ClusterSettings) -> (ClusterSettings, Note) {
        let shown = self::settings(&[("jit", "on"), ("work_mem", "4MB"), ("max_connections", "200")]);
        let note = note_given_settings(now, note, settings, &shown, "us");
        (patched(now, &patch_to_noted_settings(now, &note)), note)
    }

    #[test]
    fn settings_are_given_in_place_of_the_last_ones_and_put_back_as_they_were_at_first() {
        let at_first = settings(&[("work_mem", "4MB"), ("max_connections", "200")]);
        let (first, note) = after(&at_first, None, &settings(&[("Work_Mem", "64MB"), ("jit", "off")]));
        assert_eq!(first, settings(&[("jit", "off"), ("max_connections", "200"), ("work_mem", "64MB")]));
        assert_eq!(note.in_force(), settings(&[("jit", "off"), ("work_mem", "64MB")]));

        let (second, note) = after(&first, Some(note), &settings(&[("max_connections", "50")]));
        assert_eq!(second, settings(&[("max_connections", "50"), ("work_mem", "4MB")]));
        // Where nothing is given any more the server has what it had.
        assert_eq!(note.in_force(), settings(&[("jit", "on"), ("max_connections", "50"), ("work_mem", "4MB")]));
        let same = note_given_settings(
            &second,
            Some(note.clone()),
            &settings(&[("max_connections", "50")]),
            &ClusterSettings::new(),
            "us",
        );
        assert_eq!(patch_to_noted_settings(&second, &same), ParameterPatch::new());

        let (patch, others) = patch_to_previous_settings(&second, &note);
        assert_eq!(note.in_force_before(&patch), settings(&[("max_connections", "200")]));
        assert_eq!((patched(&second, &patch), others), (at_first, Vec::<String>::new()));
    }

    #[test]
    fn a_cluster_that_has_the_settings_is_not_patched() {
        let now = settings(&[("jit", "off")]);
        assert_eq!(after(&now, None, &ClusterSettings::new()).0, now);
        assert_eq!(after(&now, None, &now).0, now);
    }

    #[test]
    fn an_update_is_put_back_by_the_next_one_and_by_whoever_puts_back() {
        let at_first = settings(&[("work_mem", "4MB"), (IMAGE, "pg:17.1")]);
        let given = settings(&[("Max_Connections", "50"), ("work_mem", "8MB")]);
        let shown = settings(&[("max_connections", "100"), ("work_mem", "4MB")]);
        for update in [Update::Image("pg:17.2".to_owned()), Update::Settings(given)] {
            let to = update.as_settings();
            let note = note_toggled_settings(&at_first, None, &to, &shown, "us");
            let updated = patched(&at_first, &patch_to_noted_settings(&at_first, &note));
            assert!(to.iter().all(|(name, value)| updated.get(name) == Some(value)), "{updated:?}");
            assert_eq!(patched(&updated, &patch_to_previous_settings(&updated, &note).0), at_first);
            let note = note_toggled_settings(&updated, Some(note), &to, &shown, "us");
            let again = patched(&updated, &patch_to_noted_settings(&updated, &note));
            assert_eq!(again, at_first);
            assert_eq!(patch_to_previous_settings(&again, &note), (ParameterPatch::new(), Vec::new()));
            let note = note_toggled_settings(&again, Some(note), &to, &shown, "us");
            assert_eq!(patched(&again, &patch_to_noted_settings(&again, &note)), updated);
        }
    }

    #[test]
    fn what_somebody_else_has_changed_since_is_left_as_it_is_and_said() {
        let at_first = settings(&[("work_mem", "4MB"), ("jit", "on")]);
        let (mut now, note) = after(&at_first, None, &settings(&[("work_mem", "64MB"), ("jit", "off")]));
        now.insert("work_mem".to_owned(), "1GB".to_owned());
        let (patch, others) = patch_to_previous_settings(&now, &note);
        assert_eq!(patch, ParameterPatch::from([("jit".to_owned(), Some("on".to_owned()))]));
        assert_eq!(others, ["work_mem is 1GB"]);
    }

    #[test]
    fn a_cluster_that_another_run_rolls_settings_out_to_is_told_with_that_run() {
        let unfit = || ClusterError::Unhealthy { cluster: "db".to_owned(), said: "Applying configuration".to_owned() };
        let mut cluster = DynamicObject::new("db", &cnpg::api_resource_of_kind(CLUSTER));
        assert_eq!(with_who_changes(&cluster, unfit()), unfit());
        let note = serde_json::to_string(&Note::without_settings("there, process 7")).expect("texts only");
        cluster.annotations_mut().insert(NOTE.to_owned(), note);
        let told = with_who_changes(&cluster, unfit()).detail().expect("what its status says");
        assert_eq!(told, "Applying configuration; its settings are changed by pgdyno on there, process 7");
    }

    #[test]
    fn only_a_cluster_that_is_gone_or_another_run_s_has_nothing_to_be_put_back() {
        let text = || "x".to_owned();
        let not_found = ClusterError::NotFound { kind: "Cluster", name: text(), namespace: text(), known: Vec::new() };
        let gone = [
            not_found,
            ClusterError::NoNamespace { namespace: text(), known: Vec::new() },
            ClusterError::NoKind { context: text(), kind: "Cluster" },
            ClusterError::Busy { cluster: text(), by: text() },
        ];
        assert!(gone.iter().all(is_out_of_reach));
        let silent = [
            ClusterError::Away { context: text(), why: text() },
            ClusterError::Unauthorized { context: text(), said: text() },
            ClusterError::Forbidden { verb: "get", what: text(), namespace: text(), said: text() },
            ClusterError::Failed { verb: "read", what: text(), said: text() },
        ];
        assert!(!silent.iter().any(is_out_of_reach));
    }
}
