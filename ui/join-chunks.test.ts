import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { build, type Metafile } from "esbuild";
import { groupsOf, joinChunks } from "./join-chunks.ts";

describe("joining the chunks of a build", () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "colloquy-chunks-"));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  /** Two pages that share modules, each with a part that is loaded later; every module notes that it ran. */
  const sources = {
    "note.js": "export const ran = (name) => (globalThis.ran ??= []).push(name);",
    "shared.js":
      'import { ran } from "./note.js"; ran("shared"); export const shared = (words) => ["shared", words].join(" "); export const other = "other";',
    "both.js": 'import { ran } from "./note.js"; import { shared } from "./shared.js"; ran("both"); export const both = shared("by both");',
    "only-large.js": 'import { shared } from "./shared.js"; export const large = shared("by large");',
    "effect.js": 'import { ran } from "./note.js"; ran("effect");',
    "later.js":
      'import { large } from "./only-large.js"; import { other } from "./shared.js"; export const later = [large, "later", other].join(", ");',
    "small.js":
      'import { both } from "./both.js"; import "./effect.js"; export const said = async () => both; export const more = () => import("./third.js");',
    "third.js": 'import "./effect.js"; import { other } from "./shared.js"; export const third = other;',
    "large.js":
      'import { both } from "./both.js"; import { large } from "./only-large.js"; export const said = async () => [both, large, (await import("./later.js")).later].join("; ");',
  };

  async function built(folder: string, changed: Partial<typeof sources> = {}): Promise<Metafile> {
    await mkdir(join(home, folder));
    for (const [name, text] of Object.entries({ ...sources, ...changed })) await writeFile(join(home, folder, name), text);
    const { metafile } = await build({
      entryPoints: ["./small.js", "./large.js"],
      outdir: "out",
      absWorkingDir: join(home, folder),
      metafile: true,
      bundle: true,
      splitting: true,
      format: "esm",
      minify: true,
      entryNames: "[name]-[hash]",
      chunkNames: "chunks/[name]-[hash]",
    });
    return metafile;
  }
  const pagesOf = ({ outputs }: Metafile): Record<string, string[]> =>
    Object.fromEntries(
      ["small", "large"].map((page) => [page, Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === `${page}.js`)]),
    );
  const joined = async (folder: string, changed?: Partial<typeof sources>): Promise<Metafile> => {
    const metafile = await built(folder, changed);
    return joinChunks(metafile, join(home, folder), { pages: pagesOf(metafile), carriers: { shared: ["small"] } });
  };
  const module = async (path = ""): Promise<{ said: () => Promise<string>; more?: () => Promise<{ third: string }> }> => {
    await writeFile(join(home, "package.json"), '{"type":"module"}');
    return import(pathToFileURL(join(home, path)).href);
  };

  it("leaves fewer files with the same behaviour", async () => {
    const before = Object.keys((await built("apart")).outputs).length;
    const metafile = await joined("one");
    expect(Object.keys(metafile.outputs).length).to.be.below(before);
    const pages = pagesOf(metafile);
    Object.assign(globalThis, { ran: [] });
    expect(await (await module(`one/${pages.large}`)).said()).to.equal("shared by both; shared by large; shared by large, later, other");
    const small = await module(`one/${pages.small}`);
    expect(await small.said()).to.equal("shared by both");
    expect((await small.more?.())?.third).to.equal("other");
    expect((globalThis as { ran?: string[] }).ran?.sort()).to.deep.equal(["both", "effect", "shared"]);
  });

  it("returns a metafile of exactly the files there", async () => {
    const { outputs } = await joined("one");
    const lying = (await readdir(join(home, "one/out"), { recursive: true })).filter((name) => name.endsWith(".js"));
    expect(Object.keys(outputs).sort()).to.deep.equal(lying.map((name) => `out/${name}`).sort());
    for (const { imports } of Object.values(outputs))
      for (const { path } of imports) expect(existsSync(join(home, "one", path)), path).to.equal(true);
    expect(Object.keys(outputs).some((path) => /\/shared-[A-Z0-9]{8}\.js$/.test(path))).to.equal(true);
  });

  it("renames a script when anything it imports has changed", async () => {
    const [one, same] = [await joined("one"), await joined("two")];
    expect(Object.keys(one.outputs)).to.have.members(Object.keys(same.outputs));
    const before = pagesOf(one);
    const after = pagesOf(await joined("three", { "third.js": `${sources["third.js"]} export const fourth = 4;` }));
    expect(after.small).to.not.deep.equal(before.small);
    expect(after.large).to.deep.equal(before.large);
  });

  it("joins by the first carrier that needs a chunk; others stay", () => {
    const output = (imports: string[], entryPoint?: string) => ({
      bytes: 1,
      inputs: {},
      exports: [],
      ...(entryPoint && { entryPoint }),
      imports: imports.map((path) => ({ path, kind: "import-statement" as const })),
    });
    const outputs = {
      "a.js": output(["ab.js", "abc.js", "a1.js", "named.js", "beside.js"], "a.ts"),
      "b.js": output(["ab.js", "bc.js", "abc.js", "named.js"], "b.ts"),
      "c.js": output(["bc.js", "abc.js", "cd.js"], "c.ts"),
      "d.js": output(["cd.js"], "d.ts"),
      "ab.js": output(["abc.js"]),
      "abc.js": output([]),
      "bc.js": output(["abc.js"]),
      "cd.js": output([]),
      "a1.js": output(["ab.js"]),
      "named.js": output(["abc.js"], "named.ts"),
      "beside.js": output(["named.js"]),
    };
    const pages = { a: ["a.js"], b: ["b.js"], c: ["c.js"], d: ["d.js"] };
    expect(Object.fromEntries(groupsOf(outputs, { pages, carriers: { first: ["a"], second: ["b"] } }))).to.deep.equal({
      first: ["ab.js", "abc.js"],
      "own-a": ["a1.js"],
      second: ["bc.js"],
    });
  });
});
