/**
 * The timelines of one comparison: the trials of a block one above the other, one cursor and one zoom for all.
 *
 * Only the chosen block is drawn, and each row only once it comes near the screen, so a run of a thousand trials
 * opens as fast as one of ten. `#trial-N` in the address chooses the comparison and block that hold trial N, and
 * `#trial-N@FROM-TO` zooms to these seconds of it.
 */
import type { ReportData, TrialData } from "../data";
import { h, nothing, s, section } from "../dom";
import { stackedBar } from "../charts/stacked_bar";
import { CursorGroup } from "../charts/cursor_group";
import { hasMeasure, timeline, valueAxisOf, type TimelineMeasure, type ValueAxis } from "../charts/timeline";
import { latencyTitle } from "../latency_lines";
import { extentOf } from "../parts";
import { keyOf, readingChoices, readingLines, type ReadingChoice, type ReadingLine } from "../readings";
import type { Range } from "../scale";
import { beforePrint, onThemeChange, targetClass, whileShown } from "../theme";
import { Trials, type Choice } from "../trials";
import { TimelineControls } from "./timeline_controls";
import { readoutOf, trialHeading, trialNotes, trialSummary } from "./trial_words";

interface Measured {
  measure: TimelineMeasure;
  title: (trial: TrialData) => string;
  unit: string;
}

const MEASURES: Measured[] = [
  { measure: "throughput", title: () => "throughput", unit: "tps" },
  { measure: "latency", title: latencyTitle, unit: "ms" },
  { measure: "cpu", title: () => "host CPU", unit: "% of all cores" },
];

/** A trial's row: its charts are drawn when `draw` is first called. */
interface Row {
  element: HTMLElement;
  readout: HTMLOutputElement;
  trial: TrialData;
  draw: () => void;
}

/** The section of the timelines. */
export function timelines(data: ReportData): HTMLElement {
  const trials = new Trials(data);
  const first = trials.first();
  if (first === null) {
    return section("timelines", "Timelines", nothing("No trial of this run has a finished second."));
  }
  const longer = data.trials.some((trial) => trial.span_s)
    ? "Figures of intervals longer than a second are drawn as steps. "
    : "";
  const dense = data.trials.some((trial) => trial.t_s.length > SECONDS_IN_PIXELS)
    ? "If several seconds share a column of pixels, a line spans their lowest and highest values, and stacked parts are " +
      "their means. Zoom in to see each second. "
    : "";
  const view = new TimelineView(data, trials);
  const element = section(
    "timelines",
    "Timelines",
    h(
      "p",
      { class: "prose" },
      `Each second of each trial, the baseline first. ${longer}The cursor moves in all charts together. `,
      view.howToZoom,
      dense,
      "Values share one axis within a block.",
      data.trials.some(({ budget }) => budget) && " The time budget of a trial's mean transaction is below its charts.",
    ),
    legend(),
    view.element,
  );
  view.show(first, trials.firstBlock(first));
  const follow = () => {
    const [, number, from, to] = /^#trial-(\d+)(?:@([\d.]+)-([\d.]+))?$/.exec(location.hash) ?? [];
    const found = number === undefined ? null : trials.find(Number(number));
    if (found === null) return;
    view.show(found.choice, found.block);
    document.getElementById(`trial-${number}`)?.scrollIntoView({ block: "start" });
    if (from !== undefined && to !== undefined) view.zoomAround([Number(from), Number(to)]);
  };
  addEventListener("hashchange", follow, { signal: whileShown() });
  requestAnimationFrame(follow);
  return element;
}

class TimelineView {
  readonly element: HTMLElement;
  /** Stands in the prose while the trials shown are long enough to look at a part of them. */
  readonly howToZoom = h("span", {}, "Drag across an interval to zoom in, double-click to see the whole trial. ");
  readonly #data: ReportData;
  readonly #trials: Trials;
  readonly #rows = h("div", { class: "trials" });
  readonly #controls: TimelineControls;
  readonly #resizes: ResizeObserver;
  readonly #nearing: IntersectionObserver;
  #group: CursorGroup | null = null;
  #last: [Choice, number | null] | null = null;
  #shown: Row[] = [];
  #reading: ReadingChoice | null = null;

  constructor(data: ReportData, trials: Trials) {
    this.#data = data;
    this.#trials = trials;
    this.#controls = new TimelineControls(trials.choices, data.baseline, {
      chosen: (choice, block) => this.show(choice, block),
      cursor: (t_s) => this.#group?.point(t_s),
      zoom: (range) => this.#group?.zoom(range),
      reading: (reading) => this.#choose(reading),
    });
    this.element = h("div", {}, this.#controls.element, this.#rows);
    this.#resizes = new ResizeObserver((entries) => entries.forEach(({ target }) => resize(target)));
    this.#nearing = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) if (entry.isIntersecting) this.#rowOf(entry.target)?.draw();
      },
      { rootMargin: "300px" },
    );
    onThemeChange(() => this.#group?.redraw());
    beforePrint(() => this.#shown.forEach((row) => row.draw()));
  }

  /** Shows one block of a comparison, or all of its blocks. */
  show(choice: Choice, block: number | null): void {
    this.#group?.clear();
    this.#resizes.disconnect();
    this.#nearing.disconnect();
    const blocks = block === null ? choice.blocks : [block];
    const trials = blocks.flatMap((number) => this.#trials.inBlock(choice, number));
    const group = new CursorGroup("pgdyno-timelines", wholeOf(trials), {
      moved: (t_s) => this.#tell(t_s),
      zoomed: (range) => this.#controls.showZoom(range),
    });
    this.#group = group;
    this.howToZoom.hidden = !group.isZoomable;
    const readings = readingChoices(trials);
    this.#reading = readings.find((choice) => this.#reading !== null && keyOf(choice) === keyOf(this.#reading)) ?? null;
    const measures = this.#reading === null ? MEASURES : [...MEASURES, measuredOf(this.#reading)];
    const axes = new Map(measures.map(({ measure }) => [measure, valueAxisOf(trials, measure)]));
    const budgets = extentOfBudgets(trials);
    this.#shown = trials.map((trial) => this.#row(trial, measures, axes, budgets, group));
    this.#controls.offer(readings, this.#reading);
    this.#last = [choice, block];
    this.#rows.replaceChildren(...this.#shown.map((row) => row.element));
    this.#shown.forEach((row) => this.#nearing.observe(row.element));
    this.#controls.show(choice, block, group.whole);
  }

  /** Shows the seconds of a stretch with what is around them, and puts the cursor on its begin. */
  zoomAround([from, to]: Range): void {
    this.#group?.zoom([from - AROUND_S, to + AROUND_S]);
    this.#group?.point(from);
  }

  #choose(reading: ReadingChoice | null): void {
    this.#reading = reading;
    const zoom = this.#group?.zoomed ?? null;
    if (this.#last !== null) this.show(...this.#last);
    this.#group?.zoom(zoom);
  }

  #row(
    trial: TrialData,
    measures: Measured[],
    axes: Map<TimelineMeasure, ValueAxis>,
    budgets: Range | null,
    group: CursorGroup,
  ): Row {
    const readout = h("output", { class: "readout" });
    const hosts = measures.map(({ measure, title, unit }) => {
      const host = h("div", { class: "timeline", "data-measure": nameOf(measure) });
      const scaled = axes.get(measure)?.logarithmic ? `${unit}, logarithmic` : unit;
      return {
        measure,
        host,
        figure: h(
          "figure",
          {},
          h("figcaption", {}, title(trial), h("span", { class: "unit" }, scaled)),
          host,
          typeof measure === "object" && partsOf(trial, measure),
        ),
      };
    });
    let drawn = false;
    const draw = () => {
      if (drawn) return;
      drawn = true;
      for (const { measure, host } of hosts) this.#chart(host, trial, measure, axes, group);
    };
    const element = h(
      "article",
      { id: `trial-${trial.number}`, class: "trial" },
      h("h3", {}, ...trialHeading(trial, this.#data.baseline)),
      readout,
      trialNotes(trial),
      h("div", { class: "panels timeline-panels" }, ...hosts.map(({ figure }) => figure)),
      budgetOf(trial, budgets),
    );
    return { element, readout, trial, draw };
  }

  #chart(
    host: HTMLElement,
    trial: TrialData,
    measure: TimelineMeasure,
    axes: Map<TimelineMeasure, ValueAxis>,
    group: CursorGroup,
  ): void {
    const axis = axes.get(measure);
    if (axis === undefined || !hasMeasure(trial, measure)) {
      host.replaceChildren(nothing(whyNot(measure)));
      return;
    }
    host.setAttribute("role", "img");
    host.setAttribute("aria-label", trialSummary(trial, measure));
    const plot = timeline(host, trial, this.#data.targets.indexOf(trial.target), measure, axis, group);
    PLOTS.set(host, plot);
    this.#resizes.observe(host);
  }

  #rowOf(element: Element): Row | undefined {
    return this.#shown.find((row) => row.element === element);
  }

  #tell(t_s: number | null): void {
    for (const row of this.#shown) row.readout.textContent = t_s === null ? "" : readoutOf(row.trial, t_s);
    this.#controls.showCursor(t_s);
  }
}

/** From so many seconds on, several share a column of pixels of a chart on a usual screen. */
const SECONDS_IN_PIXELS = 400;

/** Seconds that are shown before and after a stretch. */
const AROUND_S = 2;

function measuredOf(reading: ReadingChoice): Measured {
  return { measure: reading, title: () => keyOf(reading), unit: reading.unit };
}

function nameOf(measure: TimelineMeasure): string {
  return typeof measure === "object" ? keyOf(measure) : measure;
}

function whyNot(measure: TimelineMeasure): string {
  if (measure === "cpu") return "The CPU of the host was not read.";
  return typeof measure === "object" ? "Not read in this trial." : "Nothing was measured.";
}

/** The names of the parts of a whole beside their colours, the topmost first; null of a single series. */
function partsOf(trial: TrialData, choice: ReadingChoice): HTMLElement | null {
  if (choice.name !== null) return null;
  const entry = ({ name, part }: ReadingLine) => {
    const mark = s("rect", { x: 0, y: 0, width: 16, height: 12, fill: "currentColor" });
    return h("li", {}, s("svg", { class: `swatch ${targetClass(part)}`, width: 16, height: 12 }, mark), name);
  };
  return h("ul", { class: "legend" }, ...readingLines(trial, choice).map(entry));
}

const PLOTS = new WeakMap<Element, ReturnType<typeof timeline>>();

function resize(host: Element): void {
  const plot = PLOTS.get(host);
  const width = Math.floor(host.clientWidth);
  if (plot && width > 0 && width !== plot.width) plot.setSize({ width, height: plot.height });
}

/** From where to where the time budgets of these trials reach; null where none of them has one. */
function extentOfBudgets(trials: TrialData[]): Range | null {
  const budgets = trials.flatMap(({ budget }) => (budget ? [budget] : []));
  return budgets.length > 0 ? extentOf(budgets) : null;
}

/** A trial's time budget; where others have one and it has none, why. */
function budgetOf({ budget }: TrialData, range: Range | null): HTMLElement | null {
  if (range === null) return null;
  return budget ? stackedBar(budget, range) : nothing("No time budget: the sessions were not sampled.");
}

function wholeOf(trials: TrialData[]): Range {
  return [0, Math.max(1, ...trials.map((trial) => trial.t_s.at(-1) ?? 0))];
}

function legend(): HTMLElement {
  const swatch = (className: string, ...marks: SVGElement[]) =>
    s("svg", { class: `swatch ${className}`, width: 16, height: 12, "aria-hidden": "true" }, ...marks);
  const entries: [SVGElement, string][] = [
    [swatch("warm-up", s("rect", { x: 0, y: 0, width: 16, height: 12 })), "warm-up, not counted"],
    [
      swatch("checkpoint", s("path", { d: "M4 0h8l-4 5z" }), s("path", { class: "dashed", d: "M8 0v12" })),
      "checkpoint",
    ],
    [swatch("failed", s("path", { d: "M4 2l8 8M4 10l8-8" })), "failed transactions"],
    [
      swatch("outage", s("path", { d: "M0 12l12-12M5 12l11-11M-4 9l9-9M11 12l5-5" })),
      "outage: clients without a connection",
    ],
  ];
  return h("ul", { class: "legend" }, ...entries.map(([mark, text]) => h("li", {}, mark, text)));
}
