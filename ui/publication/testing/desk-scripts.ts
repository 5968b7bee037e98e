import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The file that defines the desk; it loads the others when it needs them, because all of them are 8 MB to parse. */
export const deskEntry = "publishing-desk.js";

/** The desk's modules by file name, to be served to a page. */
export async function deskScripts(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("publishing-desk.ts", import.meta.url))],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    outdir: "desk",
    format: "esm",
    target: "es2022",
    logLevel: "silent",
    tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)),
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}
