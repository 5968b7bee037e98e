import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { expect } from "chai";
import { ensureBuilt } from "./build.ts";

const dist = fileURLToPath(new URL("dist/", import.meta.url));

describe("the build of the pages", function () {
  this.timeout(120_000);
  let built: BuiltUi;
  before(async () => {
    built = await ensureBuilt();
  });

  it("does nothing while no source has changed", async () => {
    const told: string[] = [];
    expect((await ensureBuilt({ onProgress: (words) => told.push(words) })).version).to.equal(built.version);
    expect(told).to.deep.equal([]);
  });

  it("writes everything that it names, precompressed", () => {
    const named = [
      ...Object.values(built.scripts).flatMap(({ file, imports }) => [file, ...imports]),
      ...Object.values(built.sheets),
      ...built.preloadFonts,
    ];
    expect(built.preloadFonts).to.have.length(2);
    for (const file of named) {
      expect(built.files, file).to.have.property(file);
      expect(existsSync(join(dist, file)), file).to.equal(true);
      if (!file.endsWith(".woff2"))
        expect(existsSync(join(dist, `${file}.br`)) && existsSync(join(dist, `${file}.gz`)), file).to.equal(true);
    }
  });

  it("keeps first loads at 30 kB (reading page) and 100 kB (workspace) gzip", () => {
    const firstLoad = (entry: string) => {
      const script = built.scripts[entry];
      return script ? [script.file, ...script.imports].reduce((sum, file) => sum + (built.files[file]?.gzip ?? 0), 0) / 1024 : Number.NaN;
    };
    expect(firstLoad("course")).to.be.below(30);
    expect(firstLoad("workspace")).to.be.below(100);
  });

  it("starts pages with few files, and names what to preload", () => {
    const { course, workspace } = built.scripts;
    expect(course?.imports).to.have.length(2);
    // One of them is the route that the shell is opened at.
    expect(workspace?.imports).to.have.length(4);
    expect(workspace?.soon).to.have.length(1);
    expect(workspace?.soon?.[0]).to.match(/^chunks\/database-/);
  });

  it("loads only their own messages in reading pages", () => {
    const bytes = (extent: string) => built.messages.de?.[extent]?.reduce((sum, file) => sum + (built.files[file]?.gzip ?? 0), 0) ?? 0;
    expect(bytes("reading")).to.be.within(1, 12 * 1024);
    expect(bytes("all")).to.be.greaterThan(bytes("reading") * 3);
  });

  it("ships fonts in one format", () => {
    expect(Object.keys(built.files).filter((file) => /\.(?:woff|ttf|eot)$/.test(file))).to.deep.equal([]);
  });
});
