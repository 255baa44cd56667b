/**
 * The page of a run on a server: its report.
 */
import { UnreadableReport } from "../parse_report";
import { report, unreadable } from "../report";
import { fetchReport } from "./fetched_report";

/** Shows the run that this page is of. */
export function servedRun(place: HTMLElement): void {
  void show(place);
}

async function show(place: HTMLElement): Promise<void> {
  try {
    place.replaceChildren(...report(await fetchReport()));
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    place.replaceChildren(unreadable(error));
  }
}
