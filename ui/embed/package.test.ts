import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Manifest } from "@colloquy/schemas/embed/elements-manifest.ts";
import { expect } from "chai";

const home = fileURLToPath(new URL("../..", import.meta.url));
const tsc = join(home, "node_modules/typescript/bin/tsc");
/** What `embed.js` may weigh, compressed: it is loaded by every page that holds an element. */
const loaderBytes = 2 * 1024;

describe("the npm package of the elements", function () {
  this.timeout(600_000);
  let folder: string;
  let installed: string;
  let packed: { path: string }[];
  let manifest: Manifest;
  const description = join(home, "ui/package.json");
  const { mtimeMs: written } = statSync(description);

  const run = (command: string, args: string[], cwd: string): string => {
    try {
      return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
    }
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "colloquy-package-"));
    const printed = run("npm", ["run", "package", "--silent", "--", "--json", "--pack-destination", folder], join(home, "ui"));
    const [{ filename, files }] = JSON.parse(printed.slice(printed.indexOf("[\n"))) as [{ filename: string; files: { path: string }[] }];
    packed = files;
    const consumer = join(folder, "consumer");
    mkdirSync(consumer);
    writeFileSync(join(consumer, "package.json"), '{ "name": "school", "private": true, "type": "module" }');
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], consumer);
    installed = join(consumer, "node_modules/@colloquy/ui");
    manifest = JSON.parse(readFileSync(join(installed, "dist/package/custom-elements.json"), "utf8"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("contains the script, parts, fonts, types and manifest only", () => {
    const paths = packed.map(({ path }) => path);
    expect(paths).to.include.members([
      "package.json",
      "dist/package/embed.js",
      "dist/package/custom-elements.json",
      "dist/package/types/loader.d.ts",
    ]);
    expect(
      paths.filter(
        (path) =>
          !/^(?:package\.json|LICENSE|README\.md|dist\/package\/(?:embed\.js|custom-elements\.json|embed\/.+|types\/.+|fonts\/.+))$/.test(
            path,
          ),
      ),
    ).to.deep.equal([]);
    for (const part of ["ask", "tutor", "quiz", "explainer", "course"])
      expect(
        paths.some((path) => path.startsWith(`dist/package/embed/${part}-part-`)),
        part,
      ).to.equal(true);
    expect(
      paths.some((path) => /mermaid\.core|flowchart/i.test(path)),
      "diagrams are the service's to draw",
    ).to.equal(false);
  });

  it("has no dependencies and does not change the workspace's package.json", () => {
    const described = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(described).not.to.have.any.keys("dependencies", "devDependencies", "scripts");
    expect(described.customElements).to.equal("dist/package/custom-elements.json");
    expect(statSync(description).mtimeMs).to.equal(written);
  });

  it("begins with a script of at most 3 kB", () => {
    expect(gzipSync(readFileSync(join(installed, "dist/package/embed.js")), { level: 9 }).length).to.be.at.most(loaderBytes);
  });

  /** Type-checks a page's module against the package. */
  const check = (source: string): string => {
    const consumer = join(folder, "consumer");
    writeFileSync(join(consumer, "page.ts"), source);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      module: "nodenext",
      types: [],
    };
    writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["page.ts"] }));
    return run(process.execPath, [tsc, "-p", "."], consumer);
  };

  it("has types that a strict page can use, with exactly the names of the manifest", () => {
    const elements = manifest.modules.flatMap(({ declarations }) => declarations);
    const uses = elements.map(({ tagName, name, members, events }) => {
      const variable = name.toLowerCase();
      const fields = members.flatMap((member) =>
        member.kind === "field" ? [`export const ${variable}_${member.name}: ${member.type.text} = ${variable}.${member.name};`] : [],
      );
      const methods = members.flatMap((member) =>
        member.kind === "method"
          ? [
              `const ${variable}_${member.name}: (${member.parameters.map((one) => `${one.name}: ${one.type.text}`).join(", ")}) => ${member.return.type.text} = ${variable}.${member.name}; ${variable}_${member.name};`,
            ]
          : [],
      );
      const heard = events.map(
        (event) =>
          `${variable}.addEventListener("${event.name}", (event) => { const { detail }: ${event.type.text} = event; return detail; });`,
      );
      return `const ${variable}: ${name} = document.createElement("${tagName}");\n${[...fields, ...methods, ...heard].join("\n")}`;
    });
    const names = elements.map(({ name }) => name);
    expect(
      check(`import { setService, type EmbeddedCitation, type EmbeddedProgress, type EmbeddedQuiz, type EmbedState } from "@colloquy/ui";
import type { ${names.join(", ")} } from "@colloquy/ui";
setService("https://learn.example");
${uses.join("\n")}
`),
    ).to.equal("");
  });

  it("has types that find mistakes", () => {
    const wrong = () =>
      check(`import "@colloquy/ui";
const ask = document.createElement("colloquy-ask");
ask.aks;
ask.addEventListener("colloquy-answered", ({ detail }) => detail.words);
document.createElement("colloquy-quiz").quiz = { title: "Mine" };
`);
    expect(wrong)
      .to.throw("'aks' does not exist")
      .with.property("message")
      .that.matches(/'words' does not exist[\s\S]*quizId/);
  });
});
