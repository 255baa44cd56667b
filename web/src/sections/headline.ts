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
