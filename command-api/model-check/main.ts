import { parseArgs } from "node:util";
import { parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { demoModelEnabled, readConfig } from "@colloquy/infra/config.ts";
import { startDemoModel } from "@colloquy/infra/demo/model/server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { createModelGateway } from "../model-gateway/gateway.ts";
import { openLocalModels } from "../model-gateway/local-models.ts";
import { checkModel } from "./check.ts";

const usage = `Usage: npm run model:check -- <slot or model>

Asks a model for everything that Colloquy asks models for, and says what it can be used for.
  <slot>   p1 to p7 (its default model) or local (the first local model)
  <model>  its id, such as p1/demonstration or local/ollama/llama3.2:3b
The variables are those of npm start; the calls cost what the service charges.
Ends with 0 if the model can do what it is offered for, with 1 if not, with 2 for a wrong call.`;

await runTool(usage, async (given) => {
  const { positionals } = parseCall(() => parseArgs({ args: given, allowPositionals: true }));
  const [wanted] = positionals;
  if (wanted === undefined || positionals.length > 1) throw new UsageError("Name one slot or model.");
  const environment = readConfig();
  const demonstration =
    demoModelEnabled(environment) && !environment.DEMO_MODEL_URL
      ? await startDemoModel({ port: 0, wordMs: environment.DEMO_MODEL_WORD_MS })
      : null;
  const config = { ...environment, ...(demonstration && { DEMO_MODEL_URL: demonstration.url }) };
  const log = createLog("model-check", { ...config, LOG_LEVEL: "silent" });
  const local = openLocalModels({ config, log });
  try {
    await local?.refresh();
    await local?.probed();
    const gateway = createModelGateway({ config, log, local });
    const choices = gateway.choices();
    const ofSlot = choices.filter(({ provider }) => provider === wanted);
    const choice = choices.find(({ id }) => id === wanted) ?? ofSlot.find((one) => one.default) ?? ofSlot[0];
    if (!choice) throw new UsageError(`${wanted} is not available. Available: ${choices.map(({ id }) => id).join(", ") || "no model"}.`);
    console.log(`${choice.name} (${choice.id}, ${choice.providerLabel})\n`);
    const { uses, asOffered } = await checkModel(gateway, choice, ({ name, passed, ms, why }) =>
      console.log(`${passed ? "✓" : "✕"} ${name.padEnd(10)} ${(ms / 1_000).toFixed(1).padStart(6)} s  ${why}`),
    );
    console.log("\nuse     can be used  offered");
    for (const use of ["ask", "quiz", "tutor"] as const)
      console.log(`${use.padEnd(7)} ${(uses[use] ? "yes" : "no").padEnd(12)} ${choice.capabilities[use] ? "yes" : "no"}`);
    if (!asOffered) console.log("\nThe model is offered for something that it cannot do.");
    return asOffered ? 0 : 1;
  } finally {
    await demonstration?.close();
  }
});
