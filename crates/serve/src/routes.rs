//! What is answered to which address: the pages, which are the viewer without data, and the data that they ask for.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use report::Served;
use serde::Serialize;

use crate::access::{AccessRule, guard_request};
use crate::attendance::Attendance;
use crate::follow::Follow;
use crate::list::{self, Headlines};
use crate::metrics::Metrics;
use crate::presence::{Browser, PagePresence};
use crate::reports::{Reports, Trouble, compare_runs};
use crate::site::ServedRuns;
use crate::stream;

/// The page of a directory of runs, which asks for all that it shows.
const LIST: &str = include_str!("list.html");

/// What all requests share.
#[derive(Debug)]
struct SharedByRequests {
    site: ServedRuns,
    reports: Reports,
    headlines: Headlines,
    metrics: Arc<Metrics>,
    attendance: Attendance,
}

type OfSite = State<Arc<SharedByRequests>>;

/// Where a Prometheus scrapes: below no token, which its own pages would show. It is sent along instead.
pub(crate) const METRICS: &str = "/metrics";
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Every address but that of the scrape, below the token that `access` looks at.
pub(crate) fn build_router(site: ServedRuns, access: Arc<AccessRule>, attendance: Attendance) -> Router {
    let (reports, headlines) = (Reports::default(), Headlines::default());
    let metrics = Arc::default();
    let shared = SharedByRequests { site, reports, headlines, metrics, attendance: attendance.clone() };
    Router::new()
        .route("/{token}/", get(get_front_page))
        .route("/{token}/runs.json", get(get_run_list))
        .route("/{token}/compare/{baseline}/{candidate}/", get(comparison_page))
        .route("/{token}/compare/{baseline}/{candidate}/report.json", get(get_comparison))
        .route("/{token}/runs/{run}/", get(run_page))
        .route("/{token}/runs/{run}/headline.json", get(run_headline))
        .route("/{token}/runs/{run}/report.json", get(run_report))
        .route("/{token}/runs/{run}/events", get(run_events))
        .route(METRICS, get(latest_seconds))
        .fallback(|| async { Trouble::Gone })
        .layer(from_fn_with_state((access, attendance), guard_request))
        .with_state(Arc::new(shared))
}

async fn get_front_page(State(shared): OfSite) -> Response {
    match shared.site.first_page().as_str() {
        "" => Html(LIST).into_response(),
        page => Redirect::temporary(page).into_response(),
    }
}

async fn get_run_list(State(shared): OfSite) -> Result<Response, Trouble> {
    let parent = shared.site.parent_of_runs().ok_or(Trouble::Gone)?.to_owned();
    let listing = tokio::task::spawn_blocking(move || list::list_runs(&parent));
    let runs = listing.await.map_err(|error| Trouble::Unreadable(error.to_string()))?;
    Ok(json_of(&runs))
}

async fn run_headline(State(shared): OfSite, Path((_, run)): Path<(String, String)>) -> Result<Response, Trouble> {
    Ok(json_of(&shared.headlines.headline_of_run(shared.directory_of_run(&run)?).await?))
}

/// Token, baseline and candidate.
type OfTwo = Path<(String, String, String)>;

async fn comparison_page(State(shared): OfSite, Path((_, baseline, candidate)): OfTwo) -> Result<Response, Trouble> {
    [baseline, candidate].iter().try_for_each(|run| shared.directory_of_run(run).map(drop))?;
    Ok(Html(report::served_page(Served::Comparison)).into_response())
}

async fn get_comparison(State(shared): OfSite, Path((_, baseline, candidate)): OfTwo) -> Result<Response, Trouble> {
    let (baseline, candidate) = (shared.directory_of_run(&baseline)?, shared.directory_of_run(&candidate)?);
    let comparing = tokio::task::spawn_blocking(move || compare_runs(&baseline, &candidate));
    let made = comparing.await.map_err(|error| Trouble::Unreadable(error.to_string()))??;
    Ok(json_response(made).into_response())
}

async fn run_page(State(shared): OfSite, Path((_, run)): Path<(String, String)>) -> Result<Html<String>, Trouble> {
    shared.directory_of_run(&run)?;
    Ok(Html(report::served_page(Served::Run)))
}

async fn run_report(State(shared): OfSite, Path((_, run)): Path<(String, String)>) -> Result<Response, Trouble> {
    let made = shared.reports.report_of_run(&shared.directory_of_run(&run)?).await?;
    let etag = format!("\"{}\"", made.stamp);
    Ok(([(header::ETAG, etag)], json_response(made.json)).into_response())
}

/// `Last-Event-ID` is what a browser has seen when it connects again by itself, `?after=` what a page has that does.
async fn run_events(
    State(shared): OfSite,
    Path((_, run)): Path<(String, String)>,
    headers: HeaderMap,
    uri: Uri,
    ConnectInfo(browser): ConnectInfo<Browser>,
) -> Result<Response, Trouble> {
    let named = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let seen_s = named.or_else(|| uri.query()?.strip_prefix("after=")).and_then(|id| id.parse().ok());
    let run = shared.directory_of_run(&run)?;
    let presence = PagePresence::new(run.clone(), browser);
    Ok(stream::event_stream_response(Follow::new(run, seen_s), presence, shared.attendance.follow_page()))
}

async fn latest_seconds(State(shared): OfSite) -> Result<Response, Trouble> {
    let (metrics, site) = (Arc::clone(&shared.metrics), shared.site.clone());
    let scraping = tokio::task::spawn_blocking(move || metrics.scrape_runs(&site.being_measured()));
    let text = scraping.await.map_err(|error| Trouble::Unreadable(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, OPENMETRICS)], text).into_response())
}

impl SharedByRequests {
    fn directory_of_run(&self, name: &str) -> Result<PathBuf, Trouble> {
        self.site.directory_of_run(name).ok_or(Trouble::Gone)
    }
}

fn json_response(bytes: Bytes) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], bytes)
}

fn json_of(data: &impl Serialize) -> Response {
    json_response(serde_json::to_vec(data).expect("plain data always serialises").into()).into_response()
}

/// What the viewer tells the person when there is no report.
#[derive(Serialize)]
struct TroubleData {
    error: String,
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Gone => StatusCode::NOT_FOUND,
            Self::Unreadable(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Incomparable(_) => StatusCode::CONFLICT,
        };
        (status, json_of(&TroubleData { error: self.to_string() })).into_response()
    }
}
