/**
 * Fills the template with data exactly as the binary does, for the development server and the tests.
 *
 * @param {string} template the page with its placeholder
 * @param {string} json the report's data
 * @returns {string} the page with the data in place
 */
export function fill(template, json) {
  return template.replace("__REPORT_DATA__", () => json.replaceAll("<", "\\u003c"));
}
