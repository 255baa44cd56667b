/**
 * The differential flame graph of two sides: functions below their callers, coloured by which side spends more in them.
 *
 * One function has the focus of the keyboard, and the arrows move it; its figures stand below the graph, as those of the
 * function below the pointer do. Enter or a click widens a function to the whole, Escape shows all again.
 */
import type { FlameData } from "../data";
import { h, s } from "../dom";
import { flameRects, isSearched, neighbour, searchedMs, tendency, type FlameRect } from "../flame";
import { milliseconds, share, signedMilliseconds } from "../format";

const ROW_PX = 18;
/** What is narrower than this share of the graph is not drawn. */
const LEAST = 0.001;
/** Shares of the width that a name needs before it is written. */
const NAMED = 0.02;
/** From this tendency on a function has one of the two strengths of a colour. */
const STRENGTHS = [0.02, 0.2] as const;

/** The graph with its field for searching and the line of figures. */
export function flameGraph(root: FlameData, names: [baseline: string, candidate: string], label: string): HTMLElement {
  const rects = flameRects(root, LEAST);
  const whole = rects[0];
  const told = h("p", { class: "flame-told", "aria-live": "polite" });
  if (!whole) return h("div", { class: "flame" }, told);
  const depth = Math.max(...rects.map((rect) => rect.depth)) + 1;
  const marks = rects.map((rect) => mark(rect, names, whole));
  const svg = s(
    "svg",
    { class: "flame-graph", width: "100%", height: depth * ROW_PX, role: "tree", "aria-label": label },
    ...marks,
  );
  let widened = whole;
  let focused = 0;
  const show = (rect: FlameRect): void => void (told.textContent = words(rect, names, whole));
  const layOut = (): void => rects.forEach((rect, index) => place(marks[index], rect, widened));
  const focusOn = (index: number): void => {
    marks[focused]?.setAttribute("tabindex", "-1");
    focused = index;
    marks[index]?.setAttribute("tabindex", "0");
    marks[index]?.focus();
  };
  const widen = (rect: FlameRect): void => {
    widened = rect;
    layOut();
  };
  marks.forEach((one, index) => {
    const rect = rects[index] ?? whole;
    one.addEventListener("pointerenter", () => show(rect));
    one.addEventListener("focus", () => show(rect));
    one.addEventListener("click", () => widen(rect === widened ? whole : rect));
  });
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") widen(rects[focused] ?? whole);
    else if (event.key === "Escape") widen(whole);
    else {
      const next = neighbour(rects, focused, event.key);
      if (next === focused) return;
      if (!isVisible(rects[next] ?? whole, widened)) widen(whole);
      focusOn(next);
    }
    event.preventDefault();
  });
  marks[0]?.setAttribute("tabindex", "0");
  layOut();
  show(whole);
  return h("div", { class: "flame" }, search(rects, marks, names), svg, told, legend(names));
}

/** The field that marks functions by their name, and says how long they take together. */
function search(rects: FlameRect[], marks: SVGElement[], names: [string, string]): HTMLElement {
  const found = h("output", {});
  const input = h("input", { type: "search", placeholder: "function", "aria-label": "search functions" });
  input.addEventListener("input", () => {
    rects.forEach((rect, index) => marks[index]?.classList.toggle("searched", isSearched(rect, input.value)));
    const [baseline, candidate] = searchedMs(rects, input.value);
    const any = rects.some((rect) => isSearched(rect, input.value));
    found.textContent = any
      ? `${names[0]} ${milliseconds(baseline)}, ${names[1]} ${milliseconds(candidate)} (${signedMilliseconds(candidate - baseline)} ms)`
      : input.value.trim() === ""
        ? ""
        : "no such function";
  });
  return h("p", { class: "flame-search" }, h("label", {}, "Search ", input), " ", found);
}

function legend([baseline, candidate]: [string, string]): HTMLElement {
  const key = (tone: string, text: string) => h("span", { class: `flame-key ${tone}` }, text);
  return h(
    "p",
    { class: "flame-legend" },
    key("flame-less-2", `only or mostly ${baseline}`),
    key("flame-less-1", `more in ${baseline}`),
    key("flame-alike", "alike, or within chance"),
    key("flame-more-1", `more in ${candidate}`),
    key("flame-more-2", `only or mostly ${candidate}`),
  );
}

/** The class of the colour of a function: none where the difference may be chance. */
function tone({ ms, isCertain }: FlameRect): string {
  const change = isCertain ? tendency(ms) : 0;
  const strength = STRENGTHS.filter((from) => Math.abs(change) >= from).length;
  return strength === 0 ? "flame-alike" : `flame-${change > 0 ? "more" : "less"}-${strength}`;
}

function mark(rect: FlameRect, names: [string, string], whole: FlameRect): SVGElement & { focus(): void } {
  const text = words(rect, names, whole);
  return s(
    "svg",
    {
      class: tone(rect),
      y: rect.depth * ROW_PX,
      height: ROW_PX,
      role: "treeitem",
      "aria-level": rect.depth + 1,
      "aria-label": text,
      tabindex: -1,
    },
    s("title", {}, text),
    s("rect", { x: 0, y: 0, width: "100%", height: ROW_PX - 1 }),
    s("text", { x: 3, y: ROW_PX - 5 }, rect.name),
  );
}

/** Whether a function is drawn when another one is as wide as the graph. */
function isVisible(rect: FlameRect, widened: FlameRect): boolean {
  const air = 1e-9;
  return rect.left + rect.width > widened.left + air && rect.left < widened.left + widened.width - air;
}

function place(mark: SVGElement | undefined, rect: FlameRect, widened: FlameRect): void {
  if (!mark) return;
  mark.toggleAttribute("hidden", !isVisible(rect, widened));
  const left = Math.max(0, (rect.left - widened.left) / widened.width);
  const right = Math.min(1, (rect.left + rect.width - widened.left) / widened.width);
  const width = Math.max(0, right - left);
  mark.setAttribute("x", `${(left * 100).toFixed(4)}%`);
  mark.setAttribute("width", `${(width * 100).toFixed(4)}%`);
  mark.lastElementChild?.toggleAttribute("hidden", width < NAMED);
}

function words(rect: FlameRect, [baseline, candidate]: [string, string], whole: FlameRect): string {
  const [before, after] = rect.ms;
  const of = (ms: number, all: number) => (all > 0 ? ` (${share(ms / all)})` : "");
  return (
    `${rect.name}: ${baseline} ${milliseconds(before)}${of(before, whole.ms[0])}, ` +
    `${candidate} ${milliseconds(after)}${of(after, whole.ms[1])}, ${signedMilliseconds(after - before)} ms` +
    (rect.isCertain ? "" : ", within chance")
  );
}
