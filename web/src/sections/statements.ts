/** The statements that took most of the server's time, cell by cell. */
import type { CellStatements, StatementRow } from "../data";
import { h, scrollable, section, type Child } from "../dom";
import { MISSING, significant } from "../format";

const TITLES = [
  "% of time",
  "per second",
  "mean ms",
  "rows",
  "blocks hit",
  "blocks read",
  "temp blocks",
  "WAL bytes",
  "statement",
];

/** The section of the statements. */
export function statements(cells: CellStatements[]): HTMLElement {
  return section(
    "statements",
    "Statements",
    h(
      "p",
      { class: "prose" },
      "Counters of pg_stat_statements over the measurement phases, including pgdyno's own statements. Rows, blocks and WAL are " +
        "per execution. The time is the execution time, without planning and without the route to the client.",
    ),
    ...cells.map(one),
  );
}

function one(cell: CellStatements): HTMLElement {
  const trials = cell.trials === 1 ? "1 trial" : `${cell.trials} trials`;
  const label = `${cell.target}, ${cell.workload}, ${cell.clients} clients`;
  return h(
    "div",
    {},
    h("h3", {}, label, h("span", { class: "of" }, ` ${trials}`)),
    scrollable(
      `statements of ${label}`,
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...TITLES.map((title) => h("th", { scope: "col" }, title)))),
        h(
          "tbody",
          {},
          ...cell.statements.map((row) => h("tr", {}, ...columns(row).map((column) => h("td", {}, column)))),
        ),
      ),
    ),
  );
}

function columns(row: StatementRow): Child[] {
  return [
    significant(row.share * 100),
    significant(row.calls_per_s),
    significant(row.mean_ms),
    significant(row.rows),
    significant(row.blocks_hit),
    significant(row.blocks_read),
    significant(row.temp_blocks),
    significant(row.wal_bytes),
    row.text === null ? MISSING : h("code", {}, row.text),
  ];
}
