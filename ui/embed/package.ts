import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ElementDeclaration, Manifest } from "@colloquy/schemas/embed/elements-manifest.ts";
import { buildEmbed } from "./build.ts";

/**
 * Writes the npm package (`ui/dist-npm`): the script and its parts, the manifest, the types and a `package.json`. The package is bundled, so
 * it has no dependencies. The workspace's own `package.json` is not changed, because other processes may be reading it.
 */
const home = fileURLToPath(new URL("../..", import.meta.url));
const root = join(home, "ui/dist-npm");
const folder = join(root, "dist/package");
const description = join(home, "ui/package.json");

async function writePackage(): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const own = await readFile(description, "utf8");
  const version = createHash("sha256")
    .update(await readFile(join(home, "package-lock.json")))
    .update(own)
    .digest("hex");
  await buildEmbed({ folder, version, partsFrom: "./embed" });
  await writeTypes();
  await writeFile(join(root, "package.json"), `${JSON.stringify(packageDescription(JSON.parse(own)), null, 2)}\n`);
}

/** The package's `package.json`. */
function packageDescription({ name, version, license, type, customElements, files, exports }: Record<string, unknown>): object {
  const { "./*": _sources, ...offered } = exports as Record<string, unknown>;
  const about = "Custom elements that bring questions, a tutor, quizzes and courses of a Colloquy service to any page.";
  return { name, version, description: about, license, type, sideEffects: true, customElements, files, exports: offered };
}

async function writeTypes(): Promise<void> {
  const options = ["--declaration", "--emitDeclarationOnly", "--noEmit", "false"];
  const paths = ["--allowImportingTsExtensions", "--rewriteRelativeImportExtensions"];
  const tsc = join(home, "node_modules/typescript/bin/tsc");
  const emitted = join(folder, "emitted");
  execFileSync(process.execPath, [tsc, "-p", join(home, "ui/embed/package.tsconfig.json"), ...options, ...paths, "--outDir", emitted], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // Only the public types are published, not those of the inner parts.
  await mkdir(join(folder, "types"));
  for (const name of ["loader", "element", "elements", "types"]) {
    const text = await readFile(join(emitted, "embed", `${name}.d.ts`), "utf8");
    await writeFile(join(folder, "types", `${name}.d.ts`), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
  await rm(emitted, { recursive: true });
  // Colloquy's own pages use these names for other elements, so the map is only in the package.
  const { modules } = JSON.parse(await readFile(join(folder, "custom-elements.json"), "utf8")) as Manifest;
  await appendFile(join(folder, "types/elements.d.ts"), globalTypes(modules.flatMap(({ declarations }) => declarations)));
}

/** Type declarations for the elements' tags and events. */
function globalTypes(elements: ElementDeclaration[]): string {
  const line = (name: string, type: string): string => `    "${name}": ${type};`;
  const events = new Map(elements.flatMap((element) => element.events.map(({ name, type }) => [name, type.text] as const)));
  const imported = (type: string): string => type.replaceAll(/\bEmbed\w+/g, 'import("./types.js").$&');
  return `declare global {
  interface HTMLElementTagNameMap {
${elements.map(({ tagName, name }) => line(tagName, name)).join("\n")}
  }
  interface HTMLElementEventMap {
${[...events].map(([name, type]) => line(name, imported(type))).join("\n")}
  }
}
`;
}

await writePackage();
