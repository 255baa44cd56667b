/**
 * The controls of the timelines: which comparison, which block, where the cursor, how much of the trial.
 *
 * All that the mouse can do on a chart can be done here with a keyboard or a thumb.
 */
import { h } from "../dom";
import { clientsOf, integer, withUnit } from "../format";
import type { Range } from "../scale";
import { isZoomable } from "../zoom";
import { keyOf, type ReadingChoice } from "../readings";
import type { Choice } from "../trials";

/** What the controls ask for. */
export interface ControlEvents {
  /** A comparison and one of its blocks, or null for all of them. */
  chosen: (choice: Choice, block: number | null) => void;
  cursor: (t_s: number) => void;
  zoom: (range: Range | null) => void;
  /** A reading to be shown beside the figures, or null for none. */
  reading: (choice: ReadingChoice | null) => void;
}

const ALL = "all";

/** The row of controls above the timelines. */
export class TimelineControls {
  readonly element: HTMLElement;
  readonly #choices: Choice[];
  readonly #comparison = h("select");
  readonly #block = h("select");
  readonly #reading = h("select");
  readonly #cursor = h("input", { type: "range", step: 1 });
  readonly #at = h("output", { class: "at" });
  readonly #from = h("input", { type: "number", step: 1, inputmode: "numeric" });
  readonly #to = h("input", { type: "number", step: 1, inputmode: "numeric" });
  readonly #zoom = h("span", { class: "zoom" });
  readonly #reset = h("button", { type: "button", class: "reset-zoom", disabled: true }, "whole trial");
  #whole: Range = [0, 1];
  #readings: ReadingChoice[] = [];

  constructor(choices: Choice[], baseline: string, events: ControlEvents) {
    this.#choices = choices;
    this.#comparison.append(
      ...choices.map((choice, index) =>
        h("option", { value: index, disabled: choice.blocks.length === 0 }, title(choice, baseline)),
      ),
    );
    const chosen = () => this.#choices[Number(this.#comparison.value)];
    this.#comparison.addEventListener("change", () => {
      const choice = chosen();
      if (choice) events.chosen(choice, choice.blocks[0] ?? null);
    });
    this.#block.addEventListener("change", () => {
      const choice = chosen();
      if (choice) events.chosen(choice, this.#block.value === ALL ? null : Number(this.#block.value));
    });
    this.#reading.addEventListener("change", () => {
      events.reading(this.#readings.find((choice) => keyOf(choice) === this.#reading.value) ?? null);
    });
    this.#cursor.addEventListener("input", () => events.cursor(Number(this.#cursor.value)));
    for (const input of [this.#from, this.#to]) {
      input.addEventListener("change", () => events.zoom([Number(this.#from.value), Number(this.#to.value)]));
    }
    this.#reset.addEventListener("click", () => events.zoom(null));
    this.element = h(
      "div",
      { class: "controls" },
      h("label", {}, "comparison ", this.#comparison),
      h("label", {}, "block ", this.#block),
      h("label", { class: "reading" }, "and ", this.#reading),
      h("label", { class: "cursor" }, "cursor ", this.#cursor, this.#at),
      this.#zoom,
    );
    this.#zoom.append(h("label", {}, "from ", this.#from), h("label", {}, " to ", this.#to, " s"), this.#reset);
  }

  /** Shows what has been chosen, here or elsewhere. */
  show(choice: Choice, block: number | null, whole: Range): void {
    this.#whole = whole;
    this.#comparison.value = String(this.#choices.indexOf(choice));
    const options = choice.blocks.map((number) =>
      h("option", { value: number }, `${number} of ${integer(choice.blocks.length)}`),
    );
    this.#block.replaceChildren(...options, h("option", { value: ALL }, "all"));
    this.#block.value = block === null ? ALL : String(block);
    for (const input of [this.#cursor, this.#from, this.#to]) {
      input.min = String(Math.floor(whole[0]));
      input.max = String(Math.ceil(whole[1]));
    }
    this.#zoom.hidden = !isZoomable(whole);
    this.showZoom(null);
    this.#cursor.value = this.#cursor.min;
    this.showCursor(null);
  }

  /** Offers readings, and shows which of them is drawn; null is none. */
  offer(readings: ReadingChoice[], chosen: ReadingChoice | null): void {
    this.#readings = readings;
    const abouts = [...new Set(readings.map(({ about }) => about))];
    const options = (about: string) => readings.filter((choice) => choice.about === about).map(readingOption);
    this.#reading.replaceChildren(
      h("option", { value: "" }, readings.length > 0 ? "no reading" : "no readings stored"),
      ...abouts.map((about) => h("optgroup", { label: about }, ...options(about))),
    );
    this.#reading.disabled = readings.length === 0;
    this.#reading.value = chosen === null ? "" : keyOf(chosen);
  }

  /** Shows the stretch of the trial that is drawn; null is all of it. */
  showZoom(range: Range | null): void {
    const [from, to] = range ?? this.#whole;
    this.#from.value = String(Math.round(from));
    this.#to.value = String(Math.round(to));
    this.#reset.disabled = range === null;
  }

  /** Shows where the cursor is. */
  showCursor(t_s: number | null): void {
    this.#at.textContent = t_s === null ? "" : `${Math.round(t_s)} s`;
    if (t_s !== null) this.#cursor.value = String(Math.round(t_s));
  }
}

function readingOption(choice: ReadingChoice): HTMLElement {
  return h("option", { value: keyOf(choice) }, withUnit(choice.name ?? "all, stacked", choice.unit));
}

function title({ kind, workload, clients, comparison }: Choice, baseline: string): string {
  const place = `${workload}, ${clientsOf(clients)}`;
  if (comparison === null) return `${place}: no comparison`;
  const against = kind === "noise-floor" ? `${baseline} against itself` : comparison.candidate;
  return `${place}: ${against} (${comparison.verdict})`;
}
