import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { ensureBuilt } from "@colloquy/ui/build.ts";
import { build, stop } from "esbuild";
import { type Benchmark, times } from "./benchmark.ts";

/**
 * What a browser loads before a page can be used: script and sheets, gzip. The baseline is the same entry bundled into one file, without
 * splitting, so that everything that is loaded when it is needed (Markdown, formulas, code colours, diagrams, the browser database) comes first.
 */

const home = fileURLToPath(new URL("..", import.meta.url));

interface Page {
  what: string;
  entry: string;
  source: string;
  sheets: string[];
  /** The bound of this page, in kB of script. */
  budget: number;
}

const pages: Page[] = [
  { what: "/ai", entry: "workspace", source: "ui/shell/main.ts", sheets: ["workspace"], budget: 100 },
  {
    what: "a reading page with mathematics",
    entry: "course",
    source: "ui/reading/main.ts",
    sheets: ["theme", "reading", "katex", "course"],
    budget: 100,
  },
];

export async function run(): Promise<Benchmark> {
  const built = await ensureBuilt();
  try {
    const rows = await Promise.all(pages.map((page) => measure(built, page)));
    return {
      title: "First load of the pages",
      baseline: "the same entry in one file, without splitting or lazy loading",
      rows: rows.flat(),
    };
  } finally {
    await stop();
  }
}

async function measure(built: BuiltUi, page: Page): Promise<Benchmark["rows"]> {
  const script = built.scripts[page.entry];
  if (!script) throw new Error(`the build has no script ${page.entry}`);
  const first = gzipOf(built, [script.file, ...script.imports]);
  const sheets = gzipOf(
    built,
    page.sheets.flatMap((name) => built.sheets[name] ?? []),
  );
  const whole = await inOneFile(page.source);
  return [
    {
      what: `script of ${page.what}, gzip (bound ${page.budget} kB: ${first <= page.budget * 1024 ? "holds" : "is broken"})`,
      value: kilobytes(first),
      baseline: kilobytes(whole),
      ratio: times(first / whole),
    },
    { what: `sheets of ${page.what}, gzip`, value: kilobytes(sheets) },
  ];
}

/** The entry with everything it may ever load, as one compressed script. */
async function inOneFile(source: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [source],
    absWorkingDir: home,
    bundle: true,
    splitting: false,
    format: "esm",
    target: "es2022",
    minify: true,
    write: false,
    tsconfig: "ui/tsconfig.json",
    loader: { ".woff2": "empty" },
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  const bundle = outputFiles[0]?.contents ?? new Uint8Array();
  return (await promisify(gzip)(bundle, { level: 9 })).length;
}

const gzipOf = (built: BuiltUi, files: string[]): number => files.reduce((sum, file) => sum + (built.files[file]?.gzip ?? 0), 0);
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} kB`;
