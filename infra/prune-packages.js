import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * npm runs it after an installation: it removes files of packages that this machine cannot use or this program never loads. It may run
 * again at any time and never fails. It is JavaScript because npm may run it with Node.js 20.
 */
const home = fileURLToPath(new URL("..", import.meta.url));

/** Packages with large files that are never loaded: bundles and module formats for others, sources, demonstrations. */
const unused = {
  "@mathjax/mathjax-newcm-font": /^(chtml|mjs|svg|tex-mml-.*|(chtml|svg)\.js)$/,
  "@mathjax/mathjax-newcm-font/cjs": /^chtml/,
  "@mathjax/mathjax-newcm-font/cjs/svg": /^dynamic$/,
  "@mathjax/mathjax-stix2-font": /^(chtml|mjs|svg|tex-mml-.*|(chtml|svg)\.js)$/,
  "@mathjax/src": /^(bundle|components|ts)$/,
  "@orama/stemmers/dist": /\.cjs$/,
  "@orama/stopwords/dist": /\.cjs$/,
  "cytoscape-fcose": /^demo$/,
  "eld/src/ngrams": /^(large|medium|small)\.js$/,
  "gpt-tokenizer": /^(data|src)$/,
  "mermaid/dist": /^mermaid\.(js|min\.js|esm\.mjs)$/,
  "mermaid/dist/chunks": /^mermaid\.esm$/,
  // Headers for building add-ons.
  [`node/node_modules/node-${process.platform}-${process.arch}`]: /^(include|share)$/,
};

/** Names in a folder; none if there is no such folder. */
function namesIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A file that cannot be removed takes space and does no harm. */
function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}

function removeSourceMaps(folder) {
  for (const entry of namesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeSourceMaps(path);
    else if (entry.isFile() && entry.name.endsWith(".map")) remove(path);
  }
}

/** Libraries of the embedding model's runtime for other systems and processors. */
function removeOtherSystems(folder) {
  for (const { name: system } of namesIn(folder))
    for (const { name: processor } of namesIn(join(folder, system)))
      if (system !== process.platform || processor !== process.arch) remove(join(folder, system, processor));
}

for (const room of ["", ...namesIn(home).map(({ name }) => name)]) {
  const packages = join(home, room, "node_modules");
  for (const [name, files] of Object.entries(unused))
    for (const entry of namesIn(join(packages, name))) if (files.test(entry.name)) remove(join(packages, name, entry.name));
  removeOtherSystems(join(packages, "onnxruntime-node/bin/napi-v6"));
  removeSourceMaps(packages);
}
