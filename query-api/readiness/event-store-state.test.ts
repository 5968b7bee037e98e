import { StoreUnavailable } from "@colloquy/infra/event-store/client.ts";
import { refusalOf } from "@colloquy/infra/event-store/refusal.ts";
import { expect } from "chai";
import { eventStoreState } from "./event-store-state.ts";

describe("readiness of the event store", () => {
  let now: number;
  let ask: () => Promise<unknown>;
  let asked: number;
  const open = () => {
    now = 0;
    asked = 0;
    ask = async () => undefined;
    return eventStoreState({
      ask: () => {
        asked += 1;
        return ask();
      },
      now: () => now,
      waitMs: 1,
    });
  };
  const silence = () => new Promise(() => undefined);

  it("does not change for one slow answer, and does when the silence lasts", async () => {
    const state = open();
    expect((await state()).ok).to.equal(true);
    now = 60_000;
    ask = silence;
    expect((await state()).ok).to.equal(true);
    now = 63_900;
    expect((await state()).ok).to.equal(true);
    now = 64_100;
    expect((await state()).ok).to.equal(false);
    expect(asked).to.equal(2);
  });

  it("counts silence over several questions that end without an answer", async () => {
    const state = open();
    await state();
    ask = () =>
      Promise.reject(new StoreUnavailable("The event store cannot be reached.", { cause: new Error("No answer within 3000 ms.") }));
    for (const [at, ok] of [
      [10_000, true],
      [12_000, true],
      [14_000, false],
    ] as const) {
      now = at;
      expect((await state()).ok, `${at}`).to.equal(ok);
    }
    ask = async () => undefined;
    now = 16_000;
    expect((await state()).ok).to.equal(true);
  });

  it("says at once what is refused, until it is not any more", async () => {
    const state = open();
    await state();
    const cause = new Error("no quorum");
    ask = () => Promise.reject(new StoreUnavailable("", { cause }));
    now = 2_000;
    expect(await state()).to.deep.equal({ ok: false, ms: 0, reason: refusalOf(cause) });
    ask = silence;
    now = 4_000;
    expect(await state()).to.include({ ok: false, reason: refusalOf(cause) });
  });

  it("is not there before the first answer, and asks no more than once a second", async () => {
    const state = open();
    ask = silence;
    expect((await state()).ok).to.equal(false);
    const other = open();
    await Promise.all([other(), other()]);
    now = 900;
    await other();
    expect(asked).to.equal(1);
  });
});
