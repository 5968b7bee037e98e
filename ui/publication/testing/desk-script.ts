import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The desk as one script, to be run in a page. */
export async function deskScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("publishing-desk.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    logLevel: "silent",
    tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)),
  });
  return outputFiles[0]?.text ?? "";
}
