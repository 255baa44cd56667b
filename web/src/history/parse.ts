/** From the text of a page to the data of a history, where it holds one. */
import { HISTORY_FORMAT, type HistoryData } from "../data";
import { UnreadableReport } from "../parse_report";

/** The history that the text of the `report-data` element holds; null when it is something else. */
export function historyIn(text: string): HistoryData | null {
  if (!/^\s*\{"history_format":/.test(text)) return null;
  const data: HistoryData = JSON.parse(text);
  if (data.history_format !== HISTORY_FORMAT) {
    throw new UnreadableReport(`this viewer reads history format ${HISTORY_FORMAT}, not ${data.history_format}`);
  }
  return data;
}
