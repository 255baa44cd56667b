/**
 * Failed transactions: how many of each cell, with what the server said first and of which statement.
 */
import type { AccountData, CellAccountData, ErrorData, ReportData } from "../data";
import { h, scrollable, section } from "../dom";
import { clientsOf } from "../format";

/** What the comparisons say of failures, and a row for each cell. */
export function failures(data: ReportData, cells: CellAccountData[]): HTMLElement {
  const head = (text: string, number = false) => h("th", { scope: "col", class: number ? "number" : null }, text);
  const said = data.comparisons.filter((comparison) => (comparison.failures?.text ?? "") !== "");
  return section(
    "failures",
    "Failed and retried transactions",
    said.length > 0 &&
      h(
        "ul",
        { class: "notes" },
        ...said.map((one) =>
          h("li", {}, `${one.workload}, ${clientsOf(one.clients)}, ${one.candidate}: ${one.failures?.text ?? ""}`),
        ),
      ),
    scrollable(
      "failed transactions",
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head("server"),
            head("where"),
            head("failed", true),
            head("of", true),
            head("share", true),
            head("retried", true),
            head("SQLSTATE, first message, statement"),
          ),
        ),
        h("tbody", {}, ...cells.map(row)),
      ),
    ),
  );
}

function row(cell: CellAccountData): HTMLElement {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, cell.target),
    h("td", {}, `${cell.workload}, ${clientsOf(cell.clients)}`),
    h("td", { class: "number" }, String(cell.account.failed)),
    h("td", { class: "number" }, String(cell.account.ended)),
    h("td", { class: "number" }, percent(cell.account.failed_share)),
    h("td", { class: "number" }, percent(cell.account.retried_share)),
    h("td", { class: "prose" }, ...reasons(cell.account)),
  );
}

function reasons(account: AccountData): (HTMLElement | string)[] {
  return account.errors.length > 0 ? account.errors.map(error) : [account.reason];
}

function error(one: ErrorData): HTMLElement {
  const first = one.first.map((said) =>
    said.script === null
      ? said.message
      : `${said.message} (${said.script}:${said.line ?? "?"}: ${said.statement ?? ""})`,
  );
  return h("p", {}, `${one.sqlstate}: ${one.count}${first.length > 0 ? `; ${first.join("; ")}` : ""}`);
}

/** Of failures a thousandth of a percent is not nothing. */
function percent(share: number | null): string {
  if (share === null) return "–";
  return `${Number((share * 100).toPrecision(3))} %`;
}
