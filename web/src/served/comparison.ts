/**
 * The page of two runs beside each other on a server: the report that `pgdyno compare` makes of them.
 */
import { UnreadableReport } from "../parse_report";
import { report, unreadable } from "../report";
import { fetchReport } from "./fetched_report";

/** Shows the two runs that this page is of. */
export async function servedComparison(place: HTMLElement): Promise<void> {
  try {
    place.replaceChildren(...report(await fetchReport()));
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    place.replaceChildren(unreadable(error));
  }
}
