import { expect } from "chai";
import { isIdle, type TurnDeed, type TurnHappening, turnBegins, turnLifeAfter } from "./turn-life.ts";

/** What is done after the last of these. */
function after(kept: boolean | "byService", ...happenings: TurnHappening[]): { deeds: TurnDeed[]; all: TurnDeed[]; idle: boolean } {
  let life = turnBegins(kept !== false, kept === "byService");
  let deeds: TurnDeed[] = [];
  const all: TurnDeed[] = [];
  for (const happening of happenings) {
    [life, ...deeds] = turnLifeAfter(life, happening);
    all.push(...deeds);
  }
  return { deeds, all, idle: isIdle(life) };
}

describe("the life of a turn", () => {
  // [given, when, then]: what has happened to a kept turn, what happens now, what is done.
  const kept: [TurnHappening[], TurnHappening, TurnDeed[]][] = [
    [[], "read", ["waitNoMore"]],
    [["read", "read"], "left", []],
    [["read"], "left", ["waitGrace"]],
    [["read", "left"], "read", ["waitNoMore"]],
    [["read", "left"], "graceOver", ["stopUnread"]],
    [["read", "left", "graceOver"], "ended", ["record", "waitKept"]],
    [["read", "left", "graceOver", "read"], "ended", []],
    [["read", "left", "graceOver", "read", "ended"], "left", ["waitGrace"]],
    [["read", "left", "graceOver", "read", "left"], "graceOver", []],
    [["read"], "ended", []],
    [["read", "left"], "ended", []],
    [["read", "left", "ended"], "graceOver", ["record", "waitKept"]],
    [["read", "ended"], "left", ["waitGrace"]],
    [["read", "ended", "left", "graceOver"], "read", ["waitNoMore"]],
    [["read", "ended", "left", "graceOver", "read"], "left", ["waitKept"]],
    [["read", "ended", "left", "graceOver"], "keptOver", ["drop"]],
    [["read"], "letGo", ["stopLetGo", "drop"]],
    [["read", "letGo"], "letGo", []],
    [["read", "letGo"], "left", []],
    [["read", "letGo"], "ended", ["drop"]],
    [["read", "ended"], "letGo", ["drop"]],
    [["read", "ended", "left", "graceOver"], "letGo", ["drop"]],
    [["read"], "closing", ["stopClosing"]],
    [["read", "closing", "ended"], "closed", ["record"]],
    [["read", "closing"], "closed", ["record"]],
    [["read", "left", "closing"], "ended", ["record", "waitKept"]],
    [["read", "left", "closing", "ended"], "closed", []],
    [["read", "letGo"], "closing", []],
    [["read", "letGo"], "closed", []],
  ];
  for (const [given, when, then] of kept)
    it(`kept, ${given.join(", ") || "just begun"}: ${when} → ${then.join(", ") || "nothing"}`, () => {
      expect(after(true, ...given, when).deeds).to.deep.equal(then);
    });

  const other: [TurnHappening[], TurnHappening, TurnDeed[]][] = [
    [["read"], "left", ["stopUnread"]],
    [["read", "left"], "ended", ["drop"]],
    [["read"], "ended", []],
    [["read", "ended"], "left", ["drop"]],
    [["read"], "letGo", ["stopLetGo", "drop"]],
    [["read", "closing"], "closed", []],
  ];
  for (const [given, when, then] of other)
    it(`not kept, ${given.join(", ")}: ${when} → ${then.join(", ") || "nothing"}`, () => {
      expect(after(false, ...given, when).deeds).to.deep.equal(then);
    });

  const byService: [TurnHappening[], TurnHappening, TurnDeed[]][] = [
    [["read"], "ended", ["record"]],
    [["read", "ended"], "left", ["waitKept"]],
    [["read", "left"], "ended", ["record", "waitKept"]],
    [["read", "left"], "graceOver", ["stopUnread"]],
    [["read", "left"], "letGo", ["stopLetGo"]],
    [["read", "left", "letGo"], "letGo", []],
    [["read", "left", "letGo"], "ended", ["record", "waitKept"]],
    [["read", "ended", "left"], "letGo", ["drop"]],
    [["read", "left"], "forgotten", ["stopLetGo", "drop"]],
    [["read", "left", "letGo"], "forgotten", ["drop"]],
    [["read", "left", "letGo", "forgotten"], "ended", ["drop"]],
    [["read", "closing", "ended"], "closed", []],
    [["read", "closing"], "closed", ["record"]],
  ];
  for (const [given, when, then] of byService)
    it(`recorded by the service, ${given.join(", ")}: ${when} → ${then.join(", ") || "nothing"}`, () => {
      expect(after("byService", ...given, when).deeds).to.deep.equal(then);
    });

  it("is recorded once at most, told to stop once at most, and never recorded once it was let go, whatever happens in which order", () => {
    const happenings: TurnHappening[] = ["letGo", "ended", "graceOver", "keptOver", "closing", "closed"];
    const tried = (given: TurnHappening[], left: TurnHappening[]): void => {
      for (const isKept of [true, false]) {
        const { all } = after(isKept, ...given);
        expect(all.filter((deed) => deed === "record").length, given.join()).to.be.at.most(isKept ? 1 : 0);
        expect(all.filter((deed) => deed.startsWith("stop")).length, given.join()).to.be.at.most(1);
        const letGo = given.indexOf("letGo");
        const before = letGo < 0 ? all : after(isKept, ...given.slice(0, letGo)).all;
        expect(all.includes("record"), given.join()).to.equal(before.includes("record"));
      }
      for (const next of left)
        tried(
          [...given, next],
          left.filter((one) => one !== next),
        );
    };
    tried(["read", "left"], happenings);
    tried(["read"], happenings);
  });

  it("only waits once it has ended, is recorded and is not read", () => {
    expect(after(true, "read", "ended", "left", "graceOver").idle).to.equal(true);
    expect(after(true, "read", "ended", "left", "graceOver", "read").idle).to.equal(false);
    expect(after(true, "read", "ended", "left").idle).to.equal(false);
    expect(after(true, "read", "left").idle).to.equal(false);
  });
});
