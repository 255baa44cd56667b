/**
 * The answer in one sentence, and the confounders that stand between the reader and the verdicts.
 */
import type { ConfounderData, ReportData } from "../data";
import { h, scrollable } from "../dom";

/** The headline sentence with what it rests on. */
export function headline(data: ReportData): HTMLElement {
  const unpaired = data.paired
    ? null
    : h(
        "p",
        { class: "notice" },
        "The two sides were measured in separate runs. Nothing cancels what changed on the machine between them: " +
          "the intervals below are wider than paired blocks would give, and drift can pass for a change.",
      );
  return h(
    "section",
    { id: "answer", "aria-label": "headline" },
    h("p", { class: "headline" }, data.headline),
    h("p", { class: "detail" }, data.headline_detail),
    unpaired,
  );
}

/** The differences that the plan did not allow; null when there are none. */
export function confounders(rows: ConfounderData[], baseline: string): HTMLElement | null {
  if (rows.length === 0) return null;
  const table = h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["what differs", `${baseline} (baseline)`, "candidate", "what to do"].map((t) =>
          h("th", { scope: "col" }, t),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      ...rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, row.what),
          h("td", {}, row.baseline),
          h("td", {}, `${row.value}`, h("span", { class: "of" }, ` ${row.candidates.join(", ")}`)),
          h("td", { class: "prose" }, row.hint),
        ),
      ),
    ),
  );
  return h(
    "section",
    { id: "confounders", class: "confounders", "aria-labelledby": "confounders-title" },
    h("h2", { id: "confounders-title" }, rows.length === 1 ? "A confounder" : `${rows.length} confounders`),
    h(
      "p",
      {},
      "The sides differ in more than the plan allowed. Each of these could cause, or hide, the changes below.",
    ),
    scrollable("confounders", table),
  );
}
