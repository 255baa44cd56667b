//! Where in the kernel the sessions of a case sleep, for the figures and titles of findings.

use std::collections::BTreeMap;

use super::case::DiagnosisCase;
use super::finding::{EvidenceFigure, FigureAmount, figure};
use super::spent::{is_lightweight_lock_wait, is_wait};
use crate::budget::BudgetPart;
use crate::off_cpu::{KernelPlace, SleepsOfTrial, ms_at};
use crate::units::format_milliseconds;

/// Places that a finding lists.
const LISTED: usize = 3;
/// Places below this share of the mean transaction on both sides are not listed.
const SMALL: f64 = 0.01;
/// From this share of the unexplained time on, a place makes most of it.
const MOST: f64 = 0.5;

impl DiagnosisCase<'_> {
    /// Milliseconds per transaction that its sessions sleep in the kernel, by place: the mean over its trials. None:
    /// they were not looked at.
    pub(super) fn kernel_sleeps_ms(&self) -> Option<BTreeMap<KernelPlace, f64>> {
        let mut trials = Vec::new();
        for measured in self.trials() {
            let off_cpu = measured.watched.off_cpu.as_ref();
            trials.extend(off_cpu.and_then(|off_cpu| SleepsOfTrial::of_trial(off_cpu, measured.trial)));
        }
        if trials.is_empty() {
            return None;
        }
        let mut places = BTreeMap::new();
        for (place, ms) in trials.iter().flat_map(|sleeps| &sleeps.of_load) {
            *places.entry(place.clone()).or_default() += ms / trials.len() as f64;
        }
        Some(places)
    }

    /// The places for which `is` holds at which its sessions sleep longest, beside those of another side.
    pub(super) fn figures_of_sleeps(
        &self,
        other: Option<&Self>,
        is: impl Fn(&KernelPlace) -> bool,
    ) -> Vec<EvidenceFigure> {
        let Some(here) = self.kernel_sleeps_ms() else { return Vec::new() };
        let there = other.and_then(|other| Some((other, other.kernel_sleeps_ms()?)));
        let least_ms = SMALL * self.latency_ms().unwrap_or_default();
        let mut places: Vec<(KernelPlace, f64)> =
            here.into_iter().filter(|(place, ms)| is(place) && *ms >= least_ms).collect();
        places.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut figures = Vec::new();
        for (place, ms) in places.into_iter().take(LISTED) {
            let mut text = format!("{} per transaction", format_milliseconds(ms));
            if let Some((other, there)) = &there {
                let there_ms = ms_at(there, &place);
                text.push_str(&format!("; {} on {}", format_milliseconds(there_ms), other.cell().target));
            }
            figures.push(figure(format!("sessions sleep in the kernel in {place}"), FigureAmount::Text(text)));
        }
        figures
    }

    /// The same beside the other side that sleeps least, if there is one.
    pub(super) fn figures_of_sleeps_beside_least(&self, is: impl Fn(&KernelPlace) -> bool) -> Vec<EvidenceFigure> {
        let mut least: Option<(f64, Self)> = None;
        for other in self.other_sides() {
            let Some(places) = other.kernel_sleeps_ms() else { continue };
            let ms: f64 = places.iter().filter(|(place, _)| is(place)).map(|(_, ms)| ms).sum();
            if least.as_ref().is_none_or(|(least_ms, _)| ms < *least_ms) {
                least = Some((ms, other));
            }
        }
        self.figures_of_sleeps(least.as_ref().map(|(_, other)| other), is)
    }

    /// The place that makes most of so many milliseconds that its transactions take longer than another side's and for
    /// which the server names no wait. What the server's own waits for files and lightweight locks may be is not
    /// counted.
    pub(super) fn place_of_unexplained(&self, other: &Self, unexplained_ms: f64) -> Option<KernelPlace> {
        let (here, there) = (self.kernel_sleeps_ms()?, other.kernel_sleeps_ms()?);
        let mut longest: Option<(KernelPlace, f64)> = None;
        for (place, here_ms) in here {
            let more_ms = here_ms - ms_at(&there, &place);
            let unnamed_ms = match &place {
                place if place.is_of_server_file() => {
                    more_ms - self.more_in_parts(other, |part| is_wait(part, "IO"))?.max(0.0)
                }
                place if place.is_of_lock() => more_ms - self.more_in_parts(other, is_lightweight_lock_wait)?.max(0.0),
                _ => more_ms,
            };
            let is_most = unnamed_ms > 0.0 && unnamed_ms >= MOST * unexplained_ms;
            if is_most && longest.as_ref().is_none_or(|(_, longest_ms)| unnamed_ms > *longest_ms) {
                longest = Some((place, unnamed_ms));
            }
        }
        longest.map(|(place, _)| place)
    }

    /// Milliseconds per transaction that its sessions are longer in the parts for which `is` holds; none without
    /// budgets.
    fn more_in_parts(&self, other: &Self, is: impl Fn(&BudgetPart) -> bool) -> Option<f64> {
        Some(self.mean_ms_in(&is)? - other.mean_ms_in(&is)?)
    }
}
