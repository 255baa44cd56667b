/**
 * The bars of all workloads with what can be chosen of them: the number of clients, and what the length of a bar is.
 */
import { areFarApart, barGroups, clientsWithBars } from "../bars";
import { barChart, type BarLength } from "../charts/bars";
import type { MetricName, ReportData } from "../data";
import { h } from "../dom";

/** The bars of a report; what is chosen stays chosen as long as the metric has it. */
export class Bars {
  readonly element = h("div", { hidden: true });
  readonly #data: ReportData;
  readonly #place = h("div");
  readonly #clients = h("select");
  readonly #length = h("select");
  readonly #clientsLabel = h("label", {}, "clients", this.#clients);
  #metric: MetricName = "throughput";
  #offered: (number | null)[] = [];
  #chosenLength: BarLength | null = null;

  constructor(data: ReportData) {
    this.#data = data;
    const options: [BarLength, string][] = [
      ["figure", "figures"],
      ["share", `shares of ${data.baseline}`],
    ];
    this.#length.append(...options.map(([value, text]) => h("option", { value }, text)));
    this.#clients.addEventListener("change", () => this.#draw());
    this.#length.addEventListener("change", () => {
      this.#chosenLength = this.#length.value === "share" ? "share" : "figure";
      this.#draw();
    });
    const controls = h("p", { class: "bar-controls" }, this.#clientsLabel, h("label", {}, "bars show", this.#length));
    this.element.append(controls, this.#place);
  }

  /** Shows the bars of a metric; none where too few workloads have it. */
  show(metric: MetricName): void {
    const before = this.#offered[this.#clients.selectedIndex];
    this.#metric = metric;
    this.#offered = clientsWithBars(this.#data, metric);
    this.element.hidden = this.#offered.length === 0;
    this.#clientsLabel.hidden = this.#offered.length < 2;
    this.#clients.replaceChildren(
      ...this.#offered.map((clients) => h("option", {}, clients === null ? "unknown" : String(clients))),
    );
    // The most clients say most of what the machines can do.
    const kept = before === undefined ? -1 : this.#offered.indexOf(before);
    this.#clients.selectedIndex = kept >= 0 ? kept : this.#offered.length - 1;
    this.#draw();
  }

  #draw(): void {
    const clients = this.#offered[this.#clients.selectedIndex];
    if (clients === undefined) return this.#place.replaceChildren();
    const groups = barGroups(this.#data, this.#metric, clients);
    const length = this.#chosenLength ?? (areFarApart(groups) ? "share" : "figure");
    this.#length.value = length;
    this.#place.replaceChildren(barChart(this.#data, groups, { metric: this.#metric, clients, length }));
  }
}
