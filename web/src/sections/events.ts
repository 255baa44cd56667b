/**
 * The drawing of an event of the plan: every trial's throughput over one another.
 */
import type { EventData, ReportData } from "../data";
import { h } from "../dom";
import { eventPanel, type Neighbour } from "../charts/event";

/** The event of this index. */
export function eventFigure(data: ReportData, index: number): HTMLElement | null {
  const event = data.events?.[index];
  if (!event) return null;
  const panel = eventPanel(event, neighboursOf(event, data.events ?? []), data.targets.indexOf(event.target));
  return h("figure", { class: "event" }, panel);
}

/** The other events in the trials of the same cell. */
function neighboursOf(event: EventData, all: EventData[]): Neighbour[] {
  const isHere = (other: EventData) =>
    other.target === event.target && other.workload === event.workload && other.clients === event.clients;
  return all
    .filter((other) => isHere(other) && other.event !== event.event)
    .map((other) => ({ name: other.event, at_s: other.planned_s - event.planned_s }));
}
