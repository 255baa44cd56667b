/**
 * What the page shows: the report or the history whose data it holds, or what the server has that it came from.
 */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { historyIn } from "./history/parse";
import { historyPage } from "./history/page";
import { parseReport, UnreadableReport } from "./parse_report";
import { report, unreadable } from "./report";
import { servedComparison } from "./served/comparison";
import { servedPage } from "./served/page";
import { servedRun } from "./served/run";

function show(place: HTMLElement, text: string): void {
  try {
    const history = historyIn(text);
    place.replaceChildren(...(history ? historyPage(history) : report(parseReport(text))));
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    place.replaceChildren(unreadable(error));
  }
}

const place = document.getElementById("report");
const text = document.getElementById("report-data")?.textContent ?? "";
if (place) {
  switch (servedPage(text)) {
    case null:
      show(place, text);
      break;
    case "run":
      servedRun(place);
      break;
    case "comparison":
      void servedComparison(place);
  }
}
