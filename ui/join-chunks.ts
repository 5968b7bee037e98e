import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Metafile, Plugin } from "esbuild";

/**
 * esbuild makes a chunk for each set of entries that share modules, and every dynamic import is an entry, so a page would load dozens of
 * small files. This joins what pages load first into one file per group of pages.
 */

type Outputs = Metafile["outputs"];

export interface Joining {
  /** The outputs that each page starts with. */
  pages: Record<string, readonly string[]>;
  /** Chunks shared by several pages go into the first of these files that belongs to one of them; other chunks stay separate. */
  carriers: Record<string, readonly string[]>;
}

/**
 * The chunks to join, by the name of their file. A chunk is used by no more pages than its imports, so the files never import each other in
 * a cycle.
 */
export function groupsOf(outputs: Outputs, { pages, carriers }: Joining): Map<string, string[]> {
  const needing = new Map<string, string[]>();
  for (const [page, beginning] of Object.entries(pages))
    for (const chunk of new Set(beginning.flatMap((output) => [...reachable(outputs, output, "import-statement")])))
      needing.set(chunk, [...(needing.get(chunk) ?? []), page]);
  const groups = new Map<string, string[]>();
  for (const [chunk, by] of needing) {
    const carrier = Object.keys(carriers).find((name) => carriers[name]?.some((page) => by.includes(page)));
    // A chunk that is also loaded dynamically keeps its file, and so do the chunks that import it.
    const hasName = [chunk, ...reachable(outputs, chunk, "import-statement")].some((one) => outputs[one]?.entryPoint);
    if (hasName || (by.length > 1 && !carrier)) continue;
    const name = by.length > 1 && carrier ? carrier : `own-${by[0]}`;
    groups.set(name, [...(groups.get(name) ?? []), chunk]);
  }
  return groups;
}

/** All scripts that a script imports, transitively. */
function reachable(outputs: Outputs, from: string, kind?: "import-statement", seen = new Set<string>()): Set<string> {
  for (const one of outputs[from]?.imports ?? [])
    if (outputs[one.path] && !seen.has(one.path) && (!kind || one.kind === kind)) {
      seen.add(one.path);
      reachable(outputs, one.path, kind, seen);
    }
  return seen;
}

/** Where a chunk's exports are now: the file, and the chunk's number in it. */
interface Place {
  file: string;
  at: number;
}
type Places = ReadonlyMap<string, Place>;

/**
 * Joins chunks in place, renames scripts by their new content, and returns a matching metafile.
 * @param home what the metafile's paths are relative to
 */
export async function joinChunks({ inputs, outputs }: Metafile, home: string, joining: Joining): Promise<Metafile> {
  const groups = groupsOf(outputs, joining);
  const places: Places = new Map(
    [...groups].flatMap(([name, chunks]) => chunks.map((chunk, at) => [chunk, { file: `${dirname(chunk)}/${name}.js`, at }])),
  );
  const read = async (path: string): Promise<string> => readFile(join(home, path), "utf8");
  const made = new Map<string, { text: string; of: Outputs[string] }>();
  for (const [path, of] of Object.entries(outputs))
    if (path.endsWith(".js") && !places.has(path))
      made.set(path, { text: withNewImports(await read(path), of, places), of: { ...of, imports: newImports(of, places) } });
  for (const chunks of groups.values()) {
    const { file } = places.get(chunks[0] ?? "") as Place;
    const of = mergeOutputs(chunks.map((chunk) => outputs[chunk] as Outputs[string]));
    const imports = newImports(of, places).filter(({ path }) => path !== file);
    const texts = new Map<string, string>();
    for (const chunk of chunks) texts.set(basename(chunk), withNewImports(await read(chunk), outputs[chunk], places, file));
    const exports = chunks.flatMap((chunk, at) => outputs[chunk]?.exports.map((name) => newName(name, at)) ?? []);
    made.set(file, { text: await bundled(chunks, outputs, texts), of: { ...of, imports, exports } });
  }
  const names = namesByContent(made);
  for (const chunk of places.keys()) await rm(join(home, chunk));
  const others = Object.entries(outputs).filter(([path]) => !path.endsWith(".js"));
  return { inputs, outputs: { ...(await otherFiles(others, names, home)), ...(await scripts(made, names, home)) } };
}

const newName = (name: string, at: number): string => `${name}_${at}`;

/** The import statements at the beginning of a minified script. */
const importStatement = /import(?:\{([^}]*)\}from)?"([^"]+)";/y;

/** Redirects a script's imports to the joined files; imports within the same file stay for the bundler. */
function withNewImports(text: string, of: Outputs[string] | undefined, places: Places, within?: string): string {
  const byName = new Map(of?.imports.map(({ path }) => [basename(path), places.get(path)]));
  importStatement.lastIndex = 0;
  const statements: string[] = [];
  let end = 0;
  for (let found = importStatement.exec(text); found; found = importStatement.exec(text)) {
    const [statement, names, specifier = ""] = found;
    end = importStatement.lastIndex;
    const place = byName.get(basename(specifier));
    if (!place || place.file === within) statements.push(statement);
    else {
      const from = `"${dirname(specifier)}/${basename(place.file)}"`;
      const renamed = names?.split(",").map((name) => {
        const [there = "", here = there] = name.split(" as ");
        return `${newName(there, place.at)} as ${here}`;
      });
      statements.push(renamed ? `import{${renamed.join(",")}}from${from};` : `import${from};`);
    }
  }
  return [...new Set(statements)].join("") + text.slice(end);
}

function newImports({ imports }: Outputs[string], places: Places): Outputs[string]["imports"] {
  const moved = imports.map((one) => ({ ...one, path: places.get(one.path)?.file ?? one.path }));
  return moved.filter(({ path, kind }, index) => moved.findIndex((other) => other.path === path && other.kind === kind) === index);
}

/** The metafile entries of several outputs as one. */
function mergeOutputs(parts: readonly Outputs[string][]): Outputs[string] {
  return {
    bytes: 0,
    exports: [],
    imports: parts.flatMap(({ imports }) => imports),
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
  };
}

/** Bundles chunks into one script; exports get the chunk's number as a suffix. */
async function bundled(chunks: readonly string[], outputs: Outputs, texts: ReadonlyMap<string, string>): Promise<string> {
  const { build } = await import("esbuild");
  const lines = chunks.map((chunk, at) => {
    const names = outputs[chunk]?.exports.map((name) => `${name} as ${newName(name, at)}`) ?? [];
    return names.length > 0 ? `export{${names.join(",")}}from"./${basename(chunk)}";` : `import"./${basename(chunk)}";`;
  });
  const fromMemory: Plugin = {
    name: "from-memory",
    setup(at) {
      at.onResolve({ filter: /.*/ }, ({ path }) =>
        texts.has(basename(path)) ? { path: basename(path), namespace: "chunk" } : { path, external: true },
      );
      at.onLoad({ filter: /.*/, namespace: "chunk" }, ({ path }) => ({ contents: texts.get(path) ?? "" }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents: lines.join("") },
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    write: false,
    legalComments: "eof",
    logLevel: "silent",
    plugins: [fromMemory],
  });
  return outputFiles?.[0]?.text ?? "";
}

type Made = ReadonlyMap<string, { text: string; of: Outputs[string] }>;

/** Names scripts by a hash of their content and of everything they import, so that a name never means two contents. */
function namesByContent(made: Made): ReadonlyMap<string, string> {
  const outputs = Object.fromEntries([...made].map(([path, { of }]) => [path, of]));
  const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
  const contents = new Map([...made].map(([path, { text }]) => [path, digest(text)]));
  const named = [...made.keys()].map((path) => {
    const leadsTo = [...reachable(outputs, path)].map((one) => contents.get(one)).sort();
    const hash = digest([contents.get(path), ...leadsTo].join(" "))
      .slice(0, 8)
      .toUpperCase();
    return [basename(path), `${basename(path, ".js").replace(/-[A-Z0-9]{8}$/, "")}-${hash}.js`] as const;
  });
  return new Map(named);
}

const renamed = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(/[\w-]+\.js\b/g, (name) => names.get(name) ?? name);

/** Writes scripts under their new names. */
async function scripts(made: Made, names: ReadonlyMap<string, string>, home: string): Promise<Outputs> {
  const final: Outputs = {};
  for (const [path, { text, of }] of made) {
    const [to, content] = [renamed(path, names), renamed(text, names)];
    await rm(join(home, path), { force: true });
    await writeFile(join(home, to), content);
    final[to] = {
      ...of,
      bytes: Buffer.byteLength(content),
      imports: of.imports.map((one) => ({ ...one, path: renamed(one.path, names) })),
    };
  }
  return final;
}

/** Renames files that belong to a script, such as its licences, with it. */
async function otherFiles(
  others: readonly (readonly [string, Outputs[string]])[],
  names: ReadonlyMap<string, string>,
  home: string,
): Promise<Outputs> {
  const final: Outputs = {};
  for (const [path, of] of others) {
    const to = renamed(path, names);
    if (to !== path) await rename(join(home, path), join(home, to));
    final[to] = of;
  }
  return final;
}
