//! Objects as they change: the API server is asked to tell of each version of them at once, and asked again when it
//! has stopped telling.

use std::fmt::Debug;
use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt as _;
use kube::api::{ListParams, WatchParams};
use kube::core::WatchEvent;
use serde::de::DeserializeOwned;
use tokio::time::sleep;

use crate::api::{Api, ObjectKind};
use crate::error::ClusterError;

/// Before the API server is asked again.
const PAUSE: Duration = Duration::from_millis(200);

/// What it tells of objects of a kind.
pub(crate) enum ObjectVersion<K> {
    /// All of them as they are now: at first, and whenever changes may have been missed.
    All(Vec<K>),
    /// One as it is now.
    Is(Box<K>),
    /// One that is gone, as it was last.
    Gone(Box<K>),
}

impl Api {
    /// Tells of the objects with these labels and fields until this is dropped.
    ///
    /// # Errors
    /// It returns only when asking again is no use, such as without the right.
    pub(crate) async fn watch_objects<K>(
        &self,
        objects: &kube::Api<K>,
        kind: ObjectKind,
        (labels, fields): (&str, &str),
        tell: &(dyn Fn(ObjectVersion<K>) + Sync),
    ) -> ClusterError
    where
        K: Clone + DeserializeOwned + Debug + Send + 'static,
    {
        let listed = ListParams::default().labels(labels).fields(fields);
        let watched = WatchParams::default().labels(labels).fields(fields);
        loop {
            let all = match self.await_api_answer("list", kind, objects.list(&listed)).await {
                Ok(all) => all,
                Err(ClusterError::Away { .. }) => {
                    sleep(PAUSE).await;
                    continue;
                }
                Err(error) => return error,
            };
            let version = all.metadata.resource_version.unwrap_or_default();
            tell(ObjectVersion::All(all.items));
            let changes = match objects.watch(&watched, &version).await {
                Ok(changes) => changes,
                Err(error) => match self.in_words("watch", kind, &error) {
                    forbidden @ ClusterError::Forbidden { .. } => return forbidden,
                    _ => {
                        sleep(PAUSE).await;
                        continue;
                    }
                },
            };
            let mut changes = pin!(changes);
            // One that ends, or says that it has forgotten too much, is begun again with a list.
            while let Some(Ok(change)) = changes.next().await {
                match change {
                    WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                        tell(ObjectVersion::Is(Box::new(object)));
                    }
                    WatchEvent::Deleted(object) => tell(ObjectVersion::Gone(Box::new(object))),
                    WatchEvent::Bookmark(_) => {}
                    WatchEvent::Error(_) => break,
                }
            }
        }
    }
}
