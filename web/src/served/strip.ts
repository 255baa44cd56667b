/**
 * The strip above the report of a run that is being measured: what is measured now, and the seconds as they come.
 */
import { partMark } from "../charts/stacked_bar";
import type { LiveSecondData, NowData } from "../data";
import { h } from "../dom";
import { colour, onThemeChange, targetClass } from "../theme";
import { LiveChart, type LiveLine } from "./live_chart";
import { KEPT_S, LiveSeries, STATES, type Column } from "./live_series";
import { whatIsLeft, whatIsMeasured } from "./status";

const HEIGHT_PX = 126;
const HALF_PX = 72;
/** How much of the past is shown. */
const SPANS: { name: string; span_s: number }[] = [
  { name: "5 min", span_s: 300 },
  { name: "1 h", span_s: KEPT_S },
];

/** The figures of latency, told apart as in the timelines of the report. */
const LATENCIES: { figure: (second: LiveSecondData) => number | null; look: Pick<LiveLine, "width" | "dash"> }[] = [
  { figure: ({ p50_ms }) => p50_ms, look: { width: 1.8 } },
  { figure: ({ p95_ms }) => p95_ms, look: { width: 1.1 } },
  { figure: ({ p99_ms }) => p99_ms, look: { width: 1.1, dash: [4, 2] } },
];

/** The strip. */
export class Strip {
  readonly element: HTMLElement;
  readonly #what = h("span", { class: "what" });
  readonly #left = h("span", { class: "left" });
  readonly #state = h("span", { class: "state", role: "status" });
  readonly #targets = h("span");
  readonly #throughput = new LiveChart(h("div"), { height_px: HEIGHT_PX });
  readonly #latency = new LiveChart(h("div"), { height_px: HEIGHT_PX });
  readonly #sessions = new LiveChart(h("div"), { height_px: HEIGHT_PX });
  readonly #cpu = new LiveChart(h("div"), { height_px: HALF_PX, most: 100 });
  readonly #disk = new LiveChart(h("div"), { height_px: HALF_PX });
  readonly #series = new LiveSeries();
  #now: NowData | null = null;
  #last: LiveSecondData | null = null;
  #span_s = SPANS[0]?.span_s ?? KEPT_S;

  constructor() {
    const states = STATES.map(({ kind, name }) => h("li", {}, swatch(kind), name));
    const figure = (title: string, unit: string, ...charts: LiveChart[]) =>
      h(
        "figure",
        {},
        h("figcaption", {}, title, h("span", { class: "unit" }, unit)),
        ...charts.map(({ host }) => host),
      );
    this.element = h(
      "section",
      { id: "live", "aria-label": "what is being measured now" },
      h("p", { class: "now" }, this.#state, this.#what, this.#left),
      h(
        "div",
        { class: "panels live-panels" },
        figure("throughput", "tps", this.#throughput),
        figure("latency p50, p95, p99 (dashed)", "ms", this.#latency),
        figure("sessions", "by what they wait for", this.#sessions),
        h("div", {}, figure("host CPU", "%", this.#cpu), figure("disk: read, written (dashed)", "MB/s", this.#disk)),
      ),
      h("div", { class: "live-foot" }, this.#targets, h("ul", { class: "legend" }, ...states), this.#choice()),
    );
    const charts = [this.#throughput, this.#latency, this.#sessions, this.#cpu, this.#disk];
    onThemeChange(() => charts.forEach((chart) => chart.redraw()), null);
    const resizes = new ResizeObserver(() => charts.forEach((chart) => chart.fit()));
    resizes.observe(this.element);
    this.connected(false);
  }

  /** Where the run is. */
  now(now: NowData): void {
    this.#now = now;
    this.#targets.replaceChildren(
      ...now.targets.flatMap((target, index) => [
        h("span", { class: `target-name ${targetClass(index)}` }, target),
        index === 0 ? " (baseline) " : " ",
      ]),
    );
    this.#tell();
  }

  /** Seconds that have ended. */
  add(seconds: LiveSecondData[]): void {
    this.#series.add(seconds);
    this.#last = seconds.at(-1) ?? this.#last;
    this.#tell();
    this.#draw();
  }

  /** Whether the server is there. */
  connected(isConnected: boolean): void {
    this.#state.textContent = isConnected ? "live" : "connecting…";
    this.#state.classList.toggle("away", !isConnected);
  }

  #tell(): void {
    if (this.#now === null) return;
    this.#what.textContent = whatIsMeasured(this.#now, this.#last);
    this.#left.textContent = whatIsLeft(this.#now);
  }

  #draw(): void {
    const targets = this.#now?.targets ?? [];
    const instants = this.#series.instants(this.#span_s);
    const strokes = targets.map((_, index) => () => colour(targetClass(index)));
    const rates = targets.map((target) =>
      this.#series.ofTarget(instants, target, ({ throughput_per_s }) => throughput_per_s),
    );
    this.#throughput.draw(
      instants,
      strokes.map((stroke) => ({ stroke, width: 1.5 })),
      rates,
    );
    this.#latency.draw(
      instants,
      strokes.flatMap((stroke) => LATENCIES.map(({ look }) => ({ stroke, ...look }))),
      targets.flatMap((target) => LATENCIES.map(({ figure }) => this.#series.ofTarget(instants, target, figure))),
    );
    // The uppermost layer is drawn first, and those below it over it.
    const layers = STATES.map(({ kind }) => ({ stroke: () => fillOf(this.element, kind), width: 0, filled: true }));
    this.#sessions.draw(instants, layers.reverse(), this.#series.stackedSessions(instants).reverse());
    const host: LiveLine = { stroke: () => colour("ink"), width: 1.3 };
    this.#cpu.draw(instants, [host], [this.#series.ofHost(instants, ({ cpu_percent }) => cpu_percent)]);
    this.#disk.draw(
      instants,
      [host, { ...host, dash: [4, 2] }],
      [
        megabytes(this.#series.ofHost(instants, ({ disk_read_per_s }) => disk_read_per_s)),
        megabytes(this.#series.ofHost(instants, ({ disk_written_per_s }) => disk_written_per_s)),
      ],
    );
  }

  #choice(): HTMLElement {
    const labels = SPANS.map(({ name, span_s }) => {
      const radio = h("input", { type: "radio", name: "live-span", value: name, checked: span_s === this.#span_s });
      radio.addEventListener("change", () => {
        this.#span_s = span_s;
        this.#draw();
      });
      return h("label", {}, radio, name);
    });
    return h("fieldset", { class: "choice" }, h("legend", {}, "shown"), ...labels);
  }
}

/** The mark of a state; the parts of a time budget have the same. */
function swatch(kind: string): SVGElement | null {
  return partMark(PART_OF[kind] ?? "");
}

/** A part of each kind of colour. */
const PART_OF: Record<string, string> = {
  cpu: "on CPU",
  io: "IO: ",
  lwlock: "LWLock: ",
  lock: "Lock: ",
  wait: "other: ",
  outside: "outside the server",
};

/** The colour of a kind in the theme of the moment, as its mark has it. */
function fillOf(strip: HTMLElement, kind: string): string {
  const mark = strip.querySelector(`.legend .part-${kind} rect`);
  return mark ? getComputedStyle(mark).fill : "gray";
}

function megabytes(column: Column): Column {
  return column.map((value) => (value === null ? null : value / 1e6));
}
