import { expect } from "chai";
import { isIdle, nextLifecycle, startedLifecycle, type TurnEffect, type TurnEvent } from "./turn-lifecycle.ts";

/** The effects of the last event, and of all. */
function after(kept: boolean | "recordedByService", ...events: TurnEvent[]): { effects: TurnEffect[]; all: TurnEffect[]; idle: boolean } {
  let life = startedLifecycle(kept !== false, kept === "recordedByService");
  let effects: TurnEffect[] = [];
  const all: TurnEffect[] = [];
  for (const event of events) {
    [life, ...effects] = nextLifecycle(life, event);
    all.push(...effects);
  }
  return { effects, all, idle: isIdle(life) };
}

describe("the lifecycle of a turn", () => {
  // [given, when, then]: earlier events, the event, its effects.
  const kept: [TurnEvent[], TurnEvent, TurnEffect[]][] = [
    [[], "readerJoined", ["clearTimer"]],
    [["readerJoined", "readerJoined"], "readerLeft", []],
    [["readerJoined"], "readerLeft", ["startGrace"]],
    [["readerJoined", "readerLeft"], "readerJoined", ["clearTimer"]],
    [["readerJoined", "readerLeft"], "graceExpired", ["stopUnread"]],
    [["readerJoined", "readerLeft", "graceExpired"], "ended", ["record", "startRetention"]],
    [["readerJoined", "readerLeft", "graceExpired", "readerJoined"], "ended", []],
    [["readerJoined", "readerLeft", "graceExpired", "readerJoined", "ended"], "readerLeft", ["startGrace"]],
    [["readerJoined", "readerLeft", "graceExpired", "readerJoined", "readerLeft"], "graceExpired", []],
    [["readerJoined"], "ended", []],
    [["readerJoined", "readerLeft"], "ended", []],
    [["readerJoined", "readerLeft", "ended"], "graceExpired", ["record", "startRetention"]],
    [["readerJoined", "ended"], "readerLeft", ["startGrace"]],
    [["readerJoined", "ended", "readerLeft", "graceExpired"], "readerJoined", ["clearTimer"]],
    [["readerJoined", "ended", "readerLeft", "graceExpired", "readerJoined"], "readerLeft", ["startRetention"]],
    [["readerJoined", "ended", "readerLeft", "graceExpired"], "retentionExpired", ["drop"]],
    [["readerJoined"], "released", ["stopReleased", "drop"]],
    [["readerJoined", "released"], "released", []],
    [["readerJoined", "released"], "readerLeft", []],
    [["readerJoined", "released"], "ended", ["drop"]],
    [["readerJoined", "ended"], "released", ["drop"]],
    [["readerJoined", "ended", "readerLeft", "graceExpired"], "released", ["drop"]],
    [["readerJoined"], "closing", ["stopClosing"]],
    [["readerJoined", "closing", "ended"], "closed", ["record"]],
    [["readerJoined", "closing"], "closed", ["record"]],
    [["readerJoined", "readerLeft", "closing"], "ended", ["record", "startRetention"]],
    [["readerJoined", "readerLeft", "closing", "ended"], "closed", []],
    [["readerJoined", "released"], "closing", []],
    [["readerJoined", "released"], "closed", []],
  ];
  for (const [given, when, then] of kept)
    it(`kept, ${given.join(", ") || "started"}: ${when} → ${then.join(", ") || "nothing"}`, () => {
      expect(after(true, ...given, when).effects).to.deep.equal(then);
    });

  const other: [TurnEvent[], TurnEvent, TurnEffect[]][] = [
    [["readerJoined"], "readerLeft", ["stopUnread"]],
    [["readerJoined", "readerLeft"], "ended", ["drop"]],
    [["readerJoined"], "ended", []],
    [["readerJoined", "ended"], "readerLeft", ["drop"]],
    [["readerJoined"], "released", ["stopReleased", "drop"]],
    [["readerJoined", "closing"], "closed", []],
  ];
  for (const [given, when, then] of other)
    it(`not kept, ${given.join(", ")}: ${when} → ${then.join(", ") || "nothing"}`, () => {
      expect(after(false, ...given, when).effects).to.deep.equal(then);
    });

  const recordedByService: [TurnEvent[], TurnEvent, TurnEffect[]][] = [
    [["readerJoined"], "ended", ["record"]],
    [["readerJoined", "ended"], "readerLeft", ["startRetention"]],
    [["readerJoined", "readerLeft"], "ended", ["record", "startRetention"]],
    [["readerJoined", "readerLeft"], "graceExpired", ["stopUnread"]],
    [["readerJoined", "readerLeft"], "released", ["stopReleased"]],
    [["readerJoined", "readerLeft", "released"], "released", []],
    [["readerJoined", "readerLeft", "released"], "ended", ["record", "startRetention"]],
    [["readerJoined", "ended", "readerLeft"], "released", ["drop"]],
    [["readerJoined", "readerLeft"], "conversationDeleted", ["stopReleased", "drop"]],
    [["readerJoined", "readerLeft", "released"], "conversationDeleted", ["drop"]],
    [["readerJoined", "readerLeft", "released", "conversationDeleted"], "ended", ["drop"]],
    [["readerJoined", "closing", "ended"], "closed", []],
    [["readerJoined", "closing"], "closed", ["record"]],
  ];
  for (const [given, when, then] of recordedByService)
    it(`recorded by the service, ${given.join(", ")}: ${when} → ${then.join(", ") || "nothing"}`, () => {
      expect(after("recordedByService", ...given, when).effects).to.deep.equal(then);
    });

  it("is recorded and stopped at most once, and not recorded after release", () => {
    const events: TurnEvent[] = ["released", "ended", "graceExpired", "retentionExpired", "closing", "closed"];
    const tried = (given: TurnEvent[], left: TurnEvent[]): void => {
      for (const isKept of [true, false]) {
        const { all } = after(isKept, ...given);
        expect(all.filter((effect) => effect === "record").length, given.join()).to.be.at.most(isKept ? 1 : 0);
        expect(all.filter((effect) => effect.startsWith("stop")).length, given.join()).to.be.at.most(1);
        const released = given.indexOf("released");
        const before = released < 0 ? all : after(isKept, ...given.slice(0, released)).all;
        expect(all.includes("record"), given.join()).to.equal(before.includes("record"));
      }
      for (const next of left)
        tried(
          [...given, next],
          left.filter((one) => one !== next),
        );
    };
    tried(["readerJoined", "readerLeft"], events);
    tried(["readerJoined"], events);
  });

  it("is idle once it has ended, is recorded and has no reader", () => {
    expect(after(true, "readerJoined", "ended", "readerLeft", "graceExpired").idle).to.equal(true);
    expect(after(true, "readerJoined", "ended", "readerLeft", "graceExpired", "readerJoined").idle).to.equal(false);
    expect(after(true, "readerJoined", "ended", "readerLeft").idle).to.equal(false);
    expect(after(true, "readerJoined", "readerLeft").idle).to.equal(false);
  });
});
