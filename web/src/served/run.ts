/**
 * The page of a run on a server: its report, made anew whenever the run has changed; and while it is measured, the strip.
 */
import { UnreadableReport } from "../parse_report";
import { h } from "../dom";
import { report, unreadable } from "../report";
import { noLongerShown } from "../theme";
import { Events } from "./events";
import { fetchReport } from "./fetched_report";
import { Strip } from "./strip";

/** Shows the run that this page is of. */
export function servedRun(place: HTMLElement): void {
  const page = new RunPage(place);
  new Events(page);
}

class RunPage {
  readonly #place: HTMLElement;
  readonly #strip = new Strip();
  /** What keeps the run from being read. */
  readonly #notice = h("p", { class: "notice", role: "alert", hidden: true });
  /** The report that is shown or was asked for last. */
  #report = "";
  #isLive = false;

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#place.replaceChildren(this.#notice);
  }

  now = (now: Parameters<Strip["now"]>[0]): void => {
    this.#isLive = true;
    this.#notice.hidden = true;
    this.#strip.now(now);
    if (now.report === this.#report) return;
    this.#report = now.report;
    void this.#show();
  };

  seconds = (seconds: Parameters<Strip["add"]>[0]): void => this.#strip.add(seconds);

  end = (how: "end" | "gone"): void => {
    this.#isLive = false;
    this.#strip.element.remove();
    if (how === "gone") this.trouble("its directory is gone; this page shows the last state");
  };

  trouble = (error: string): void => {
    this.#notice.textContent = `The run cannot be read: ${error}.`;
    this.#notice.hidden = false;
    this.#place.prepend(this.#notice);
  };

  connected = (isConnected: boolean): void => this.#strip.connected(isConnected);

  async #show(): Promise<void> {
    let shown: Node[];
    const asked = this.#report;
    try {
      const data = await fetchReport();
      if (asked !== this.#report) return;
      noLongerShown();
      shown = report(data);
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error;
      // Asked for again with the next change; what was shown stays.
      if (asked === this.#report) this.#report = "";
      if (this.#place.querySelector("#answer")) return this.trouble(error.message);
      shown = [unreadable(error)];
    }
    keepingPlace(this.#place, () => {
      const [head, ...rest] = shown;
      this.#place.replaceChildren(...(head ? [head] : []), ...(this.#isLive ? [this.#strip.element] : []), ...rest);
    });
    if (!this.#notice.hidden) this.#place.prepend(this.#notice);
  }
}

/** Replaces what a place shows; where the reader is, and what was chosen there, stays. */
function keepingPlace(place: HTMLElement, replace: () => void): void {
  const { scrollX, scrollY } = window;
  const chosen = [...place.querySelectorAll<HTMLInputElement>("input:checked")].map(({ name, value }) => ({
    name,
    value,
  }));
  const open = [...place.querySelectorAll("details")].map((details) => details.open);
  replace();
  place.querySelectorAll("details").forEach((details, index) => (details.open = open[index] ?? details.open));
  for (const input of place.querySelectorAll<HTMLInputElement>("input[type=radio]:not(:checked)")) {
    if (chosen.some(({ name, value }) => name === input.name && value === input.value)) input.click();
  }
  scrollTo(scrollX, scrollY);
}
