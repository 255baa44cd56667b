/**
 * What the targets turned out to be, as read back from them: differences first, those that are only told last of them,
 * what is the same folded away.
 */
import type { FactData, ReportData } from "../data";
import { h, nothing, scrollable, section } from "../dom";
import { count } from "../format";

/** The section of the facts. */
export function facts(data: ReportData): HTMLElement {
  const title = "Facts of the targets";
  if (data.facts.length === 0) return section("facts", title, nothing("No fact could be read back from the targets."));
  const rank = (fact: FactData) => (fact.compared ? (fact.allowed ? 1 : 0) : 2);
  const different = data.facts.filter((fact) => fact.differs).sort((a, b) => rank(a) - rank(b));
  const same = data.facts.filter((fact) => !fact.differs);
  return section(
    "facts",
    title,
    different.length === 0
      ? nothing("No fact that was read back differs between the targets.")
      : scrollable("facts that differ", differences(data, different)),
    same.length > 0 &&
      h(
        "details",
        {},
        h(
          "summary",
          {},
          `${count(same.length, "fact")} the same on ${data.targets.length === 2 ? "both sides" : "all sides"}`,
        ),
        scrollable("facts that are the same", alike(same)),
      ),
  );
}

function differences(data: ReportData, rows: FactData[]): HTMLElement {
  return h(
    "table",
    { class: "facts" },
    h("caption", {}, "Differences"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col", colspan: 2 }, "fact"),
        ...data.targets.map((name) => h("th", { scope: "col" }, name === data.baseline ? `${name} (baseline)` : name)),
        h("th", { scope: "col" }, "the plan"),
      ),
    ),
    h(
      "tbody",
      {},
      ...rows.map((fact) =>
        h(
          "tr",
          { class: fact.allowed ? null : "confounder" },
          h("td", { class: "of" }, fact.group),
          h("th", { scope: "row" }, fact.name),
          ...fact.values.map((value) => h("td", { class: "value" }, value ?? unread())),
          h("td", { class: "words" }, standing(fact)),
        ),
      ),
    ),
  );
}

/** What the plan makes of a difference. */
function standing(fact: FactData): HTMLElement | string {
  if (!fact.compared) return "not compared";
  return fact.allowed ? "allows it" : h("strong", {}, "confounder");
}

function alike(rows: FactData[]): HTMLElement {
  return h(
    "table",
    { class: "facts" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", colspan: 2 }, "fact"), h("th", { scope: "col" }, "value"))),
    h(
      "tbody",
      {},
      ...rows.map((fact, index) =>
        h(
          "tr",
          {},
          h("td", { class: "of" }, fact.group === rows[index - 1]?.group ? "" : fact.group),
          h("th", { scope: "row" }, fact.name),
          h("td", { class: "value" }, fact.values[0] ?? unread()),
        ),
      ),
    ),
  );
}

function unread(): HTMLElement {
  return h("span", { class: "of" }, "unreadable");
}
