/**
 * The answer in one sentence.
 */
import type { ReportData } from "../data";
import { h } from "../dom";

/** The headline sentence with what it rests on. */
export function headline(data: ReportData): HTMLElement {
  const unpaired = data.paired
    ? null
    : h(
        "p",
        { class: "notice" },
        "The two sides were measured in separate runs. Drift of the machine between the runs is part of the change. " +
          "The intervals below are wider than those of paired blocks.",
      );
  return h(
    "section",
    { id: "answer", "aria-label": "headline" },
    h("p", { class: "headline" }, data.headline),
    h("p", { class: "detail" }, data.headline_detail),
    unpaired,
  );
}
