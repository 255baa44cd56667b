/** Latency by statement, as the load engine timed it: what each adds to a transaction on both sides. */
import type {
  PairStatementsData,
  ReportData,
  StatementChangeData,
  StatementFiguresData,
  TargetStatementsData,
  TimedStatementData,
} from "../data";
import { h, scrollable, section, type Child } from "../dom";
import {
  MISSING,
  change,
  changeInterval,
  count,
  integer,
  milliseconds,
  share,
  signedInterval,
  signedMilliseconds,
} from "../format";
import { verdictWords } from "../verdict";

/** Statements of a pair that are shown before a person asks for more. */
const SHOWN = 12;

/** One table for each pair that tells; the one with the most clients of each workload is open. */
export function statementLatency(data: ReportData): HTMLElement {
  const all = data.statement_latency;
  return section(
    "statement-latency",
    "Latency by statement",
    h(
      "p",
      { class: "prose" },
      "Milliseconds of a mean transaction and of one execution, measured by the clients. A statement begins when the " +
        "previous wait of its transaction ends, and ends with its complete answer. In a pipeline each statement begins " +
        "with the pipeline, so statements overlap.",
    ),
    ...all.map((one) =>
      h(
        "details",
        { open: isForemost(one, all) },
        h("summary", {}, `${one.workload}, ${count(one.clients, "client")}: ${one.candidate} against ${data.baseline}`),
        scrollable(
          `latency by statement of ${one.workload} at ${one.clients} clients, ${one.candidate}`,
          table(one, one.statements.slice(0, SHOWN), data.baseline),
        ),
        more(one, data.baseline),
      ),
    ),
    ...data.statement_latency_alone.map((one) => alone(one, data.statement_latency_alone)),
  );
}

/** The statements of a target that is compared with nothing. */
function alone(one: TargetStatementsData, all: TargetStatementsData[]): HTMLElement {
  const same = all.filter((other) => other.workload === one.workload);
  const leftOut = one.left_out > 0 ? `; ${count(one.left_out, "other")} only in the run directory` : "";
  return h(
    "details",
    { open: same.every((other) => other.clients <= one.clients) },
    h("summary", {}, `${one.workload}, ${count(one.clients, "client")}: ${one.target}`),
    scrollable(
      `latency by statement of ${one.workload} at ${one.clients} clients`,
      h(
        "table",
        {},
        h("caption", {}, `${one.target}, ${count(one.blocks, "block")}; most of a transaction first${leftOut}`),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "statement"),
            h("th", { scope: "col" }, "target"),
            ...FIGURES.map((text) => h("th", { scope: "col", class: "number" }, text)),
          ),
        ),
        h("tbody", {}, ...one.statements.map((row) => timed(row, one.target))),
      ),
    ),
  );
}

function timed(row: TimedStatementData, target: string): HTMLElement {
  const name = h("th", { scope: "row" }, `${row.script}:${row.line} `, h("code", {}, row.text), ofWriters(row.commits));
  return h("tr", {}, name, ...side(target, row.figures));
}

/** Of a COMMIT, whose time it is. */
function ofWriters(lines: number[]): string {
  if (lines.length === 0) return "";
  return ` (of ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")})`;
}

/** The headings of what one side tells of a statement. */
const FIGURES = ["ms of a transaction", "share", "executions", "failed", "mean", "p50", "p95", "p99", "max"];

function isForemost(one: PairStatementsData, all: PairStatementsData[]): boolean {
  const same = all.filter((other) => other.candidate === one.candidate && other.workload === one.workload);
  return same.every((other) => other.clients <= one.clients);
}

/** The rest of the statements, and how many the report has left out. */
function more(one: PairStatementsData, baseline: string): Child {
  const rest = one.statements.slice(SHOWN);
  if (rest.length === 0) return null;
  const leftOut = one.left_out > 0 ? `, ${count(one.left_out, "other")} only in the run directory` : "";
  return h(
    "details",
    {},
    h("summary", {}, `${count(rest.length, "more statement")}${leftOut}`),
    scrollable(`further statements of ${one.workload} at ${one.clients} clients`, table(one, rest, baseline)),
  );
}

function table(one: PairStatementsData, rows: StatementChangeData[], baseline: string): HTMLElement {
  const heading = (text: string) => h("th", { scope: "col" }, text);
  const number = (text: string) => h("th", { scope: "col", class: "number" }, text);
  return h(
    "table",
    {},
    h("caption", {}, `${one.candidate} against ${baseline}, ${count(one.blocks, "block")}; largest change first`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heading("statement"),
        number("change, ms"),
        number("95 % interval"),
        heading("side"),
        ...FIGURES.map(number),
        number("mean, change"),
        heading("verdict"),
        number("p99, change"),
      ),
    ),
    h("tbody", {}, ...rows.flatMap((row) => both(row, [baseline, one.candidate]))),
  );
}

/** A row for each side; what is said of both stands in the first. */
function both(row: StatementChangeData, [baseline, candidate]: [string, string]): HTMLElement[] {
  const of = (...children: Child[]) => h("td", { class: "number", rowspan: 2 }, ...children);
  return [
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "rowgroup", rowspan: 2 },
        `${row.script}:${row.line} `,
        h("code", {}, row.text),
        ofWriters(row.commits),
      ),
      h("td", { class: "number strong", rowspan: 2 }, signedMilliseconds(row.change_ms)),
      of(row.change_interval_ms ? signedInterval(row.change_interval_ms) : MISSING),
      ...side(baseline, row.baseline),
      of(row.mean_change ? `${change(row.mean_change.point)} ${changeInterval(row.mean_change)}` : MISSING),
      h("td", { rowspan: 2 }, row.verdict ? verdictWords(row.verdict) : MISSING),
      of(row.p99_change ? `${change(row.p99_change.point)} ${changeInterval(row.p99_change)}` : MISSING),
    ),
    h("tr", {}, ...side(candidate, row.candidate)),
  ];
}

function side(name: string, figures: StatementFiguresData): HTMLElement[] {
  const ms = (value: number | null) => (value === null ? MISSING : milliseconds(value));
  const retried = figures.retried > 0 ? ` + ${integer(figures.retried)} retried` : "";
  const cells = [
    milliseconds(figures.time_ms),
    figures.share === null ? MISSING : share(figures.share),
    integer(figures.executions),
    `${integer(figures.failed)}${retried}`,
    ...[figures.mean_ms, figures.p50_ms, figures.p95_ms, figures.p99_ms, figures.max_ms].map(ms),
  ];
  return [h("td", {}, name), ...cells.map((cell) => h("td", { class: "number" }, cell))];
}
