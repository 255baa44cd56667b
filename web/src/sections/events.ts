/**
 * What followed the events of the plan: every trial's throughput over one another, and what is told of all of them.
 */
import type { EventData, ReportData } from "../data";
import { h, section } from "../dom";
import { count } from "../format";
import { eventPanel, type Neighbour } from "../charts/event";

/** One figure for each event in each cell. */
export function events(data: ReportData, all: EventData[]): HTMLElement {
  return section(
    "events",
    "Events",
    h(
      "p",
      { class: "prose" },
      "Each line is a trial. The vertical line is the instant of the request for the event. Each bar below is the gap of " +
        "one block, in which no transaction was acknowledged. Means have 95 % intervals over the trials.",
    ),
    ...all.map((event) => one(data, event, neighboursOf(event, all))),
  );
}

/** The other events in the trials of the same cell. */
function neighboursOf(event: EventData, all: EventData[]): Neighbour[] {
  const isHere = (other: EventData) =>
    other.target === event.target && other.workload === event.workload && other.clients === event.clients;
  return all
    .filter((other) => isHere(other) && other.event !== event.event)
    .map((other) => ({ name: other.event, at_s: other.planned_s - event.planned_s }));
}

function one(data: ReportData, event: EventData, neighbours: Neighbour[]): HTMLElement {
  const clients = event.clients === null ? "" : `, ${count(event.clients, "client")}`;
  return h(
    "figure",
    { class: "event" },
    h(
      "figcaption",
      {},
      h("strong", {}, `${event.event} (${event.what}): ${event.target}`),
      h("span", { class: "of" }, ` ${event.workload}${clients}`),
    ),
    ...(event.around.length > 0 ? [eventPanel(event, neighbours, data.targets.indexOf(event.target))] : []),
    h("ul", {}, ...event.lines.map((line) => h("li", {}, line))),
  );
}
