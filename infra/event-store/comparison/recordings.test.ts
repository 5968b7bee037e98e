import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { readRecording } from "./recording.ts";
import { runComparison } from "./run.ts";

/** The whole takes two minutes: `npm run eventstore:compare -- infra/event-store/comparison/eventstoredb-23.10.5.jsonl.gz`. */
const sample = 12;
const recorded = readRecording(fileURLToPath(new URL("eventstoredb-23.10.5.jsonl.gz", import.meta.url)));

describe("the embedded event store beside recorded answers of EventStoreDB", () => {
  for (const mode of ["strict", "usual"] as const)
    it(`answers the same in its ${mode} mode, apart from what is intended`, async function () {
      this.timeout(180_000);
      const offset = mode === "strict" ? 0 : sample / 2;
      const sequences = recorded.filter((_, index) => index % sample === offset);
      const { deviations } = await runComparison(sequences, { mode, threads: 2 });
      expect(deviations.map((deviation) => `${deviation.sequence}: ${deviation.class}`)).to.deep.equal([]);
    });
});
