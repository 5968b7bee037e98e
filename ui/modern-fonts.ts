import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** KaTeX declares each font in three formats; every supported browser reads woff2. */
export const modernFontsOnly: Plugin = {
  name: "modern-fonts-only",
  setup(build) {
    build.onLoad({ filter: /katex[\\/]dist[\\/].*\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(["'][^"']*["']\)/g, ""),
      loader: "css",
    }));
  },
};
