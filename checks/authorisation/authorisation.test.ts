import { readFileSync } from "node:fs";
import { routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { contracts, embedContracts } from "@colloquy/schemas/contracts/index.ts";
import { expect } from "chai";
import { type Program, startProgram } from "../../journeys/program.ts";
import { assistantToken } from "../harness/actors.ts";
import { type Credentials, embedOrigin, signInAll, signInEmbedded, specialCredentials } from "./actors.ts";
import { answersOf } from "./ask.ts";
import { makeFilms } from "./films.ts";
import { authorisationPage, pageFile } from "./page.ts";
import type { Row } from "./row.ts";
import { makeSampleData, type SampleData } from "./sample-data.ts";
import { specialRoutes } from "./special-routes.ts";
import { sameForEveryLearner, table } from "./table.ts";

const workerToken = "w".repeat(40);

describe("the authorisation table", () => {
  it("has exactly the routes of the services", () => {
    expect(Object.keys(table).toSorted()).to.deep.equal(contracts.map(routeKey).toSorted());
  });

  it("distinguishes owner and other learner wherever a path has an id", () => {
    const same = Object.entries(table).filter(
      ([route, { answers, afterwards }]) =>
        route.includes("/:") && answers.learner === answers.other && afterwards?.answers.learner === afterwards?.answers.other,
    );
    expect(same.map(([route]) => route).toSorted()).to.deep.equal(Object.keys(sameForEveryLearner).toSorted());
  });

  it("gives embed tokens only the routes that embedded elements need", () => {
    const needed = embedContracts.filter(({ embed }) => embed === "learner").map(routeKey);
    const more = Object.entries(table).filter(([, { answers }]) => answers.embed !== answers.foreign);
    expect(more.map(([route]) => route).toSorted()).to.deep.equal(needed.toSorted());
    const otherwise = more.filter(([, { answers }]) => answers.embed !== answers.learner);
    expect(otherwise.map(([route]) => route)).to.deep.equal(["POST /auth/embed/renew"]);
  });

  it("matches docs/reports/authorisation.md", () => {
    expect(readFileSync(pageFile, "utf8"), "run npm run docs:authorisation").to.equal(authorisationPage());
  });

  describe("holds over the whole program, for", function () {
    // Two films are drawn up before.
    this.timeout(300_000);
    let program: Program;
    let things: SampleData;
    let credentials: Credentials;
    before(async () => {
      program = await startProgram({
        // An answer takes so long that it can be let go of while it runs.
        DEMO_MODEL_WORD_MS: "100",
        METRICS_TOKEN: "m".repeat(32),
        RENDER_WORKER_TOKEN: workerToken,
        EMBED_ORIGINS: embedOrigin,
      });
      const { url } = program;
      const signedIn = await signInAll(url, workerToken);
      const made = await makeSampleData(url, signedIn.learner);
      things = { ...made, films: await makeFilms(url, signedIn, made.courseId) };
      const token = await assistantToken(url, "learner", { name: "An assistant", scope: "sources:read tutor:read" });
      const assistant = { authorization: `Bearer ${token}` };
      credentials = { ...signedIn, assistant, embed: await signInEmbedded(url, signedIn.learner) };
    });
    after(() => program?.stop());

    function each<Who extends string>(rows: Record<string, Row<Who>>, who: () => Credentials<Who>): void {
      for (const [route, row] of Object.entries(rows))
        it(route, async () => {
          const { url, ready } = program;
          const { answers, afterwards } = row;
          const got = await answersOf(route, row, { url, ready, things, credentials: who() });
          expect(got).to.deep.equal({ answers, ...(afterwards && { afterwards: afterwards.answers }) });
        });
    }
    // First, for the last row of the table ends the sessions.
    each(specialRoutes, () => specialCredentials(credentials));
    each(table, () => credentials);
  });
});
