import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { expect } from "chai";
import { learnerKinds, seeded } from "./learners.ts";
import { fixedTest, measure } from "./measure.ts";
import { simulateSession } from "./simulate.ts";

describe("simulated learners", () => {
  const folder = mkdtempSync(join(tmpdir(), "learners-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("come to an end, gain nothing by claims or fishing, see no key early, and are judged within the bars", () => {
    const signer = openLedgerSigner({ DATA_DIR: folder });
    const random = seeded(7);
    const sessions = learnerKinds.flatMap((kind) =>
      Array.from({ length: 20 }, (_, index) =>
        simulateSession(kind, { sessionId: `session-${kind.name}-${index}`, objectives: 3, random, signer }),
      ),
    );
    const { deadlocks, leaks, gainedByClaims, falseMastery, missedMastery, items } = measure(sessions);
    expect({ deadlocks, leaks, gainedByClaims }).to.deep.equal({ deadlocks: 0, leaks: 0, gainedByClaims: 0 });
    expect(falseMastery).to.be.at.most(0.03);
    // In the first session alone: what it leaves open, the next one takes up.
    expect(missedMastery).to.be.at.most(0.15);
    expect(items).to.be.at.most(7);
    const fishers = sessions.filter(({ learner }) => learner.kind.fishes);
    expect(measure(fishers).falseMastery).to.equal(0);
  });

  it("are held against a fixed test whose errors are those of its binomial distribution", () => {
    const { falseMastery, missedMastery } = fixedTest(0.25, 0.1);
    expect(falseMastery).to.be.closeTo(0.015625, 1e-9);
    expect(missedMastery).to.be.closeTo(0.08146, 1e-9);
  });
});
