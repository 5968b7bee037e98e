import { readConfig } from "@colloquy/infra/config.ts";
import { startDemoModel } from "@colloquy/infra/demo/model/server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { ModelChoice } from "@colloquy/schemas/models.ts";
import { expect } from "chai";
import { gatewayFixture } from "../model-gateway/gateway.fixture.ts";
import { createModelGateway } from "../model-gateway/gateway.ts";
import { checkModel } from "./check.ts";

describe("the check of a model", function () {
  this.timeout(120_000);
  const { serve, gatewayTo } = gatewayFixture();
  const first = (choices: ModelChoice[]): ModelChoice => {
    const [choice] = choices;
    if (!choice) throw new Error("no model");
    return choice;
  };

  it("finds that the demonstration model can do what it is offered for", async () => {
    const demonstration = await startDemoModel({ port: 0, wordMs: 1 });
    try {
      const config = readConfig({ DEMO_MODEL_URL: demonstration.url });
      const gateway = createModelGateway({ config, log: createLog("test", { ...config, LOG_LEVEL: "silent" }) });
      const { results, uses } = await checkModel(gateway, first(gateway.choices()));
      expect(results.filter(({ passed }) => passed).map(({ name }) => name)).to.include.members(["streams", "stops", "quiz", "storyboard"]);
      expect(uses).to.deep.equal({ ask: true, quiz: true, tutor: true });
    } finally {
      await demonstration.close();
    }
  });

  it("finds that a model that only talks cannot be used for quizzes and lessons", async () => {
    const words = Array.from({ length: 400 }, (_, number) => `word${number} `);
    const gateway = gatewayTo([(await serve({ kind: "stream", words, pauseMs: 2 })).url]);
    const { uses, asOffered } = await checkModel(gateway, first(gateway.choices()));
    expect(uses).to.deep.equal({ ask: true, quiz: false, tutor: false });
    expect(asOffered).to.equal(false);
  });

  it("finds that a model whose service fails can be used for nothing", async () => {
    const gateway = gatewayTo([(await serve({ kind: "status", status: 500 })).url]);
    const { uses } = await checkModel(gateway, first(gateway.choices()));
    expect(uses).to.deep.equal({ ask: false, quiz: false, tutor: false });
  });
});
