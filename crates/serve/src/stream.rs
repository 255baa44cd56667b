//! The events of one page: what is new of its run, as server-sent events that end with the run.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use report::live::LiveSecondData;
use serde::Serialize;

use crate::attendance::AttendedPage;
use crate::follow::{Follow, News};
use crate::presence::PagePresence;

/// How often a run is looked at that somebody looks at.
const LOOK: Duration = Duration::from_millis(500);
/// How long nothing is sent at most, so that a page knows that its server lives.
const BEAT: Duration = Duration::from_secs(10);
/// After how long a page tries again when its server has gone.
const RETRY: Duration = Duration::from_secs(1);

/// So many seconds are told in one event at most: a page takes in one between two frames.
const TOLD_AT_ONCE: usize = 400;

/// A page that listens.
struct PageListener {
    /// Absent once there is nothing more to tell.
    follow: Option<Follow>,
    events: VecDeque<Event>,
    has_begun: bool,
    presence: PagePresence,
    _page: AttendedPage,
}

/// The events of a run, for a page, whose presence is noted.
pub(crate) fn event_stream_response(follow: Follow, presence: PagePresence, page: AttendedPage) -> Response {
    let events = VecDeque::new();
    let listener = PageListener { follow: Some(follow), events, has_begun: false, presence, _page: page };
    let events = stream::unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        Some((Ok::<_, Infallible>(event), listener))
    });
    let beat = Event::default().event("beat").data("{}");
    Sse::new(events).keep_alive(KeepAlive::new().interval(BEAT).event(beat)).into_response()
}

impl PageListener {
    /// The next event, whenever there is one; none after the last.
    async fn next(&mut self) -> Option<Event> {
        while self.events.is_empty() {
            let mut follow = self.follow.take()?;
            if std::mem::replace(&mut self.has_begun, true) {
                tokio::time::sleep(LOOK).await;
            }
            let (follow, news) = tokio::task::spawn_blocking(move || {
                let news = follow.poll_news();
                (follow, news)
            })
            .await
            .ok()?;
            // A page that is told the end at once looks at a run at rest.
            let is_over = news.iter().any(|news| matches!(news, News::End | News::Gone));
            self.presence.goes_on(!is_over);
            self.follow = (!is_over).then_some(follow);
            self.events.extend(news.iter().flat_map(events_of));
        }
        self.events.pop_front()
    }
}

/// What tells of a trouble, and of nothing else.
#[derive(Serialize)]
struct TroubleEventData<'a> {
    error: &'a str,
}

fn events_of(news: &News) -> Vec<Event> {
    match news {
        News::Now(now) => vec![named_event("now", now).retry(RETRY)],
        News::Seconds(seconds) => seconds.chunks(TOLD_AT_ONCE).map(seconds_event).collect(),
        News::Trouble(error) => vec![named_event("trouble", &TroubleEventData { error })],
        News::End => vec![named_event("end", &())],
        News::Gone => vec![named_event("gone", &())],
    }
}

fn seconds_event(seconds: &[LiveSecondData]) -> Event {
    let last_s = seconds.last().map_or(0.0, |second| second.at_s);
    named_event("seconds", &seconds).id(format!("{last_s:.3}"))
}

fn named_event(name: &str, data: &impl Serialize) -> Event {
    Event::default().event(name).data(serde_json::to_string(data).expect("plain data always serialises"))
}
