import { dayMs, learningClock } from "@colloquy/schemas/review/learning-clock.ts";
import type { ReviewCard } from "@colloquy/schemas/review/requests.ts";
import { growthOf, linearGrowth } from "@colloquy/schemas/text/growth.fixture.ts";
import { expect } from "chai";
import { type PersonalStates, personalAfter } from "../store/personal-fold.ts";
import { nextDayOfCard, queueOf, stateOf } from "./queue.ts";

type State = PersonalStates["review"];
const now = Date.UTC(2026, 10, 21, 12);
const clock = learningClock("UTC");
const today = clock.day(now);
const options = { clock, retention: 0.9, now, newPerDay: 2 };

const card = (name: string, more: Partial<ReviewCard> = {}): ReviewCard => ({
  itemId: `item-${name}`,
  formerIds: [],
  kind: "objective",
  courseId: "course-01",
  courseTitle: "The Shell",
  topicTitle: "Pipes",
  language: "en",
  href: "/courses/course-01/pipes",
  title: `Do ${name}`,
  questions: [],
  answer: [],
  metAt: "2026-11-20T10:00:00Z",
  ...more,
});
let number = 0;
/** What devices did with a card, as changes in the order of the stream. */
function after(...changes: readonly (readonly [type: string, days: number, data?: Record<string, unknown>])[]): State {
  let state: State | null = null;
  for (const [type, days, data = {}] of changes) {
    number += 1;
    const change = {
      changeId: `change-${number}`,
      type,
      at: new Date(now + days * dayMs).toISOString(),
      data: { courseId: "course-01", ...data },
    };
    state = personalAfter("review", state, change);
  }
  if (!state) throw new Error("nothing was done");
  return state;
}
const good = (days: number) => ["reviewed", days, { rating: 3 }] as const;
const again = (days: number) => ["reviewed", days, { rating: 1 }] as const;
const queue = (names: readonly string[], states: Record<string, State>, more = {}) =>
  queueOf(
    names.map((name) => card(name)),
    new Map(Object.entries(states).map(([name, state]) => [`item-${name}`, state])),
    { ...options, ...more },
  );
const names = (items: readonly { card: ReviewCard }[]) => items.map(({ card: { itemId } }) => itemId.slice(5));

describe("the queue of a day", () => {
  it("starts the daily number of new cards, in order", () => {
    const { left, waiting, counts, forecast, nextDay } = queue(["a", "b", "c", "d", "e"], {});
    expect(names(left)).to.deep.equal(["a", "b"]);
    expect(names(waiting)).to.deep.equal(["c", "d", "e"]);
    expect(counts).to.deep.equal({ again: 0, due: 0, fresh: 2 });
    expect(forecast.slice(0, 3).map(({ fresh }) => fresh)).to.deep.equal([2, 1, 0]);
    expect(nextDay).to.equal(today + 1);
  });

  it("counts cards started today on any device against the limit", () => {
    const { left, done } = queue(["a", "b", "c"], { a: after(good(0)) });
    expect(names(left)).to.deep.equal(["b"]);
    expect(done).to.equal(1);
    expect(names(queue(["a", "b", "c"], { a: after(good(-1)) }).left)).to.deep.equal(["b", "c"]);
    expect(names(queue(["a"], {}, { newPerDay: 0 }).left)).to.deep.equal([]);
  });

  it("asks the least stable cards first, then new ones, then relearning", () => {
    const states = { long: after(good(-30)), short: after(good(-3)), missed: after(good(-30), again(0)), later: after(good(-1)) };
    const { left, counts, forecast, done } = queue(["later", "missed", "short", "long", "new"], states);
    expect(names(left)).to.deep.equal(["long", "short", "new", "missed"]);
    expect(counts).to.deep.equal({ again: 1, due: 2, fresh: 1 });
    expect(done, "what was not known is not done").to.equal(0);
    expect(forecast[0]).to.deep.include({ day: today + 1, due: 1 });
    const soon = queue(["missed", "short"], { ...states, missed: after(good(-30), again(-0.01)) });
    expect(names(soon.left)).to.deep.equal(["missed", "short"]);
  });

  it("leaves out suspended and postponed cards", () => {
    expect(names(queue(["a"], { a: after(good(-9), ["suspended", -1]) }).left)).to.deep.equal([]);
    expect(names(queue(["a"], { a: after(good(-9), ["suspended", -1], ["resumed", 0]) }).left)).to.deep.equal(["a"]);
    const buried = queue(["a"], { a: after(good(-9), ["buried", 0]) });
    expect([names(buried.left), names(buried.buried), buried.nextDay]).to.deep.equal([[], ["a"], today + 1]);
    expect(names(queue(["a"], { a: after(good(-9), ["buried", -1]) }).left)).to.deep.equal(["a"]);
    expect(names(queue(["a"], { a: after(["buried", 0], ["resumed", 0]) }).left)).to.deep.equal(["a"]);
  });

  it("ignores an undone rating", () => {
    const rated = after(good(0));
    const { changeId = "" } = rated.reviews[0] ?? {};
    const taken = personalAfter("review", rated, {
      changeId: "change-x",
      type: "taken_back",
      at: new Date(now).toISOString(),
      data: { changeId },
    });
    expect(taken?.reviews).to.deep.equal([]);
    expect(names(queueOf([card("a")], new Map([["item-a", taken as State]]), options).left)).to.deep.equal(["a"]);
  });

  it("keeps a card's ratings through a rename of its block", () => {
    const renamed = card("new-name", { formerIds: ["item-a", "item-older"] });
    const states = new Map([
      ["item-a", after(good(-5))],
      ["item-older", after(good(-9))],
      ["item-new-name", after(good(-1))],
    ]);
    expect(stateOf(renamed, states).reviews).to.have.length(3);
    expect(queueOf([renamed], states, options).items[0]?.schedule?.ratings).to.equal(3);
  });

  it("gives the day of each card's next review", () => {
    const all = queue(["a", "b", "c", "d", "e"], { a: after(good(0)), e: after(["suspended", 0]) });
    const day = (name: string) => nextDayOfCard(all, `item-${name}`, 2);
    expect(["a", "b", "c", "d", "e", "f"].map(day)).to.deep.equal([today + 2, today, today + 1, today + 1, null, null]);
  });

  it("starts a new day at four in the morning", () => {
    const at = (text: string) => queueOf([card("a")], new Map([["item-a", after(["buried", 0])]]), { ...options, now: Date.parse(text) });
    expect(names(at("2026-11-22T03:59:00Z").left)).to.deep.equal([]);
    expect(names(at("2026-11-22T04:00:00Z").left)).to.deep.equal(["a"]);
  });

  it("takes linear time", () => {
    const state = after(...Array.from({ length: 10 }, (_, index) => good(index * 3 - 40)));
    const day = (count: number) => {
      const many = Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index), state]));
      return () => queue(Object.keys(many), many);
    };
    expect(growthOf(day, { smallest: 200, largest: 10_000 })).to.be.below(linearGrowth);
  });
});
