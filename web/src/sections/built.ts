/**
 * The sections that the report has built for all forms: tables, bars, notes and explanations, drawn without knowing what
 * they say. A new section needs nothing here.
 */
import type { BarsData, ChartName, ColumnData, ReportData, RowData, SectionBlockData, SectionData } from "../data";
import { h, scrollable, section, type Child } from "../dom";
import { partMark } from "../charts/stacked_bar";
import { waterfall } from "../charts/waterfall";
import { capacityFigures } from "./capacity";
import { diskFigures } from "./disks";
import { eventFigure } from "./events";
import { flameFigure } from "./flame";
import { tableSearch } from "../table_search";
import { isVerdict, verdictWords } from "../verdict";

type TableData = Extract<SectionBlockData, { kind: "table" }>;

/** What a chart block draws. */
const CHARTS: Record<ChartName, (data: ReportData, index: number) => HTMLElement | null> = {
  event: eventFigure,
  disk: diskFigures,
  capacity: capacityFigures,
  flame: flameFigure,
};

/** One of them. */
export function built(data: ReportData, one: SectionData): HTMLElement {
  return section(one.id, one.title, ...one.blocks.map((block) => drawn(data, one.title, block)));
}

function drawn(data: ReportData, title: string, block: SectionBlockData): HTMLElement | null {
  switch (block.kind) {
    case "explanation":
      return h("p", { class: "prose" }, block.text);
    case "note":
      return notes([block.text]);
    case "list":
      return block.is_folded
        ? h("details", {}, h("summary", {}, block.title), notes(block.items))
        : h("div", {}, h("h3", {}, block.title), notes(block.items));
    case "chart":
      return CHARTS[block.chart](data, block.index);
    case "table":
      return withCaption(block, [
        ...tables([title, block.caption].filter(Boolean).join(": "), block),
        block.notes.length > 0 && notes(block.notes),
      ]);
  }
}

function notes(texts: string[]): HTMLElement {
  return h("ul", { class: "notes" }, ...texts.map((text) => h("li", {}, text)));
}

/** One of several tables is folded where it is not foremost. */
function withCaption({ caption, is_foremost }: TableData, children: Child[]): HTMLElement {
  if (caption === null) return h("div", {}, ...children);
  return h("details", { open: is_foremost }, h("summary", {}, caption), ...children);
}

/** The rows that are shown, and below them those that are folded. */
function tables(label: string, { columns, rows, bars, folded }: TableData): Child[] {
  const drawn = (title: string, some: RowData[]): Child[] => {
    const one = table(columns, some, bars);
    return [tableSearch(one), scrollable(title, one)];
  };
  if (folded === null) return drawn(label, rows);
  return [
    ...(folded.from > 0 ? drawn(label, rows.slice(0, folded.from)) : []),
    h(
      "details",
      {},
      h("summary", {}, folded.summary),
      ...drawn(`${label}: ${folded.summary}`, rows.slice(folded.from)),
    ),
  ];
}

/** From so many characters on a row's name is wrapped. */
const LONG_NAME = 32;

function table(columns: ColumnData[], rows: RowData[], bars: BarsData | null): HTMLTableElement {
  const kind = (index: number) => {
    if (columns[index]?.is_number) return "number";
    return columns[index]?.is_code ? "statement" : "text";
  };
  // On a narrow screen the cells of a waterfall stand below one another.
  const labelOf = (index: number) => (bars ? (columns[index]?.title ?? null) : null);
  const text = (cell: string, index: number) => {
    if (columns[index]?.is_code) return h("code", {}, cell);
    return isVerdict(cell) ? verdictWords(cell) : cell;
  };
  const heads: Child[] = columns.map(({ title }, index) => h("th", { scope: "col", class: kind(index) }, title));
  const steps = waterfall(rows.flatMap(({ cells, bar }) => (bar ? [{ name: cells[0] ?? "", bar }] : [])));
  if (bars) heads.splice(bars.before, 0, h("th", { scope: "col" }, bars.title));
  // The marks are those of the parts in the bars of single trials.
  const isOfParts = bars !== null && columns[0]?.title === "part";
  const line = (row: RowData, at: number) => {
    const cells: Child[] = row.cells.map((cell, index) =>
      index === 0
        ? h(
            "th",
            { scope: "row", class: cell.length > LONG_NAME ? "long" : null },
            isOfParts ? partMark(cell) : null,
            text(cell, index),
          )
        : h("td", { class: kind(index), "data-label": labelOf(index) }, text(cell, index)),
    );
    if (bars) cells.splice(bars.before, 0, h("td", { class: "plot" }, steps[at] ?? null));
    const isWhole = bars !== null && at === rows.length - 1;
    return h("tr", { class: isWhole ? "total" : row.stands_out ? "strong" : null }, ...cells);
  };
  return h(
    "table",
    { class: bars ? "waterfall" : null },
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...rows.map(line)),
  );
}
