/**
 * The page of a history, from top to bottom: the answer, then a section for each series with its levels and changes drawn.
 */
import type { FactChangeData, HistoryData, LevelChangeData, SegmentData, SeriesData } from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { alignDecimals, bracketed, count, figure, instant, MISSING } from "../format";
import { startAtEnd } from "../scroll_signs";
import { aroundPrint, themeSwitch } from "../theme";
import { unfoldForPrint } from "../print";
import { levelPanels } from "./chart";

/** The whole page. */
export function historyPage(data: HistoryData): Node[] {
  document.title = `${data.file} (pgdyno history)`;
  aroundPrint(() => unfoldForPrint(document));
  const sections = data.series.map(seriesSection);
  return [
    header(data),
    h(
      "section",
      { id: "answer", "aria-label": "headline" },
      h("p", { class: "headline" }, data.answer),
      ...data.broken.map((text) => h("p", { class: "notice" }, text)),
      accept(data.accept),
      h("p", { class: "detail" }, data.false_alarms),
    ),
    ...(sections.length > 0 ? sections : [nothing("No run has been added yet.")]),
  ];
}

/** How to accept what got worse; nothing where nothing did. */
function accept(commands: string[]): HTMLElement | null {
  if (commands.length === 0) return null;
  const lines = commands.map((command) => h("p", {}, h("code", {}, command)));
  return h("div", { class: "detail" }, h("p", {}, "Fix the regression, or accept the new level:"), ...lines);
}

function header(data: HistoryData): HTMLElement {
  const points = data.series.flatMap(pointsOf);
  const days = points.map(({ at }) => at).sort();
  const facts: [string, string][] = [
    ["runs", String(new Set(points.map(({ run }) => run)).size)],
    ["first", instant(days[0] ?? MISSING)],
    ["last", instant(days.at(-1) ?? MISSING)],
  ];
  return h(
    "header",
    {},
    h("p", { class: "masthead" }, h("span", {}, "pgdyno history"), themeSwitch()),
    h("h1", {}, data.file),
    h(
      "dl",
      { class: "identity" },
      ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    h(
      "nav",
      { "aria-label": "contents" },
      ...data.series.map((series, index) =>
        h("a", { href: `#series-${index}` }, `${series.cell}${stands(series) ? " ▼" : ""}`),
      ),
    ),
  );
}

function pointsOf(series: SeriesData) {
  return series.segments.flatMap(({ points }) => points);
}

function stands(series: SeriesData): boolean {
  return series.segments.some(({ changes }) => changes.some((change) => change.unresolved !== null));
}

function seriesSection(series: SeriesData, index: number): HTMLElement {
  const missing = series.segments.at(-1)?.missing_runs ?? 0;
  return section(
    `series-${index}`,
    series.cell,
    h(
      "p",
      { class: "prose" },
      `${series.metric}, ${series.better} is better. Each point is a run with its 95 % interval. Intervals that are far wider ` +
        "than the spread of the runs are truncated. Each line is a level: the geometric mean of its runs. " +
        "The axis does not begin at zero.",
    ),
    drawnLevels(series),
    happened(series),
    missing > 0 && nothing(`${count(missing, "run")} more until a change can be distinguished from chance.`),
    figures(series),
  );
}

/** The runs and their levels, the newest in sight; a single run has nothing to be drawn beside. */
function drawnLevels(series: SeriesData): HTMLElement {
  if (pointsOf(series).length < 2) return nothing("One run: the chart needs two.");
  const frame = scrollable(`${series.metric} of ${series.cell} over time`, ...levelPanels(series));
  frame.querySelectorAll<HTMLElement>(".scrollable").forEach(startAtEnd);
  return frame;
}

/** What changed, in the order of time: segments with their reasons, levels with their sizes. */
function happened(series: SeriesData): HTMLElement | null {
  const items = series.segments.flatMap((segment) => [
    ...(segment.begins === null ? [] : [h("li", {}, segment.begins, facts(segment.changed))]),
    ...segment.changes.map((change) =>
      h(
        "li",
        { class: change.unresolved === null ? null : "unresolved" },
        change.text,
        caveats(change),
        facts(change.meanwhile),
      ),
    ),
  ]);
  return items.length > 0 ? h("ul", { class: "notes happened" }, ...items) : null;
}

/** What the runs of the new level say against their own figures. */
function caveats({ caveats }: LevelChangeData): HTMLElement | null {
  if (caveats.length === 0) return null;
  return h("ul", {}, ...caveats.map(({ text }) => h("li", {}, `! ${text}`)));
}

function facts(changed: FactChangeData[]): HTMLElement | null {
  if (changed.length === 0) return null;
  const told = (value: string | null) => value ?? "not given";
  return h("ul", {}, ...changed.map(({ name, from, to }) => h("li", {}, `${name}: ${told(from)} → ${told(to)}`)));
}

/** Every figure, folded. */
function figures(series: SeriesData): HTMLElement {
  const titles = ["run", "started", series.metric, "95 % interval", "trials", "caveats"];
  return h(
    "details",
    {},
    h("summary", {}, `figures of ${count(pointsOf(series).length, "run")}`),
    scrollable(
      `figures of ${series.cell}`,
      h(
        "table",
        { class: "history" },
        h("thead", {}, h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", {}, ...series.segments.flatMap(rows)),
      ),
    ),
  );
}

function rows({ points, unit }: SegmentData): HTMLElement[] {
  const values = alignDecimals(points.map(({ point }) => figure(point, unit)));
  return points.map(({ run, at, interval, trials, caveats }, index) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, run),
      h("td", {}, instant(at)),
      h("td", { class: "number" }, values[index] ?? MISSING, h("span", { class: "unit" }, unit)),
      h(
        "td",
        { class: "number" },
        interval ? bracketed(figure(interval[0], unit), figure(interval[1], unit)) : MISSING,
      ),
      h("td", { class: "number" }, String(trials)),
      h("td", {}, caveats?.map(({ kind }) => kind).join(", ") ?? "not known"),
    ),
  );
}
