import { readFileSync } from "node:fs";
import { expect } from "chai";
import { dependencies, exceptions, isPermissive } from "./licences.ts";
import { licencesPage, pageFile } from "./page.ts";

describe("the packages we depend on", () => {
  it("have permissive licences or a documented exception", () => {
    const others = dependencies().filter(({ name, licence }) => licence !== "" && !isPermissive(licence) && !exceptions[name]);
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
