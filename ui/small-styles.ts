import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { withEnglish } from "./messages-plugin.ts";

/** A `css` template without expressions; composed ones stay as they are. */
const sheet = /\bcss`([^`\\$]*)`/g;

/** Minifies Lit's `css` templates, which esbuild leaves alone. */
export async function withSmallStyles(script: string): Promise<string> {
  const { transform } = await import("esbuild");
  const sheets = [...script.matchAll(sheet)].map(([, text = ""]) => text);
  const small = await Promise.all(sheets.map((text) => transform(text, { loader: "css", minify: true, logLevel: "silent" })));
  // esbuild adds no backticks or dollars; backslashes must be escaped for the template.
  return script.replace(sheet, (_all, text: string) => `css\`${escaped(small[sheets.indexOf(text)]?.code.trim() ?? text)}\``);
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\");

/** Our scripts with minified styles and the English messages that they use. */
export const ownScripts: Plugin = {
  name: "own-scripts",
  setup(at) {
    at.onLoad({ filter: /[\\/]ui[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: await withSmallStyles(withEnglish(await readFile(path, "utf8"))),
      loader: "ts",
    }));
  },
};
