/**
 * Puts the built script and style into the HTML, and forbids that page everything else.
 *
 * The Content-Security-Policy names the script and the style by their hashes: whatever the data hold, nothing but
 * the viewer built here runs, and nothing can be fetched. The build fails rather than emit a template that the
 * binary could not fill.
 */
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const PLACEHOLDER = "__REPORT_DATA__";

/** What the file is called and how large it may become. */
export interface SingleFile {
  fileName: string;
  atMostBytes: number;
}

/** A Vite plugin that leaves one self-contained HTML file in the output folder. */
export function singleFile({ fileName, atMostBytes }: SingleFile): Plugin {
  return {
    name: "pgdyno:single-file",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const outputs = Object.values(bundle);
      const html = outputs.find((output) => output.fileName === "index.html");
      if (html?.type !== "asset") this.error("the build made no index.html");
      const script = outputs.flatMap((output) => (output.type === "chunk" ? [output.code] : [])).join("\n");
      const style = outputs
        .flatMap((output) =>
          output.type === "asset" && output.fileName.endsWith(".css") ? [String(output.source)] : [],
        )
        .join("\n");
      const page = assemble(String(html.source), script, style);
      const fault = faultOf(page, atMostBytes);
      if (fault !== null) this.error(fault);
      for (const name of Object.keys(bundle)) delete bundle[name];
      this.emitFile({ type: "asset", fileName, source: page });
    },
  };
}

function assemble(html: string, script: string, style: string): string {
  const safeScript = script.trim().replaceAll("</script", "<\\/script");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(safeScript)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, "")
    .replace(/\s*<script type="module"[^>]*><\/script>/g, "")
    .replace(
      '<meta charset="utf-8" />',
      (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    )
    .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
    .replace("</body>", () => `  <script type="module">${safeScript}</script>\n  </body>`);
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function faultOf(page: string, atMostBytes: number): string | null {
  const holes = page.split(PLACEHOLDER).length - 1;
  const bytes = Buffer.byteLength(page);
  if (holes !== 1) return `the page holds ${holes} times ${PLACEHOLDER}, it has to hold it once`;
  if (bytes > atMostBytes) return `the page has ${bytes} bytes, more than ${atMostBytes}`;
  if (!page.includes("script-src 'sha256-")) return "the page lost its Content-Security-Policy";
  if (/<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/.test(page)) return "the page refers to another file";
  return null;
}
