/**
 * How a verdict looks: always its words, with a mark and a colour that add to them and never replace them.
 */
import { h } from "./dom";

const LOOKS: Record<string, { mark: string; name: string }> = {
  improved: { mark: "▲", name: "improved" },
  regressed: { mark: "▼", name: "regressed" },
  broken: { mark: "✕", name: "regressed" },
  "does not work": { mark: "✕", name: "regressed" },
  equivalent: { mark: "≈", name: "equivalent" },
  "not worse": { mark: "≥", name: "equivalent" },
  "not better": { mark: "≤", name: "unsettled" },
  "so far": { mark: "…", name: "unsettled" },
  "not enough data": { mark: "?", name: "unsettled" },
};

/** The class that colours the marks of a verdict; any other text is left plain. */
export function verdictClass(verdict: string): string {
  return `verdict-${LOOKS[verdict]?.name ?? "plain"}`;
}

/** Whether a text is a verdict. */
export function isVerdict(text: string): boolean {
  return Object.hasOwn(LOOKS, text);
}

/** The verdict as it stands in a table. */
export function verdictWords(verdict: string): HTMLElement {
  const look = LOOKS[verdict];
  return h(
    "span",
    { class: `verdict ${verdictClass(verdict)}` },
    look ? h("span", { class: "mark", "aria-hidden": "true" }, look.mark) : null,
    verdict,
  );
}
