import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildEmbed } from "./build.ts";

/** Lays out what the npm package holds (`ui/dist/package`): the script and its parts, the manifest, the types. Run by `npm pack`. */
const home = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(home, "ui/dist/package");
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const version = createHash("sha256")
  .update(await readFile(join(home, "package-lock.json")))
  .update(await readFile(join(home, "ui/package.json")))
  .digest("hex");
await buildEmbed({ folder, version, partsFrom: "./embed" });
const types = [
  "--declaration",
  "--emitDeclarationOnly",
  "--noEmit",
  "false",
  "--allowImportingTsExtensions",
  "--rewriteRelativeImportExtensions",
];
const tsc = join(home, "node_modules/typescript/bin/tsc");
const emitted = join(folder, "emitted");
execFileSync(process.execPath, [tsc, "-p", join(home, "ui/embed/package.tsconfig.json"), ...types, "--outDir", emitted], {
  stdio: ["ignore", "ignore", "inherit"],
});
// The types of what a page may use stand for themselves; those of the parts inside stay here.
await mkdir(join(folder, "types"));
for (const name of ["loader", "element", "elements", "types"]) {
  const text = await readFile(join(emitted, "embed", `${name}.d.ts`), "utf8");
  await writeFile(join(folder, "types", `${name}.d.ts`), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
}
await rm(emitted, { recursive: true });
