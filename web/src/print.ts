/**
 * What is folded on a screen and how it stands on paper: the answer keeps its lines, so that it fits two pages, and what they fold
 * stands in an appendix; everything else is unfolded, but for plans, which are files and no reading.
 */
import { h, section } from "./dom";

/** The class of what stays folded on paper. */
export const NOT_ON_PAPER = "not-on-paper";

/** The class of the items of the answer, each a line with what it folds. */
export const ANSWER_ITEM = "answer-item";

/** Unfolds what is to be read on paper below `root`; the result folds it again. */
export function unfoldForPrint(root: ParentNode): () => void {
  const folded = [...root.querySelectorAll("details")].filter(
    (details) => !details.open && !details.classList.contains(NOT_ON_PAPER) && !isInAnswer(details),
  );
  for (const details of folded) details.open = true;
  return () => folded.forEach((details) => (details.open = false));
}

/** The same with an appendix at `place`, which has what the lines of the answer fold. */
export function layOutForPrint(root: ParentNode, place: HTMLElement): () => void {
  const items = [...root.querySelectorAll<HTMLDetailsElement>(`details.${ANSWER_ITEM}`)].filter(({ open }) => !open);
  if (items.length > 0) place.replaceChildren(appendix(items));
  const fold = unfoldForPrint(root);
  return () => {
    fold();
    place.replaceChildren();
  };
}

function isInAnswer(details: HTMLElement): boolean {
  const item = details.closest<HTMLDetailsElement>(`details.${ANSWER_ITEM}`);
  return item !== null && (item === details || !item.open);
}

function appendix(items: HTMLDetailsElement[]): HTMLElement {
  const copies = items.map((item) => {
    const copy = item.cloneNode(true) as HTMLDetailsElement;
    copy.classList.remove(ANSWER_ITEM);
    copy.open = true;
    return h("li", {}, copy);
  });
  return section("in-full", "Findings and issues in full", h("ul", { class: "items" }, ...copies));
}
