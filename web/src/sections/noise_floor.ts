/**
 * The noise floor: what the baseline against itself looks like under the same method.
 *
 * A change smaller than these, or an interval here that excludes zero, says that the set-up cannot tell.
 */
import type { ComparisonData, ReportData } from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { MISSING, change, changeInterval, metricLabel } from "../format";
import { metricOf, metricsOf } from "../metric";
import { verdictWords } from "../verdict";

/** The section of the noise floor. */
export function noiseFloor(data: ReportData): HTMLElement {
  const title = "Noise floor";
  if (data.noise_floor.length === 0) {
    return section(
      "noise-floor",
      title,
      nothing("Not measured. With noise_floor: true in the plan, the baseline is also compared with itself."),
    );
  }
  return section(
    "noise-floor",
    title,
    h(
      "p",
      { class: "prose" },
      `${data.baseline} was compared with itself, by the same method and interleaved with the other trials. ` +
        "Every interval should contain zero, and most should lie well within the practical threshold.",
    ),
    scrollable("noise floor", table(data.noise_floor)),
  );
}

function table(rows: ComparisonData[]): HTMLElement {
  const metrics = metricsOf(rows);
  return h(
    "table",
    {},
    h("caption", {}, "The baseline against itself: change and 95 % interval"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "workload"),
        h("th", { scope: "col", class: "number" }, "clients"),
        ...metrics.map((metric) => h("th", { scope: "col", class: "number" }, metricLabel(metric))),
        h("th", { scope: "col" }, "in the metric that decides"),
      ),
    ),
    h(
      "tbody",
      {},
      ...rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, row.workload),
          h("td", { class: "number" }, row.clients === null ? MISSING : String(row.clients)),
          ...metrics.map((metric) => {
            const found = metricOf(row, metric)?.change ?? null;
            return h(
              "td",
              { class: "number" },
              change(found?.point),
              found && h("span", { class: "unit below" }, changeInterval(found)),
            );
          }),
          h("td", { class: "words" }, verdictWords(row.verdict)),
        ),
      ),
    ),
  );
}
