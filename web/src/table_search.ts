/**
 * A long table can be searched and sorted: a field above it leaves the rows that contain its words, and the headings of the columns
 * are buttons.
 */
import { h } from "./dom";
import { integer } from "./format";
import { compareCells } from "./sort_key";

/** With fewer rows a table is read as it is. */
const ROWS_LEAST = 25;

/** The field for a table, which gets buttons as headings; null of one that is short. The table's last head row has a cell a column. */
export function tableSearch(table: HTMLTableElement): HTMLElement | null {
  const rows = [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  if (rows.length < ROWS_LEAST) return null;
  const field = h("input", { type: "search", placeholder: "words", autocomplete: "off", spellcheck: "false" });
  const found = h("output", { class: "of" });
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent?.toLowerCase() ?? "";
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    found.textContent = `${integer(shown)} of ${integer(rows.length)} rows`;
  };
  field.addEventListener("input", search);
  search();
  const heads = [...table.querySelectorAll<HTMLTableCellElement>("thead tr:last-child > *")];
  heads.forEach((head, column) => makeSortable(head, column, heads, rows));
  return h("p", { class: "search" }, h("label", {}, "search ", field), found);
}

function makeSortable(
  head: HTMLTableCellElement,
  column: number,
  heads: HTMLTableCellElement[],
  rows: HTMLTableRowElement[],
): void {
  if (head.textContent === "") return;
  const button = h("button", { type: "button", class: "sort" }, ...head.childNodes);
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const isFigures = head.classList.contains("number");
    const text = (row: HTMLTableRowElement) => row.cells[column]?.textContent ?? "";
    const sorted = [...rows].sort((one, other) => compareCells(text(one), text(other), isFigures, direction));
    // Groups of rows exist in the table's own order only.
    for (const row of sorted) row.classList.remove("group");
    rows[0]?.parentElement?.append(...sorted);
  });
}
