import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { en } from "@colloquy/messages/en.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import type { BuildOptions, Metafile } from "esbuild";
import { buildEmbed } from "./embed/build.ts";
import { joinChunks } from "./join-chunks.ts";
import { messagesOfPages, messagesPlugin } from "./messages-plugin.ts";
import { modernFontsOnly } from "./modern-fonts.ts";
import { buildWorker, filesToKeep } from "./offline/build.ts";
import { ownScripts } from "./small-styles.ts";

/**
 * Bundles what browsers load into `ui/dist`: a script and a sheet per page, shared chunks, fonts. Names contain content hashes; text is
 * precompressed. `manifest.json` lists the files, `metafile.json` explains their sizes.
 */

const home = fileURLToPath(new URL("..", import.meta.url));
const ui = join(home, "ui");
const dist = join(ui, "dist");

/** Scripts and sheets by the name that the service asks for. Missing files are skipped. */
const scripts: Record<string, string> = {
  workspace: "shell/main.ts",
  review: "shell/main.ts",
  audit: "shell/main.ts",
  course: "reading/main.ts",
  "sign-in": "accounts/main.ts",
  "embed-sign-in": "embed/sign-in/main.ts",
  "embed-try": "embed/try/main.ts",
  "embed-diagrams": "embed/diagrams/main.ts",
  offline: "offline/main.ts",
};
/** The page's script, which the shell loads first. */
const shellPages: Record<string, string> = { workspace: "workspace/workspace.ts", review: "review/page.ts", audit: "audit/audit.ts" };
const sheets: Record<string, string> = {
  theme: "theme/theme.css",
  reading: "theme/reading.css",
  katex: "theme/katex.css",
  course: "courses/page.css",
  topic: "courses/topic-page.css",
  workspace: "workspace/page.css",
  "sign-in": "accounts/sign-in.css",
  "embed-pages": "embed/pages.css",
  offline: "offline/offline.css",
};
/** Shared chunks go to small pages first, so that these load little that they do not need. */
const carriers = { "with-small": ["course", "embed-sign-in", "offline"], "with-large": ["workspace"] };
/** Lazy chunks that the scripts need as soon as they run; preloading saves a round trip. */
const preloads: Record<string, string[]> = { workspace: ["store/database.ts"], review: ["store/database.ts"] };
/** The fonts that every page needs first. */
const firstFonts = ["literata-latin-wght-normal", "instrument-sans-latin-wght-normal"];

/** Reading pages load only some messages, until an element asks for all. */
const readingPages = ["course", "sign-in", "embed-sign-in", "offline"];

const workers = new Set(["worker.js", "worker-retire.js"]);

export interface BuildProgress {
  onProgress?: (words: string) => void;
}

/** Builds if a source has changed since the last build; takes about 50 ms if not. */
export async function ensureBuilt(options: BuildProgress = {}): Promise<BuiltUi> {
  const version = await hashOfSources();
  const last = await readManifest();
  if (last?.version === version) return last;
  return build(version, options);
}

/** The manifest of the last build, or null. */
async function readManifest(): Promise<BuiltUi | null> {
  try {
    return JSON.parse(await readFile(join(dist, "manifest.json"), "utf8")) as BuiltUi;
  } catch {
    return null;
  }
}

/** One hash over everything a build reads: our sources, the schemas, and the versions of all packages. */
async function hashOfSources(): Promise<string> {
  const files = [
    ...(await sourceFiles(ui)),
    ...(await sourceFiles(join(home, "schemas"))),
    ...(await sourceFiles(join(home, "messages"))),
    ...(await sourceFiles(join(home, "render-service", "frames"))),
    join(home, "package-lock.json"),
  ].sort();
  const hash = createHash("sha256");
  const texts = await Promise.all(files.map((file) => readFile(file)));
  for (const [index, file] of files.entries())
    hash
      .update(`${relative(home, file)}\0`)
      .update(texts[index] ?? "")
      .update("\0");
  return hash.digest("hex").slice(0, 16);
}

/** Skips build output: another build may be replacing it. */
async function sourceFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !/^(?:node_modules|dist(?:-.+)?)$/.test(entry.name)) files.push(...(await sourceFiles(path)));
    if (entry.isFile() && /\.(?:ts|css|svg|json)$/.test(entry.name) && !entry.name.endsWith(".test.ts")) files.push(path);
  }
  return files;
}

async function build(version: string, { onProgress }: BuildProgress): Promise<BuiltUi> {
  onProgress?.(en["page.buildingPagesFirstTime"]);
  // Built beside the served folder, so that readers see the old build or the new one.
  const folder = join(ui, `dist-${process.pid}`);
  await rm(folder, { recursive: true, force: true });
  try {
    const metafile = await bundle(folder, version);
    onProgress?.(en["page.compressingThePages"]);
    const files = await compressAll(folder, metafile);
    const manifest = describe(version, folder, metafile, files);
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 1));
    await writeFile(join(folder, "metafile.json"), JSON.stringify(metafile));
    await publishBuild(folder);
    return manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle(folder: string, version: string): Promise<Metafile> {
  const esbuild = await import("esbuild");
  const entryPoints = Object.fromEntries(
    [
      ...Object.entries(scripts).map(([name, file]) => [name in shellPages ? "shell" : name, file]),
      ...Object.entries(sheets).map(([name, file]) => [`sheet-${name}`, file]),
    ]
      .filter(([, file]) => existsSync(join(ui, file ?? "")))
      .map(([name, file]) => [name, join(ui, file ?? "")]),
  );
  const entries = Object.values(scripts).map((file) => `ui/${file}`);
  const options: BuildOptions = {
    entryPoints,
    absWorkingDir: home,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    metafile: true,
    legalComments: "linked",
    tsconfig: join(ui, "tsconfig.json"),
    entryNames: "[name]-[hash]",
    chunkNames: "chunks/[name]-[hash]",
    assetNames: "fonts/[name]-[hash]",
    loader: { ".woff2": "file" },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      messagesPlugin(await messagesOfPages({ all: entries, reading: readingPages.map((page) => `ui/${scripts[page]}`) })),
      modernFontsOnly,
      ownScripts,
    ],
    logLevel: "silent",
  };
  try {
    const built = (await esbuild.build(options)).metafile as Metafile;
    const entries = Object.entries(scripts).map(([page, file]) => [page, entryOutputs(built, page, file)]);
    const pages = await joinChunks(built, home, { pages: Object.fromEntries(entries), carriers });
    const embed = await buildEmbed({ folder, version, partsFrom: "./assets/embed" });
    const worker = await buildWorker(folder);
    return {
      inputs: { ...embed.inputs, ...worker.inputs, ...pages.inputs },
      outputs: { ...embed.outputs, ...worker.outputs, ...pages.outputs },
    };
  } finally {
    await esbuild.stop();
  }
}

/** Compresses every text file (`.gz`, `.br`) and returns the sizes. */
async function compressAll(folder: string, metafile: Metafile): Promise<BuiltUi["files"]> {
  // The worker is sent from another address, with the list of files prepended.
  const outputs = Object.keys(metafile.outputs)
    .map((path) => join(home, path))
    .filter((path) => !workers.has(basename(path)));
  const sizes = await Promise.all(
    outputs.map(async (path): Promise<[string, { bytes: number; gzip: number; brotli: number }]> => {
      const name = relative(folder, path).replaceAll("\\", "/");
      const bytes = await readFile(path);
      if (!/\.(?:js|css|svg|txt)$/.test(path)) return [name, { bytes: bytes.length, gzip: bytes.length, brotli: bytes.length }];
      const [small, smaller] = await Promise.all([
        promisify(gzip)(bytes, { level: 9 }),
        promisify(brotliCompress)(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
      ]);
      await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smaller)]);
      return [name, { bytes: bytes.length, gzip: small.length, brotli: smaller.length }];
    }),
  );
  return Object.fromEntries(sizes.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describe(version: string, folder: string, metafile: Metafile, files: BuiltUi["files"]): BuiltUi {
  const nameOf = (output: string) => relative(folder, join(home, output)).replaceAll("\\", "/");
  const manifest: BuiltUi = { version, scripts: {}, sheets: {}, messages: {}, preloadFonts: [], files };
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    const source = entryPoint && relative("ui", entryPoint).replaceAll("\\", "/");
    const sheet = Object.entries(sheets).find(([, file]) => file === source)?.[0];
    if (sheet && output.endsWith(".css")) manifest.sheets[sheet] = nameOf(output);
    const [, extent, language] = /^messages\/(reading|all)\/(\w+)\.ts$/.exec(source ?? "") ?? [];
    if (language && extent) {
      manifest.messages[language] ??= {};
      manifest.messages[language][extent] = [output, ...importsOf(metafile, output)].map(nameOf);
    }
  }
  for (const [page, script] of Object.entries(scripts)) {
    const [file = "", ...more] = entryOutputs(metafile, page, script);
    const imports = new Set([file, ...more].flatMap((output) => importsOf(metafile, output)).concat(more));
    const early = (preloads[page] ?? []).map((wanted) => nameOf(outputOf(metafile, `ui/${wanted}`)));
    manifest.scripts[page] = { file: nameOf(file), imports: [...imports].map(nameOf), ...(early.length > 0 && { soon: early }) };
  }
  manifest.offline = { worker: "worker.js", files: filesToKeep(metafile, folder) };
  manifest.preloadFonts = firstFonts.flatMap((font) => Object.keys(files).filter((file) => basename(file).startsWith(`${font}-`)));
  return manifest;
}

function outputOf(metafile: Metafile, source: string): string {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0];
  if (!found) throw new Error(`Nothing was built of ${source}`);
  return found;
}

/** The scripts that a page starts with: its own, and in the shell also that of the opened page. */
function entryOutputs(metafile: Metafile, page: string, script: string): string[] {
  const opened = shellPages[page];
  return [script, ...(opened ? [opened] : [])].map((file) => outputOf(metafile, `ui/${file}`));
}

/** All static imports of an output, without dynamic ones. */
function importsOf(metafile: Metafile, output: string, seen = new Set<string>()): string[] {
  for (const { path, kind } of metafile.outputs[output]?.imports ?? [])
    if (kind === "import-statement" && !seen.has(path)) {
      seen.add(path);
      importsOf(metafile, path, seen);
    }
  return [...seen];
}

/** How long files of former builds stay, for services and open pages that still load them. */
const keptForMs = 24 * 3_600_000;

/**
 * Moves the new build next to former ones, the manifest last, so that readers see the old build or the new one. Hashed names keep
 * concurrent builds apart.
 */
async function publishBuild(folder: string): Promise<void> {
  const tables = new Set(["custom-elements.json", "metafile.json", "manifest.json"]);
  const fresh = (await filesIn(folder)).filter((name) => !tables.has(name));
  for (const name of [...fresh, ...tables]) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await rename(join(folder, name), join(dist, name));
  }
  const current = new Set([...fresh, ...tables]);
  for (const name of await filesIn(dist))
    if (!current.has(name) && Date.now() - (await stat(join(dist, name))).mtimeMs > keptForMs) await rm(join(dist, name), { force: true });
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** The size of what each page loads first, in compressed kB. */
function report(manifest: BuiltUi): string {
  const kilobytes = (files: string[]) => (files.reduce((sum, file) => sum + (manifest.files[file]?.gzip ?? 0), 0) / 1024).toFixed(1);
  const lines = Object.entries(manifest.scripts).map(
    ([name, { file, imports }]) => `${name}: ${kilobytes([file, ...imports])} kB of script (gzip)`,
  );
  return [
    ...lines,
    `embed.js: ${kilobytes(["embed.js"])} kB (gzip)`,
    `sheets: ${Object.entries(manifest.sheets)
      .map(([name, file]) => `${name} ${kilobytes([file])} kB`)
      .join(", ")}`,
  ].join("\n");
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // The launcher runs this with --ensure and reads progress as lines of JSON.
  const ensure = process.argv.includes("--ensure");
  const onProgress = (words: string) => console.log(ensure ? JSON.stringify({ progress: words }) : words);
  try {
    if (ensure) await ensureBuilt({ onProgress });
    else console.log(report(await build(await hashOfSources(), { onProgress })));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
