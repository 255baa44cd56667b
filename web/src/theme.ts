/**
 * Light, dark and paper: the switch, the colours a canvas needs as values, and the moments at which they change.
 *
 * The colours themselves stand in style.css only; the choice is not remembered, since a file has nowhere to keep it.
 */
import { h } from "./dom";

const CHANGED = "pgdyno:theme";
const PRINT = matchMedia("print");
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Ends what listens for the sake of a report that is no longer shown. */
let shown = new AbortController();

/** For as long as the report that is being drawn is shown. */
export function whileShown(): AbortSignal {
  return shown.signal;
}

/** The report that was shown is replaced: what listened for its sake does so no more. */
export function noLongerShown(): void {
  shown.abort();
  shown = new AbortController();
}

/** How many targets have a colour of their own before colours repeat. */
export const TARGET_COLOURS = 6;

/** The class that gives a target's marks their colour; the baseline is target 0. */
export function targetClass(index: number): string {
  return `target-${index % TARGET_COLOURS}`;
}

/** The value, as the canvas wants it, of a colour of style.css in the theme of this moment. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
}

/** Calls back whenever the colours change: switch, system preference, before and after printing. */
export function onThemeChange(redraw: () => void, signal: AbortSignal | null = shown.signal): void {
  document.addEventListener(CHANGED, redraw, signal ? { signal } : {});
}

/** Calls back before the page is laid out for paper, so that what is lazy can be put there. */
export function beforePrint(prepare: () => void): void {
  const { signal } = shown;
  addEventListener("beforeprint", prepare, { signal });
  PRINT.addEventListener("change", (event) => event.matches && prepare(), { signal });
}

/** The same, and calls back what that returns once the page is a screen's again. */
export function aroundPrint(prepare: () => () => void): void {
  let restore: (() => void) | null = null;
  const { signal } = shown;
  const end = () => {
    restore?.();
    restore = null;
  };
  beforePrint(() => (restore ??= prepare()));
  addEventListener("afterprint", end, { signal });
  PRINT.addEventListener("change", (event) => !event.matches && end(), { signal });
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === undefined ? DARK.matches : chosen === "dark";
}

/** The button that switches between light and dark. */
export function themeSwitch(): HTMLElement {
  const button = h("button", { type: "button", class: "theme" });
  const name = () => {
    button.textContent = isDark() ? "light" : "dark";
    button.setAttribute("aria-label", `switch to ${isDark() ? "light" : "dark"} colours`);
  };
  const changed = () => {
    name();
    document.dispatchEvent(new Event(CHANGED));
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
    changed();
  });
  DARK.addEventListener("change", changed, { signal: shown.signal });
  PRINT.addEventListener("change", changed, { signal: shown.signal });
  name();
  return button;
}
