/**
 * The page: reads the data that it holds, and shows their report.
 */
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { parseReport, UnreadableReport } from "./parse_report";
import { report, unreadable } from "./report";

function show(place: HTMLElement, text: string): void {
  try {
    place.replaceChildren(...report(parseReport(text)));
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    place.replaceChildren(unreadable(error));
  }
}

const place = document.getElementById("report");
if (place) show(place, document.getElementById("report-data")?.textContent ?? "");
