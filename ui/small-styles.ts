import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { withEnglish } from "./messages-plugin.ts";

/** A sheet in a script that is nothing but itself. What is put together of parts stays as it is written. */
const sheet = /\bcss`([^`\\$]*)`/g;

/** Lit's sheets made small as those in files are: esbuild leaves alone what stands in a script's templates. */
export async function withSmallStyles(script: string): Promise<string> {
  const { transform } = await import("esbuild");
  const sheets = [...script.matchAll(sheet)].map(([, text = ""]) => text);
  const small = await Promise.all(sheets.map((text) => transform(text, { loader: "css", minify: true, logLevel: "silent" })));
  // esbuild writes no backtick and no dollar that was not there; an escape it may write would be read twice.
  return script.replace(sheet, (_all, text: string) => `css\`${escaped(small[sheets.indexOf(text)]?.code.trim() ?? text)}\``);
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\");

/** Every script of ours with small sheets and the English messages that it names. */
export const ownScripts: Plugin = {
  name: "own-scripts",
  setup(at) {
    at.onLoad({ filter: /[\\/]ui[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: await withSmallStyles(withEnglish(await readFile(path, "utf8"))),
      loader: "ts",
    }));
  },
};
