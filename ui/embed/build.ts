import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { messagesOfPages, messagesPlugin, withEnglish } from "../messages-plugin.ts";
import { modernFontsOnly } from "../modern-fonts.ts";
import { withSmallStyles } from "../small-styles.ts";
import { manifestOf } from "./manifest.ts";

/**
 * Bundles what other sites load: `embed.js`, which defines the elements, and their parts in `embed/`. Inner element names carry the build's
 * version, so that two versions can share a page.
 */

const ui = fileURLToPath(new URL("..", import.meta.url));
const home = fileURLToPath(new URL("../..", import.meta.url));
const parts = ["ask-part", "tutor-part", "quiz-part", "explainer-part", "course-part"];

export interface EmbedBuild {
  folder: string;
  version: string;
  /** The parts' path relative to `embed.js`: `./assets/embed` or `./embed`. */
  partsFrom: string;
}

const common: BuildOptions = {
  absWorkingDir: home,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  metafile: true,
  legalComments: "linked",
  tsconfig: join(ui, "tsconfig.json"),
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "silent",
};

/** Writes the bundle and returns the merged metafiles of both steps. */
export async function buildEmbed({ folder, version, partsFrom }: EmbedBuild): Promise<Metafile> {
  const { build } = await import("esbuild");
  const entries = parts.map((name) => `ui/embed/${name}.ts`);
  const made = await build({
    ...common,
    entryPoints: parts.map((name) => join(ui, "embed", `${name}.ts`)),
    outdir: join(folder, "embed"),
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "chunks/[name]-[hash]",
    plugins: [
      messagesPlugin(await messagesOfPages({ all: entries, reading: entries })),
      noLitGlobals,
      replacedModules,
      versionedNames(version.slice(0, 8)),
      sheetsAsText(folder),
    ],
  });
  const metafile = made.metafile as Metafile;
  const files = new Map(
    Object.entries(metafile.outputs).flatMap(([output, { entryPoint }]) =>
      entryPoint ? [[basename(entryPoint, ".ts"), basename(output)]] : [],
    ),
  );
  const loader = await build({
    ...common,
    entryPoints: { embed: join(ui, "embed/loader.ts") },
    outdir: folder,
    legalComments: "none",
    plugins: [
      {
        name: "parts-by-name",
        setup(at) {
          at.onResolve({ filter: /-part\.ts$/ }, ({ path }) => ({
            path: `${partsFrom}/${files.get(basename(path, ".ts"))}`,
            external: true,
          }));
        },
      },
    ],
  });
  await writeFile(join(folder, "custom-elements.json"), JSON.stringify(manifestOf(await readFile(join(ui, "embed/elements.ts"), "utf8"))));
  return {
    inputs: { ...metafile.inputs, ...loader.metafile?.inputs },
    outputs: { ...metafile.outputs, ...loader.metafile?.outputs },
  };
}

/** Replaces modules that behave differently on other sites' pages. */
const replacedModules: Plugin = {
  name: "for-pages-of-others",
  setup(at) {
    at.onResolve({ filter: /(?:^|\/)(?:katex|sanitize|diagram)\.ts$/ }, ({ path, resolveDir }) => {
      const asked = relative(ui, join(resolveDir, path)).replaceAll("\\", "/");
      // A replacement may import the module that it replaces.
      if (!asked.startsWith("rendering/") || resolveDir === join(ui, "embed/rendering")) return undefined;
      return { path: join(ui, "embed", asked) };
    });
    // Diagrams are drawn in a frame (`diagrams/`), which loads the library from the service.
    at.onResolve({ filter: /^mermaid$/ }, ({ path }) => ({ path, namespace: "elsewhere" }));
    at.onLoad({ filter: /.*/, namespace: "elsewhere" }, () => ({ contents: "export default null;" }));
  },
};

const litGlobals = /\b(?:\w+\.)?(litHtmlVersions|reactiveElementVersions|litElementVersions|litPropertyMetadata)\b/g;

/** Lit stores bookkeeping on `window`; the bundle keeps it private. */
const noLitGlobals: Plugin = {
  name: "no-globals",
  setup(at) {
    at.onResolve({ filter: /^own-notes$/ }, ({ path }) => ({ path, namespace: "own-notes" }));
    at.onLoad({ filter: /.*/, namespace: "own-notes" }, () => ({ contents: "export const ownNotes = {};" }));
    at.onLoad({ filter: /node_modules[\\/](?:@lit|lit|lit-html|lit-element)[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const own = text.replace(litGlobals, "ownNotes.$1");
      return own === text ? undefined : { contents: `import { ownNotes } from "own-notes";\n${own}` };
    });
  },
};

const rem = /(?<![\w.])(-?\d*\.?\d+)rem\b/g;
const prelude = /@(?:media|container)[^{]*\{/g;

/** Makes `rem` relative to the element instead of the host page's root; width queries stay unchanged. */
export function withOwnRem(text: string): string {
  const kept = [...text.matchAll(prelude)].map(([found]) => found);
  return text
    .split(prelude)
    .map((part, index) => part.replace(rem, "calc($1 * var(--rem))") + (kept[index] ?? ""))
    .join("");
}

/** Adds the version to inner element names, and makes `rem` relative to the element. */
function versionedNames(version: string): Plugin {
  return {
    name: "own-names",
    setup(at) {
      at.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!path.startsWith(ui) || path.includes("node_modules")) return undefined;
        const names = await elementNames();
        const named = (await readFile(path, "utf8")).replace(/\bcolloquy-[a-z]+(?:-[a-z]+)*(?![\w-])/g, (name) =>
          names.has(name) ? `${name}-${version}` : name,
        );
        return { contents: await withSmallStyles(withOwnRem(withEnglish(named))), loader: "ts" };
      });
    },
  };
}

let elementNamesOnce: Promise<Set<string>> | undefined;

/** The names of all inner elements. */
function elementNames(): Promise<Set<string>> {
  elementNamesOnce ??= readElementNames();
  return elementNamesOnce;
}

async function readElementNames(): Promise<Set<string>> {
  const files = (await readdir(ui, { recursive: true })).filter(
    (name) => /^(?!node_modules|dist).*\.ts$/.test(name) && !name.includes(".test."),
  );
  const texts = await Promise.all(files.map((name) => readFile(join(ui, name), "utf8")));
  return new Set(texts.flatMap((text) => [...text.matchAll(/@customElement\("([\w-]+)"\)/g)].map(([, name = ""]) => name)));
}

/** Inlines an imported stylesheet, with its own imports, as text. */
function sheetsAsText(folder: string): Plugin {
  return {
    name: "sheets-as-text",
    setup(at) {
      at.onLoad({ filter: /[\\/]ui[\\/]embed[\\/][\w-]+\.css$/ }, async ({ path }) => {
        const { text, fonts } = await sheetText(path, folder);
        // A sheet's fonts are written beside the parts.
        for (const { path: name, contents } of fonts) {
          await mkdir(dirname(name), { recursive: true });
          await writeFile(name, contents);
        }
        return { contents: text, loader: "text" };
      });
    },
  };
}

/** A stylesheet as bundled text, with its fonts. Element tests use it, too. */
export async function sheetText(path: string, folder: string): Promise<{ text: string; fonts: { path: string; contents: Uint8Array }[] }> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    ...common,
    entryPoints: [path],
    outdir: folder,
    metafile: false,
    legalComments: "none",
    write: false,
    assetNames: "fonts/[name]-[hash]",
    loader: { ".woff2": "file" },
    plugins: [overridableTokens, modernFontsOnly],
  });
  const css = outputFiles?.find(({ path: name }) => name.endsWith(".css"))?.text ?? "";
  return { text: sheetFor(basename(path), css), fonts: (outputFiles ?? []).filter(({ path: name }) => name.endsWith(".woff2")) };
}

const face = /@font-face\{[^}]*\}/g;

function sheetFor(name: string, css: string): string {
  if (name !== "katex-faces.css") return withOwnRem(ownFamilies(css.replace(face, "")));
  const faces = (css.match(face) ?? []).join("");
  return ownFamilies(faces).replace(/url\("?\.?\/?fonts\/Colloquy_([^)"]+)"?\)/g, "url(font:$1)");
}

const ownFamilies = (css: string): string => css.replaceAll("KaTeX_", "Colloquy_KaTeX_");

/** Puts the design tokens on the frame; pages can override them, such as `--accent` by `--colloquy-accent`. */
const overridableTokens: Plugin = {
  name: "tokens-to-overrule",
  setup(at) {
    at.onLoad({ filter: /[\\/]theme[\\/]tokens\.css$/ }, async ({ path }) => {
      const text = (await readFile(path, "utf8")).replaceAll(":root", ".colloquy-frame");
      return {
        contents: text.replace(/--([\w-]+):\s*([^;{}]+);/g, "--$1: var(--colloquy-$1, $2);").replace(/^\s*color-scheme: light dark;$/m, ""),
        loader: "css",
      };
    });
  },
};
