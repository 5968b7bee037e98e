import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { expect } from "chai";
import { learnsForDays, type ObjectiveOutcome } from "./days.ts";
import { seeded } from "./learners.ts";
import { declaredIn, shareOf } from "./outcomes.ts";
import { heldOut, type Strategy, tunedWith } from "./strategies.ts";

describe("learners on following days", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), "days-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const signer = openLedgerSigner({ DATA_DIR: folder });
  const named = (name: string): Strategy => [...tunedWith, ...heldOut].find((one) => one.name === name) ?? expect.fail(`no ${name}`);
  const outcomesOf = async (name: string, { days = 2, count = 6 } = {}): Promise<ObjectiveOutcome[]> => {
    const all: ObjectiveOutcome[] = [];
    for (let index = 0; index < count; index += 1)
      all.push(...(await learnsForDays(named(name), { days, random: seeded(400 + index), signer })));
    return all;
  };

  it("confirm nothing on the first day and most of what they know on the second", async () => {
    const first = await outcomesOf("knows it", { days: 1 });
    expect(declaredIn(first, "confirmed").falsely.of).to.equal(0);
    expect(declaredIn(first, "provisional").missed.count).to.equal(0);
    const second = declaredIn(await outcomesOf("knows it"), "confirmed");
    expect(second.missed.count).to.be.at.most(3);
    expect(second.answers).to.be.at.most(8);
  });

  it("are not certified for copying or remembering what was shown", async () => {
    for (const name of ["memoriser", "copier", "copier who changes words", "says it does not know"])
      expect(declaredIn(await outcomesOf(name), "provisional").falsely.count, name).to.equal(0);
  });

  it("are certified by a bank of their author's own questions alone, and left where it is used up", async () => {
    const all: ObjectiveOutcome[] = [];
    for (let index = 0; index < 6; index += 1)
      all.push(...(await learnsForDays(named("knows it"), { days: 2, random: seeded(400 + index), signer, bank: 6 })));
    const { answers, missed } = declaredIn(all, "confirmed");
    expect(answers).to.be.within(4, 6);
    const left = all.filter(({ confirmed }) => confirmed === null);
    expect(left).to.have.lengthOf(missed.count);
    expect(Math.max(...all.map(({ asked }) => asked.size))).to.be.at.most(6);
    expect(left.every(({ asked }) => asked.size === 6)).to.equal(true);
  });

  it("who know nothing are not certified by a bank", async () => {
    const blind = { ...named("rules out two of four"), knows: 0 };
    const all: ObjectiveOutcome[] = [];
    for (let index = 0; index < 6; index += 1)
      all.push(...(await learnsForDays(blind, { days: 2, random: seeded(500 + index), signer, bank: 11 })));
    expect(declaredIn(all, "confirmed").falsely.of).to.equal(0);
  });

  it("are counted with the score interval of Wilson", () => {
    const { low, high } = shareOf(1, 10);
    expect([low, high].map((one) => one.toFixed(4))).to.deep.equal(["0.0179", "0.4042"]);
    expect(shareOf(0, 0)).to.include({ low: 0, high: 1 });
  });
});
