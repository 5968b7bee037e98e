import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { compileOwn, type InstalledClient, installClient } from "./installed.fixture.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const node = { lib: ["es2022"], types: ["node"] };
const browser = { lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"] };

describe("the npm package of the client", function () {
  this.timeout(300_000);
  let installed: InstalledClient;
  before(() => {
    installed = installClient();
  });
  after(() => installed?.remove());
  const read = (path: string): string => readFileSync(join(installed.folder, "node_modules/@colloquy/client", path), "utf8");

  it("holds one module and its types, and nothing else", () => {
    const types = ["client", "errors", "problem", "routes", "streams", "types"].map((name) => `dist/${name}.d.ts`);
    expect(installed.files.toSorted()).to.deep.equal(["README.md", "dist/LICENSE", ...types, "dist/client.js", "package.json"].toSorted());
  });

  it("needs no other package and reaches for none of Node's", () => {
    const described = JSON.parse(read("package.json"));
    expect(described).not.to.have.any.keys("dependencies", "peerDependencies", "optionalDependencies");
    expect(read("dist/client.js")).not.to.match(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
    for (const path of installed.files.filter((name) => name.endsWith(".d.ts"))) {
      const imported = [...read(path).matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, name = ""]) => name);
      expect(
        imported.filter((name) => !/^\.\/\w+\.js$/.test(name)),
        path,
      ).to.deep.equal([]);
    }
  });

  it("has the types of every route exactly as the schemas infer them", () => {
    const written = join(installed.folder, "node_modules/@colloquy/client/dist/routes.d.ts");
    writeFileSync(
      join(installed.folder, "same.mts"),
      `import type { RouteTypes as Inferred } from "${join(home, "schemas/contracts/route-types.ts")}";
import type { RouteTypes as Written } from "${written}";
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Differing<Part extends "request" | "answer"> = {
  [Key in keyof Inferred]: Key extends keyof Written ? (Same<Inferred[Key][Part], Written[Key][Part]> extends true ? never : Key) : Key;
}[keyof Inferred];
export const routes: Same<keyof Inferred, keyof Written> = true;
export const requests: [Differing<"request">] extends [never] ? true : Differing<"request"> = true;
export const answers: [Differing<"answer">] extends [never] ? true : Differing<"answer"> = true;
`,
    );
    const compilerOptions = { typeRoots: [join(home, "node_modules/@types")] };
    const options = { extends: join(home, "tsconfig.json"), compilerOptions, include: [], files: ["same.mts"] };
    writeFileSync(join(installed.folder, "tsconfig.json"), JSON.stringify(options));
    expect(compileOwn(installed.folder)).to.equal("");
  });

  it("type-checks for strangers, in a program of Node and in a page", () => {
    copyFileSync(join(home, "client/examples/ask-a-course.mjs"), join(installed.folder, "ask-a-course.mjs"));
    expect(installed.check("ask-a-course.mjs", node)).to.equal("");
    writeFileSync(
      join(installed.folder, "page.mts"),
      `import { type AnswerOf, createClient, type Problem, RequestRefused } from "@colloquy/client";
const colloquy = createClient({ address: "https://colloquy.example" });
export const titles: string[] = (await colloquy("GET /api/courses", {})).courses.map(({ title }) => title);
export type Conversation = AnswerOf<"GET /api/conversations/:conversationId">["conversation"];
export const wait = (error: unknown): number | null => (error instanceof RequestRefused ? error.retryAfterSeconds : null);
export const code = ({ code }: Problem): boolean => code === "rate_limited";
for await (const { id, data } of await colloquy("GET /api/sync/stream", { query: {}, lastEventId: "1" })) console.log(id, data.entityId);
`,
    );
    expect(installed.check("page.mts", browser)).to.equal("");
  });

  it("finds their mistakes", () => {
    writeFileSync(
      join(installed.folder, "wrong.mts"),
      `import { createClient } from "@colloquy/client";
const colloquy = createClient();
await colloquy("GET /api/nowhere", {});
await colloquy("GET /api/conversations/:conversationId", { parameters: {} });
export const sequence: string = (await colloquy("GET /api/courses/:courseId/revision", { parameters: { courseId: "a" } })).sequence;
import "@colloquy/client/dist/routes.js";
`,
    );
    expect(() => installed.check("wrong.mts", browser))
      .to.throw("api/nowhere")
      .with.property("message")
      .that.matches(/conversationId[\s\S]*'number' is not assignable to type 'string'[\s\S]*dist\/routes\.js/);
  });
});
