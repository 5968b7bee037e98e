import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { expect } from "chai";
import { alterationKinds, unnoticed } from "./alterations.ts";
import { leaksIn } from "./leaks.ts";
import { learnerKinds, seeded } from "./learners.ts";
import { patiently } from "./patient.ts";
import { taughtIn } from "./population.ts";
import { simulateSession } from "./simulate.ts";

describe("the evaluation's own instruments", () => {
  it("alter exports in every way, and none goes unnoticed", () => {
    const folder = mkdtempSync(join(tmpdir(), "alterations-"));
    try {
      const signer = openLedgerSigner({ DATA_DIR: join(folder, "service") });
      const forger = openLedgerSigner({ DATA_DIR: join(folder, "forger") });
      const texts = learnerKinds.map((kind, seed) => {
        const { records } = simulateSession(kind, { sessionId: `session-${seed}`, objectives: 2, random: seeded(seed), signer });
        return exportLines(`session-${seed}`, records, signer, "2026-01-02T00:00:00Z");
      });
      const missed = unnoticed(texts, { keys: signer.keys(), forger, random: seeded(5), count: 60 });
      expect(missed).to.deep.equal(Object.fromEntries(alterationKinds.map((kind) => [kind, 0])));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("ask about topics that say what they teach, and about all of a course that says it nowhere", () => {
    const [pipes, licence] = [
      { title: "Pipes", objectives: [{ text: "Combine commands." }] },
      { title: "Licence", objectives: [] },
    ];
    expect(taughtIn([pipes, licence])).to.deep.equal([pipes]);
    expect(taughtIn([licence, { title: "Tactics" }])).to.have.length(2);
  });

  it("wait while the program says not now, and take any other answer as it is", async () => {
    const answers = [
      [503, '{"code":"ai_unavailable"}', { "retry-after": "0.01" }],
      [429, "", { "retry-after": "0.01" }],
      [503, '{"code":"ai_unavailable"}', {}],
    ] as const;
    let asked = 0;
    const server = createServer((_, response) => {
      const [status, text, headers] = answers[asked] ?? answers[0];
      asked += 1;
      response.writeHead(status, headers).end(text);
    });
    await once(server.listen(0), "listening");
    try {
      const { port } = server.address() as AddressInfo;
      expect([(await patiently(`http://localhost:${port}/`)).status, asked]).to.deep.equal([503, 3]);
    } finally {
      server.close();
    }
  });

  it("see a key wherever a body tells it, and none in a card", () => {
    const choices = ["choice-01", "choice-02"].map((choiceId) => ({ choiceId, text: `Text of ${choiceId}` }));
    const item = { itemId: "item-0001", choices, right: ["choice-02"] } as TutorItem;
    const leaks = (body: object, asked = true) => leaksIn(JSON.stringify(body), [{ item, asked }]).length;
    expect(leaks({ current: { itemId: "item-0001", choices } })).to.equal(0);
    expect(leaks({ current: { itemId: "item-0001", choices } }, false)).to.be.greaterThan(0);
    expect(leaks({ right: ["choice-02"] })).to.equal(1);
    expect(leaks({ messages: [{ itemId: "item-0001", explanation: "So." }] })).to.equal(1);
    expect(leaks({ messages: [{ itemId: "item-0002", explanation: "So.", right: ["choice-03"] }] })).to.equal(0);
  });
});
