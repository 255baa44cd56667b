/**
 * Which page of a server this is: the data in it say so in the place of a report's.
 */

/** What a server shows on a page. */
export type ServedPage = "run" | "comparison";

/** What the page has to ask its server for; null when the text is a report's, or none. */
export function servedPage(text: string): ServedPage | null {
  const served = /^\s*\{"served":"(run|comparison)"\}\s*$/.exec(text)?.[1];
  return served === "run" || served === "comparison" ? served : null;
}
