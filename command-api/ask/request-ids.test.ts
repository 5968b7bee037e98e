import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { cancelledBeforeArrival } from "./request-ids.ts";

const { ms, perAccount } = bounds.ask.cancelledBeforeArrival;

describe("requests cancelled before they arrive", () => {
  it("are known once, to their own account, for a limited time", () => {
    let now = 1;
    const cancelled = cancelledBeforeArrival(() => now);
    cancelled.add("acc_mira_0001", "request-1");
    expect(cancelled.take("acc_tomas_001", "request-1")).to.equal(false);
    expect(cancelled.take("acc_mira_0001", "request-1")).to.equal(true);
    expect(cancelled.take("acc_mira_0001", "request-1")).to.equal(false);
    cancelled.add("acc_mira_0001", "request-2");
    now += ms + 1;
    expect(cancelled.take("acc_mira_0001", "request-2")).to.equal(false);
  });

  it("are evicted by later ones of the same account only, the oldest first", () => {
    const cancelled = cancelledBeforeArrival(() => 1);
    cancelled.add("acc_tomas_001", "request-0");
    for (let number = 0; number <= perAccount; number += 1) cancelled.add("acc_mira_0001", `request-${number}`);
    expect(cancelled.take("acc_mira_0001", "request-0")).to.equal(false);
    expect(cancelled.take("acc_mira_0001", "request-1")).to.equal(true);
    expect(cancelled.take("acc_mira_0001", `request-${perAccount}`)).to.equal(true);
    expect(cancelled.take("acc_tomas_001", "request-0")).to.equal(true);
  });

  it("stay known when earlier ones expire", () => {
    let now = 1;
    const cancelled = cancelledBeforeArrival(() => now);
    cancelled.add("acc_mira_0001", "request-1");
    cancelled.add("acc_tomas_001", "request-1");
    now += ms;
    cancelled.add("acc_mira_0001", "request-2");
    now += 1;
    cancelled.add("acc_other_001", "request-1");
    expect(cancelled.take("acc_tomas_001", "request-1")).to.equal(false);
    expect(cancelled.take("acc_mira_0001", "request-1")).to.equal(false);
    expect(cancelled.take("acc_mira_0001", "request-2")).to.equal(true);
  });
});
