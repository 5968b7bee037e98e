import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { canvasParts, compiledOf } from "./binaries.ts";
import { dependencies } from "./licences.ts";

/**
 * `npm run sbom`: a software bill of materials (CycloneDX 1.5) of what is needed to run the program, from the lock file and the installed
 * packages by npm, with the compiled parts that npm does not know. `--out <file>` writes a file.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Licences {
  expression?: string;
  license?: { id?: string; name?: string };
}
export interface BomComponent {
  "bom-ref": string;
  type: string;
  name: string;
  version?: string;
  licenses?: readonly Licences[];
  hashes?: readonly { alg: string; content: string }[];
  properties?: readonly { name: string; value: string }[];
  components?: readonly object[];
}
export interface Bom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: BomComponent };
  components: BomComponent[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

export async function bom(): Promise<Bom> {
  const text = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64_000_000,
  });
  const made = JSON.parse(text) as Bom;
  // `npm sbom --omit dev` leaves out packages that only workspaces need, zod among them.
  const developers = new Set(dependencies().flatMap(({ name, version, development }) => (development ? `${name}@${version}` : [])));
  for (const { name, version, development } of dependencies()) if (!development) developers.delete(`${name}@${version}`);
  const isNeeded = (reference: string): boolean => !developers.has(reference);
  made.metadata.component.name = "colloquy";
  const components = made.components
    .filter((component) => isNeeded(component["bom-ref"]))
    .map((component): BomComponent => {
      const licence = compiledOf(component.name)?.licence;
      if (!licence) return component;
      const parts = component.name.startsWith("@napi-rs/") ? canvasParts() : null;
      return {
        ...component,
        licenses: [{ expression: licence }],
        ...(parts && { components: parts.map((part, index) => ({ ...part, "bom-ref": `${component["bom-ref"]}/${index}` })) }),
      };
    });
  const file = async (path: string, rest: Omit<BomComponent, "bom-ref" | "hashes">): Promise<BomComponent> => ({
    "bom-ref": `file:${path}`,
    ...rest,
    hashes: [{ alg: "SHA-256", content: await sha256(root + path) }],
  });
  const dependsOn = made.dependencies.filter(({ ref }) => isNeeded(ref));
  return {
    ...made,
    dependencies: dependsOn.map((one) => ({ ...one, dependsOn: one.dependsOn?.filter(isNeeded) ?? [] })),
    components: [
      ...components,
      await file("node_modules/node/bin/node", {
        type: "application",
        name: "Node.js",
        version: process.versions.node,
        licenses: [{ license: { name: "MIT, and the licences of the libraries in it (LICENSE of Node.js)" } }],
      }),
      await file("infra/embeddings/model/model.onnx", {
        type: "machine-learning-model",
        name: "all-MiniLM-L6-v2",
        licenses: [{ expression: "Apache-2.0" }],
      }),
    ],
  };
}

if (import.meta.main) {
  const { out } = parseArgs({ options: { out: { type: "string" } } }).values;
  const text = `${JSON.stringify(await bom(), null, 2)}\n`;
  if (out) writeFileSync(out, text);
  else process.stdout.write(text);
}
