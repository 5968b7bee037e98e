import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { askLetGoAhead } from "./let-go-ahead.ts";

const { ms, perAccount } = bounds.ask.letGoAhead;

describe("questions that are let go of before they come", () => {
  it("are known once, by their own account, and only for a while", () => {
    let now = 0;
    const ahead = askLetGoAhead(() => now);
    ahead.note("acc_mira_0001", "request-1");
    expect(ahead.take("acc_tomas_001", "request-1")).to.equal(false);
    expect(ahead.take("acc_mira_0001", "request-1")).to.equal(true);
    expect(ahead.take("acc_mira_0001", "request-1")).to.equal(false);
    ahead.note("acc_mira_0001", "request-2");
    now += ms;
    expect(ahead.take("acc_mira_0001", "request-2")).to.equal(false);
  });

  it("are pushed out by later ones of the same account alone, the oldest first", () => {
    const ahead = askLetGoAhead(() => 0);
    ahead.note("acc_tomas_001", "request-0");
    for (let number = 0; number <= perAccount; number += 1) ahead.note("acc_mira_0001", `request-${number}`);
    expect(ahead.take("acc_mira_0001", "request-0")).to.equal(false);
    expect(ahead.take("acc_mira_0001", "request-1")).to.equal(true);
    expect(ahead.take("acc_mira_0001", `request-${perAccount}`)).to.equal(true);
    expect(ahead.take("acc_tomas_001", "request-0")).to.equal(true);
  });

  it("are still known when others' have become too old and are forgotten", () => {
    let now = 0;
    const ahead = askLetGoAhead(() => now);
    ahead.note("acc_mira_0001", "request-1");
    ahead.note("acc_tomas_001", "request-1");
    now += ms - 1;
    ahead.note("acc_mira_0001", "request-2");
    now += 1;
    ahead.note("acc_other_001", "request-1");
    expect(ahead.take("acc_tomas_001", "request-1")).to.equal(false);
    expect(ahead.take("acc_mira_0001", "request-1")).to.equal(false);
    expect(ahead.take("acc_mira_0001", "request-2")).to.equal(true);
  });
});
