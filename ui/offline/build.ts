import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Metafile } from "esbuild";

const ui = fileURLToPath(new URL("..", import.meta.url));
const home = fileURLToPath(new URL("../..", import.meta.url));

/** Fonts of other scripts, italic code and rare symbols are cached on first use. */
const fonts = [
  /^(?:literata|instrument-sans|jetbrains-mono)-latin-wght-normal-/,
  /^literata-latin-wght-italic-/,
  /^KaTeX_(?:Main-Regular|Main-Bold|Math-Italic|Size[1-4]-Regular|AMS-Regular)-/,
];
const pages = ["ui/shell/main.ts", "ui/reading/main.ts", "ui/offline/main.ts"];
const sheets = ["theme", "reading", "katex", "course", "topic", "workspace", "offline"];
/** Grammars of rare languages are many. Mermaid is larger than everything else together; diagrams that were drawn are cached with their files. Audit needs the service. */
const notKept = /^(?:\.\.\/)*(?:node_modules\/(?:mermaid|@mermaid-js|cytoscape|highlight\.js\/(?:lib|es)\/languages)|ui\/audit\/audit\.ts)/;

/**
 * Builds the service worker, and the one that replaces it where offline reading is disabled. Classic scripts, because not every browser
 * supports modules there.
 */
export async function buildWorker(folder: string): Promise<Metafile> {
  const { build } = await import("esbuild");
  const options: BuildOptions = {
    absWorkingDir: home,
    outdir: folder,
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    metafile: true,
    entryPoints: { worker: join(ui, "offline/worker.ts"), "worker-retire": join(ui, "offline/retire.ts") },
    entryNames: "[name]",
    legalComments: "none",
    tsconfig: join(ui, "tsconfig.json"),
    logLevel: "silent",
  };
  return (await build(options)).metafile as Metafile;
}

/** The files that the workspace, review and course pages need offline: all their scripts except Mermaid and audit. */
export function filesToKeep(metafile: Metafile, folder: string): string[] {
  const kept = new Set<string>();
  const take = (output: string): void => {
    const made = metafile.outputs[output];
    if (!made || kept.has(output) || notKept.test(made.entryPoint ?? "")) return;
    kept.add(output);
    for (const { path, external } of made.imports) if (!external && path.endsWith(".js")) take(path);
  };
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    const name = basename(output);
    if (output.endsWith(".js") && pages.includes(entryPoint ?? "")) take(output);
    if (output.endsWith(".css") && sheets.some((sheet) => name.startsWith(`sheet-${sheet}-`))) kept.add(output);
    if (fonts.some((font) => font.test(name)) && name.endsWith(".woff2")) kept.add(output);
  }
  return [...kept].map((output) => relative(folder, join(home, output)).replaceAll("\\", "/")).sort();
}
