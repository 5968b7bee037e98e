import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ar } from "@colloquy/messages/ar.ts";
import { de } from "@colloquy/messages/de.ts";
import { en } from "@colloquy/messages/en.ts";
import type { MessageKey, Messages } from "@colloquy/messages/translator.ts";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

/**
 * Browsers load only the messages that a page needs. In English each module brings its own: a prepended line adds them to `en`, which is
 * empty in bundles. For other languages a page loads one file with the messages of all modules that its scripts may load.
 */

const home = fileURLToPath(new URL("..", import.meta.url));
const languages: Readonly<Record<string, Messages>> = { ar, de };
const keys = Object.keys(en) as MessageKey[];
const known = new Set<string>(keys);

/** Areas whose keys are built at run time, so they keep their names. */
const areasWithValues = /^(?:problem|remark)\./;

/** A literal that may be a key, or the prefix of keys that end in a value: `problem.${code}`. */
const literal = /(["'`])([a-z]\w*\.[\w.-]*)(\1|\$\{)/g;

/** The message keys that a module uses. */
export function keysIn(script: string): MessageKey[] {
  const found = new Set<MessageKey>();
  for (const [, , text = "", end] of script.matchAll(literal))
    if (end !== "${") {
      if (known.has(text)) found.add(text as MessageKey);
    } else if (areasWithValues.test(text)) for (const key of keys) if (key.startsWith(text)) found.add(key);
  return [...found];
}

/** Short names of keys in bundles. */
const shortKeys = new Map<string, string>();
for (const key of keys) {
  const hash = createHash("sha256").update(key).digest("base64url").replaceAll(/[-_]/g, "");
  let length = 3;
  while ([...shortKeys.values()].includes(hash.slice(0, length))) length += 1;
  shortKeys.set(key, areasWithValues.test(key) ? key : hash.slice(0, length));
}
const shortKey = (key: string): string => shortKeys.get(key) ?? key;

const pick = (messages: Messages, wanted: Iterable<MessageKey>): Record<string, unknown> =>
  Object.fromEntries([...wanted].sort().map((key) => [shortKey(key), messages[key]]));

/** A module with its English messages prepended on the first line, so that line numbers stay. */
export function withEnglish(script: string): string {
  const found = keysIn(script);
  if (found.length === 0) return script;
  return `import { en as $en } from "@colloquy/messages/en.ts"; Object.assign($en, ${JSON.stringify(pick(en, found))}); ${script.replace(literal, (whole, quote: string, text: string, end: string) => (end === quote ? quote + shortKey(text) + quote : whole))}`;
}

const ours = /^(?:ui|schemas)\/(?!node_modules\/)(?!messages\/(?:all|reading)\/).*\.ts$/;
/** A module that imports this one loads all messages before its imports show any. */
const loadsAll = "ui/messages/load-all.ts";

type Modules = Metafile["inputs"];

/** The modules that entries can load. Without `through`, stops at modules that load all messages. */
function reachable(modules: Modules, entries: readonly string[], through: boolean): Set<string> {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || !modules[path]) return;
    seen.add(path);
    const imports = modules[path].imports.map((one) => one.path);
    if (through || !imports.includes(loadsAll)) imports.forEach(visit);
  };
  entries.forEach(visit);
  return seen;
}

export interface PageMessages {
  /** The keys that reading pages need, and those that any page needs. */
  reading: ReadonlySet<MessageKey>;
  all: ReadonlySet<MessageKey>;
}

/**
 * Reads the module graph of a build.
 * @param entries all scripts, and those of reading pages, relative to the repository
 */
export async function messagesOfPages(
  entries: { all: readonly string[]; reading: readonly string[] },
  options: BuildOptions = {},
): Promise<PageMessages> {
  const { metafile } = await build({
    plugins: [],
    ...options,
    absWorkingDir: home,
    entryPoints: [...entries.all],
    outdir: join(home, "ui/dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    packages: "external",
    alias: { "@colloquy/schemas": join(home, "schemas"), "@colloquy/messages": join(home, "messages") },
    loader: { ".css": "empty" },
    tsconfig: join(home, "ui/tsconfig.json"),
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const { inputs } = metafile;
  const named = new Map<string, MessageKey[]>();
  for (const path of Object.keys(inputs)) if (ours.test(path)) named.set(path, keysIn(await readFile(join(home, path), "utf8")));
  const keysOf = (modules: Set<string>) => new Set([...modules].flatMap((path) => named.get(path) ?? []));
  return { reading: keysOf(reachable(inputs, entries.reading, false)), all: keysOf(reachable(inputs, entries.all, true)) };
}

/** Leaves out messages that no page needs. Our scripts get their English by `withEnglish`. */
export function messagesPlugin(pages: PageMessages): Plugin {
  return {
    name: "messages",
    setup(at) {
      at.onLoad({ filter: /[\\/]messages[\\/]en\.ts$/ }, () => ({ contents: "export const en = {};", loader: "ts" }));
      at.onLoad({ filter: /[\\/]ui[\\/]messages[\\/](?:all|reading)[\\/]\w+\.ts$/ }, ({ path }) => {
        const [, extent, language = ""] = /(all|reading)[\\/](\w+)\.ts$/.exec(path) ?? [];
        const messages = languages[language];
        if (!messages) throw new Error(`no messages for ${relative(home, path)}`);
        return {
          contents: `export const messages = ${JSON.stringify(pick(messages, extent === "all" ? pages.all : pages.reading))};`,
          loader: "ts",
        };
      });
    },
  };
}
