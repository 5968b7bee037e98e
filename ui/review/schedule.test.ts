import { dayMs, learningClock } from "@colloquy/schemas/review/learning-clock.ts";
import { expect } from "chai";
import fc from "fast-check";
import { type Grade, type Grading, intervalsAfter, scheduleOf } from "./schedule.ts";

const clock = learningClock("UTC");
const options = { clock, retention: 0.9 };
const noon = Date.UTC(2026, 0, 5, 12);
let number = 0;
const grading = (at: number, rating: number): Grading => {
  number += 1;
  return { changeId: `change-${number}`, at: new Date(at).toISOString(), rating };
};
/** Ratings, each so many days after the one before. */
function rated(...pairs: readonly (readonly [days: number, rating: number])[]): Grading[] {
  let at = noon;
  return pairs.map(([days, rating], index) => {
    at += days * dayMs + index * 1_000;
    return grading(at, rating);
  });
}

describe("the schedule of a card", () => {
  it("does not exist before the first rating", () => {
    expect(scheduleOf([], options)).to.equal(null);
  });

  // The vectors of ts-fsrs' own tests (packages/fsrs/__tests__/FSRS-6.test.ts), which stand on those of fsrs-rs.
  it("has the memory state of the reference after again and five times good", () => {
    const state = scheduleOf(rated([0, 1], [0, 3], [1, 3], [3, 3], [8, 3], [21, 3]), options);
    expect(state?.stability).to.be.closeTo(53.62691, 1e-4);
    expect(state?.difficulty).to.be.closeTo(6.3574867, 1e-4);
  });

  it("has the reference's intervals when each review comes on its day", () => {
    const intervals: number[] = [];
    const gradings: Grading[] = [];
    let at = noon;
    for (const rating of [3, 3, 3, 3, 3, 3, 1, 1, 3, 3, 3, 3, 3]) {
      gradings.push(grading(at, rating));
      // The reference asks a new card twice on its first day; ours was taught before.
      const state = scheduleOf(gradings, { ...options, firstSteps: [1, 10] });
      if (!state) throw new Error("it was rated");
      intervals.push(state.dueDay - state.lastDay);
      at = state.againAt ?? at + (state.dueDay - state.lastDay) * dayMs;
    }
    expect(intervals).to.deep.equal([0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]);
  });

  it("has the reference's stability and difficulty after one rating", () => {
    const first = [1, 2, 3, 4].map((rating) => scheduleOf(rated([0, rating]), options));
    expect(first.map((state) => state?.stability)).to.deep.equal([0.212, 1.2931, 2.3065, 8.2956]);
    expect(first.map((state) => state?.difficulty)).to.deep.equal([6.4133, 5.11217071, 2.11810397, 1]);
  });

  it("does not depend on the order in which devices synced", () => {
    const rating = fc.record({ minutes: fc.integer({ min: 0, max: 500_000 }), rating: fc.integer({ min: 1, max: 4 }) });
    const log = fc.uniqueArray(rating, { selector: ({ minutes }) => minutes, minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(log, fc.infiniteStream(fc.nat()), (made, keys) => {
        const gradings = made.map(({ minutes, rating }) => grading(noon + minutes * 60_000, rating));
        const mixed = gradings
          .map((one) => [keys.next().value ?? 0, one] as const)
          .sort(([one], [other]) => one - other)
          .map(([, one]) => one);
        expect(scheduleOf(mixed, options)).to.deep.equal(scheduleOf(gradings, options));
      }),
      { numRuns: 100 },
    );
  });

  it("matches the interval shown on each button", () => {
    for (const before of [[], rated([0, 3]), rated([0, 3], [2, 3], [11, 1])]) {
      const now = noon + 20 * dayMs;
      const shown = intervalsAfter(before, now, options);
      for (const grade of [1, 2, 3, 4] as Grade[]) {
        const after = scheduleOf([...before, grading(now, grade)], options);
        const interval = shown[grade];
        if ("days" in interval) expect(after).to.deep.include({ dueDay: clock.day(now) + interval.days, againAt: null });
        else expect(after).to.deep.include({ dueDay: clock.day(now), againAt: now + interval.minutes * 60_000 });
      }
    }
  });

  it("is shorter for a higher retention", () => {
    const gradings = rated([0, 3], [2, 3]);
    const due = (retention: number) => scheduleOf(gradings, { clock, retention })?.dueDay ?? 0;
    expect(due(0.97)).to.be.lessThan(due(0.9));
    expect(due(0.9)).to.be.lessThan(due(0.8));
  });

  it("accepts a rating dated before the last one", () => {
    const berlin = { clock: learningClock("Europe/Berlin"), retention: 0.9 };
    // 25 October 2026: at 01:00 UTC three o'clock becomes two.
    const gradings = [grading(Date.UTC(2026, 9, 25, 0, 50), 3), grading(Date.UTC(2026, 9, 25, 1, 10), 3)];
    expect(scheduleOf(gradings, berlin)?.ratings).to.equal(2);
  });
});

describe("a learning day", () => {
  it("begins at four on the learner's clock, also when clocks change", () => {
    const berlin = learningClock("Europe/Berlin");
    const of = (text: string) => berlin.day(Date.parse(text));
    expect(of("2026-07-02T03:59:00+02:00")).to.equal(of("2026-07-01T12:00:00+02:00"));
    expect(of("2026-07-02T04:00:00+02:00")).to.equal(of("2026-07-01T12:00:00+02:00") + 1);
    expect(of("2026-03-29T03:59:00+02:00")).to.equal(of("2026-03-28T12:00:00+01:00"));
    expect(of("2026-03-29T04:00:00+02:00")).to.equal(of("2026-03-28T12:00:00+01:00") + 1);
    expect(of("2026-10-25T03:59:00+01:00")).to.equal(of("2026-10-24T12:00:00+02:00"));
    expect(of("2026-10-25T04:00:00+01:00")).to.equal(of("2026-10-24T12:00:00+02:00") + 1);
  });

  it("is the zone's own", () => {
    const at = Date.parse("2026-07-01T22:00:00Z");
    expect(learningClock("Pacific/Auckland").day(at)).to.equal(learningClock("America/Los_Angeles").day(at) + 1);
    expect(learningClock("Asia/Kathmandu").time(at) - learningClock("UTC").time(at)).to.equal(5.75 * 3_600_000);
  });
});
