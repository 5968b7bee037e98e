import { randomUUID } from "node:crypto";
import { routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { exampleIds } from "@colloquy/schemas/contracts/example-ids.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { expect } from "chai";
import { type Program, startProgram } from "../journeys/program.ts";
import { signInAll } from "./authorisation/actors.ts";
import { makeSampleData } from "./authorisation/sample-data.ts";

/** Examples whose answer is a refusal, because what they name has gone on, is asked twice or is a made-up session. */
const refused: Readonly<Record<string, number>> = {
  "POST /api/ai/tutor/turn": 409,
  "POST /api/review/answers": 409,
  "POST /auth/sessions/end": 404,
};

describe("the examples of the API's reference", function () {
  this.timeout(120_000);
  let program: Program;
  let headers: Record<string, string>;
  let real: Record<string, string>;
  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "0" });
    const { learner } = await signInAll(program.url, "w".repeat(40));
    const things = await makeSampleData(program.url, learner);
    const response = await fetch(`${program.url}/api/courses/${things.courseId}`);
    const { course } = (await response.json()) as { course: { topics: { id: string }[] } };
    headers = { "content-type": "application/json", accept: "application/json", ...learner };
    real = { ...things, topicId: course.topics[0]?.id ?? "", conversationId: randomUUID(), requestId: randomUUID() } as never;
  });
  after(() => program?.stop());

  for (const contract of contracts.filter(({ example }) => example)) {
    const route = routeKey(contract);
    it(`${route} is accepted as the reference shows it`, async () => {
      const { method, path, request, example } = contract;
      expect(request?.safeParse(example).error).to.equal(undefined);
      let body = JSON.stringify(example);
      for (const [name, id] of Object.entries(exampleIds))
        body = body.replaceAll(id, name === "requestId" ? randomUUID() : (real[name] ?? id));
      const response = await fetch(program.url + path, { method, headers, body });
      const text = await response.text();
      expect(response.status, text.slice(0, 500)).to.equal(refused[route] ?? 200);
      expect(text).to.not.contain('"kind":"error"');
    });
  }
});
