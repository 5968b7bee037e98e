import { readFileSync } from "node:fs";
import { routes } from "@colloquy/schemas/openapi/routes.ts";
import { expect } from "chai";
import { type Program, startProgram } from "../../journeys/program.ts";
import { actorNames, type Credentials, signInAll } from "./actors.ts";
import { statusFor } from "./ask.ts";
import { authorisationPage, pageFile } from "./page.ts";
import { table } from "./table.ts";
import { makeThings, type Things } from "./things.ts";

const workerToken = "w".repeat(40);

describe("the authorisation table", () => {
  it("has every route of the services, and no other", () => {
    const described = [...routes.query, ...routes.command].map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(Object.keys(table).toSorted()).to.deep.equal(described.toSorted());
  });

  it("stands in docs/authorisation.md as it is here", () => {
    expect(readFileSync(pageFile, "utf8"), "run npm run docs:authorisation").to.equal(authorisationPage());
  });

  describe("holds over the whole program, for", function () {
    this.timeout(120_000);
    let program: Program;
    let credentials: Credentials;
    let things: Things;
    before(async () => {
      program = await startProgram({ DEMO_MODEL_WORD_MS: "0", METRICS_TOKEN: "m".repeat(32), RENDER_WORKER_TOKEN: workerToken });
      credentials = await signInAll(program.url, workerToken);
      things = await makeThings(program.url, credentials.learner);
    });
    after(() => program?.stop());

    for (const [route, { answers }] of Object.entries(table))
      it(route, async () => {
        const got: Record<string, number> = {};
        for (const actor of actorNames) {
          const ask = (): Promise<number> => statusFor(program.url, route, actor, credentials, things);
          got[actor] = await ask();
          // A machine that was short of breath for a moment says so; who may ask what is not known from that.
          if (got[actor] === 503) {
            await program.ready();
            got[actor] = await ask();
          }
        }
        expect(got).to.deep.equal(answers);
      });
  });
});
