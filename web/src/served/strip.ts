/**
 * The strip above the report of a run that is being measured: what is measured now, and the seconds as they come.
 */
import { partMark } from "../charts/stacked_bar";
import type { LiveSecondData, NowData } from "../data";
import { h } from "../dom";
import { colour, onThemeChange, targetClass } from "../theme";
import { LiveChart, type LiveLine } from "./live_chart";
import { megabytes, ofHost, ofTarget, sessionsUpTo, STATES } from "./live_figures";
import { KEPT_S, LiveSeries, type Figure } from "./live_series";
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

/** A line of a chart, and what it shows. */
type Drawn = LiveLine & { figure: Figure };

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
  /** Each chart with its lines; none before the targets are known. */
  #drawn: [LiveChart, Drawn[]][] = [];
  #series = new LiveSeries([]);
  #frame = 0;
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
      { id: "live", "aria-label": "trials under way" },
      h("p", { class: "now" }, this.#state, this.#what, this.#left),
      h(
        "div",
        { class: "panels live-panels" },
        figure("throughput", "tps", this.#throughput),
        figure("latency p50, p95, p99 (dashed)", "ms", this.#latency),
        figure("sessions", "by wait event class", this.#sessions),
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
    if (this.#now === null) {
      this.#drawn = this.#linesOf(now.targets);
      this.#series = new LiveSeries(this.#drawn.flatMap(([, lines]) => lines.map(({ figure }) => figure)));
    }
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

  /** Draws what there is, once a frame however much has come meanwhile. */
  #draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const { instants, columns } = this.#series.last(this.#span_s);
      let first = 0;
      for (const [chart, lines] of this.#drawn) {
        chart.draw(instants, lines, columns.slice(first, first + lines.length));
        first += lines.length;
      }
    });
  }

  #linesOf(targets: string[]): [LiveChart, Drawn[]][] {
    const sides = targets.map((target, index) => ({ target, stroke: () => colour(targetClass(index)) }));
    const rates = sides.map(({ target, stroke }) => ({
      figure: ofTarget(target, ({ throughput_per_s }) => throughput_per_s),
      stroke,
      width: 1.5,
    }));
    const latencies = sides.flatMap(({ target, stroke }) =>
      LATENCIES.map(({ figure, look }) => ({ figure: ofTarget(target, figure), stroke, ...look })),
    );
    const layers = STATES.map(({ kind }, index) => ({
      figure: sessionsUpTo(index),
      stroke: () => fillOf(this.element, kind),
      width: 0,
      filled: true,
    }));
    const host: LiveLine = { stroke: () => colour("ink"), width: 1.3 };
    const read = ofHost(megabytes(({ disk_read_per_s }) => disk_read_per_s));
    const written = ofHost(megabytes(({ disk_written_per_s }) => disk_written_per_s));
    return [
      [this.#throughput, rates],
      [this.#latency, latencies],
      // The uppermost layer is drawn first, and those below it over it.
      [this.#sessions, layers.reverse()],
      [this.#cpu, [{ ...host, figure: ofHost(({ cpu_percent }) => cpu_percent) }]],
      [
        this.#disk,
        [
          { ...host, figure: read },
          { ...host, dash: [4, 2], figure: written },
        ],
      ],
    ];
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
