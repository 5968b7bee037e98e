import { existsSync, readFileSync } from "node:fs";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { expect } from "chai";
import { canvasParts, compiled, expressionsOf, forbiddenBinaries, packages } from "./binaries.ts";
import { dependencies, hasException, isPermissive } from "./licences.ts";
import { licencesPage, pageFile } from "./page.ts";
import { type Bom, bom } from "./sbom.ts";

/** Permissive licences of image and font libraries, which no package has as its own. */
const ofImages = new Set(["(MIT OR Apache-2.0) AND Unicode-3.0", "BSD-3-Clause AND IJG AND Zlib", "FTL", "ICU", "Zlib", "libpng-2.0"]);

describe("the packages we depend on", () => {
  it("have permissive licences or a documented exception", () => {
    const others = dependencies().filter(({ name, licence }) => licence !== "" && !isPermissive(licence) && !hasException(name));
    expect(others.map(({ name, licence }) => `${name}: ${licence}`)).to.deep.equal([]);
  });

  it("declare a licence, except builds for other platforms", () => {
    expect(
      dependencies()
        .filter(({ licence, optional }) => licence === "" && !optional)
        .map(({ name }) => name),
    ).to.deep.equal([]);
  });

  it("are pinned by hash in the lock file, without a host", () => {
    const loose = dependencies().filter(({ integrity, optional }) => !integrity?.startsWith("sha512-") && !optional);
    expect(loose.map(({ name }) => name)).to.deep.equal([]);
    expect(dependencies().filter(({ resolved }) => resolved !== undefined)).to.deep.equal([]);
  });

  it("stand in docs/reports/licences.md", () => {
    expect(readFileSync(pageFile, "utf8"), "run npm run docs:licences").to.equal(licencesPage());
  });

  it("have compiled files under the licences that the page says", function () {
    const parts = canvasParts();
    if (parts === null) return skipTest(this, "compiled files of this platform are not installed");
    const demanding = parts.flatMap(expressionsOf).filter((expression) => !isPermissive(expression));
    expect(["MIT", ...new Set(demanding.filter((expression) => !ofImages.has(expression)))].join(" AND ")).to.equal(
      compiled["@napi-rs/canvas-"]?.licence,
    );
  });

  it("contain no binary that may not be passed on", () => {
    const installed = dependencies().filter(({ name, development }) => !development && existsSync(`${packages}${name}`));
    expect(installed.length).to.be.greaterThan(300);
    expect(forbiddenBinaries(installed.map(({ name }) => name))).to.deep.equal([]);
  });

  it("are judged by the whole expression", () => {
    expect(isPermissive("(MIT OR GPL-3.0-only)")).to.equal(true);
    expect(isPermissive("(BSD-3-Clause AND Apache-2.0)")).to.equal(true);
    expect(isPermissive("MIT AND GPL-3.0-only")).to.equal(false);
    expect(isPermissive("GPL-3.0-only")).to.equal(false);
    expect(isPermissive("(MIT OR Apache-2.0) AND GPL-3.0-only")).to.equal(false);
    expect(isPermissive("(MIT OR GPL-3.0-only) AND (ISC OR GPL-2.0-only)")).to.equal(true);
    expect(isPermissive("MIT OR Apache-2.0 AND GPL-3.0-only")).to.equal(true);
    expect(isPermissive("(MIT AND (GPL-3.0-only OR (ISC AND GPL-2.0-only)))")).to.equal(false);
    for (const wrong of ["", "(MIT", "MIT)", "MIT ISC", "MIT OR", "MIT WITH Classpath-exception-2.0", "SEE LICENSE IN LICENSE"])
      expect(isPermissive(wrong), wrong).to.equal(false);
  });
});

describe("the bill of materials", () => {
  let made: Bom;
  before(async function () {
    this.timeout(120_000);
    made = await bom();
  });

  it("lists every installed package that is needed to run the program", () => {
    const listed = new Set(made.components.map(({ name, version }) => `${name}@${version}`));
    const missing = dependencies().filter(
      ({ name, version, development, optional }) => !development && !optional && !listed.has(`${name}@${version}`),
    );
    expect(missing.map(({ name, version }) => `${name}@${version}`)).to.deep.equal([]);
    expect([...listed].filter((name) => /^(?:mocha|typescript|playwright-core)@/.test(name))).to.deep.equal([]);
  });

  it("has the licences and parts of compiled files", () => {
    const found = (start: string) => made.components.filter(({ name }) => name.startsWith(start));
    for (const [start, { licence }] of Object.entries(compiled))
      for (const { licenses } of found(start)) expect(licenses).to.deep.equal([{ expression: licence }]);
    expect(found("Node.js").map(({ version, hashes }) => [version, hashes?.[0]?.content.length])).to.deep.equal([
      [process.versions.node, 64],
    ]);
    expect(found("all-MiniLM-L6-v2").map(({ hashes }) => hashes?.[0]?.content)).to.deep.equal([
      "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
    ]);
  });

  it("is CycloneDX, with a reference of its own for each part", () => {
    expect([made.bomFormat, made.specVersion, made.metadata.component.name]).to.deep.equal(["CycloneDX", "1.5", "colloquy"]);
    const references = made.components.map((component) => component["bom-ref"]);
    expect(new Set(references).size).to.equal(references.length);
  });
});
