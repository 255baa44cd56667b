/**
 * Elements by function call: typed, and safe because a string child is always a text node, never markup.
 */

import { showScrollSigns } from "./scroll_signs";

/** What may stand inside an element; null and false stand for nothing. */
export type Child = Node | string | null | false | Child[];

type Attributes = Record<string, string | number | boolean | null>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
}

/** Appends children in order; strings as text. */
export function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

/** An HTML element with its attributes and children. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An SVG element with its attributes and children. */
export function s<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

/** A numberless section of the report with its heading; `id` is the target of links. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

/** A wide table or figure that scrolls by itself on a narrow screen, by keyboard too, and shows that it does. */
export function scrollable(label: string, ...children: Child[]): HTMLElement {
  const region = h("div", { class: "scrollable", role: "region", "aria-label": label }, ...children);
  showScrollSigns(region);
  return h("div", { class: "scroll-frame" }, region);
}

/** A sentence that stands where there is nothing to draw. */
export function nothing(text: string): HTMLElement {
  return h("p", { class: "nothing" }, text);
}
