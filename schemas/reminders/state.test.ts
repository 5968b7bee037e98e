import { expect } from "chai";
import { bounds } from "../bounds.ts";
import { learningClock } from "../review/learning-clock.ts";
import type { ReminderEvent } from "./events.ts";
import { evolveReminders, nextReminderAt, noReminders, reminderNow, secondsLeftOfDay } from "./state.ts";

const zone = "America/New_York";
const clock = learningClock(zone);
const at = "2026-11-28T15:00:00.000Z";
const today = clock.day(Date.parse(at));
const subscription = { endpoint: "https://push.example/1", keys: { p256dh: "", auth: "" } };
const on = (device = "dev_0001"): ReminderEvent => ({ type: "RemindersTurnedOn", data: { schemaVersion: 1, device, subscription, at } });
const off: ReminderEvent = { type: "RemindersTurnedOff", data: { schemaVersion: 1, device: "dev_0001", reason: "chosen", at } };
const foreseen = (left: number[], day = today): ReminderEvent => ({
  type: "ReviewsForeseen",
  data: { schemaVersion: 1, forecast: { zone, language: "en", day, left }, at },
});
const sent = (day: number): ReminderEvent => ({ type: "ReviewReminderSent", data: { schemaVersion: 1, day, due: 1, at } });
const after = (...events: ReminderEvent[]) => events.reduce(evolveReminders, noReminders);
const nextOf = (...events: ReminderEvent[]): string | null => {
  const next = nextReminderAt(after(...events));
  return next === null ? null : new Date(next).toISOString();
};

describe("when a learner is reminded of reviews", () => {
  it("is the next morning on which cards wait, by the learner's clock", () => {
    expect(nextOf(on(), foreseen([2, 2]))).to.equal("2026-11-29T14:00:00.000Z");
    expect(nextOf(on(), foreseen([0, 0, 0, 4]))).to.equal("2026-12-01T14:00:00.000Z");
    expect(nextOf(on(), foreseen([0, 0]))).to.equal(null);
  });

  it("is never without a browser or a forecast, nor after turning off", () => {
    expect(nextOf(foreseen([0, 1]))).to.equal(null);
    expect(nextOf(on())).to.equal(null);
    expect(nextOf(on(), foreseen([0, 1]), off)).to.equal(null);
  });

  it("is once a day, and after the foreseen days too", () => {
    const state = after(on(), foreseen([0, 3]), sent(today + 1));
    expect(nextOf(on(), foreseen([0, 3]), sent(today + 1))).to.equal("2026-11-30T14:00:00.000Z");
    const noon = clock.at(today + 4, 12);
    expect(reminderNow(state, noon)).to.deep.equal({ day: today + 4, due: 3 });
    expect(reminderNow(evolveReminders(state, sent(today + 4)), noon + 60_000)).to.equal(null);
  });

  it("is by day only, not at night", () => {
    const state = after(on(), foreseen([0, 3]));
    const { fromHour, untilHour } = bounds.reminders;
    const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => reminderNow(state, clock.at(today + 2, hour) + 1_000));
    expect(hours).to.deep.equal(Array.from({ length: untilHour - fromHour }, (_, index) => fromHour + index));
    expect(secondsLeftOfDay(zone, clock.at(today, 20))).to.equal(3_600);
    expect(secondsLeftOfDay(zone, clock.at(today, 23))).to.equal(0);
  });

  it("pauses after some reminders without an answer, until the next reviews", () => {
    const unanswered = Array.from({ length: bounds.reminders.unanswered }, (_, index) => sent(today + index + 1));
    expect(nextOf(on(), foreseen([1, 1]), ...unanswered.slice(1))).not.to.equal(null);
    expect(nextOf(on(), foreseen([1, 1]), ...unanswered)).to.equal(null);
    expect(nextOf(on(), foreseen([1, 1]), ...unanswered, foreseen([0, 1], today + 9))).not.to.equal(null);
  });

  it("holds across a change of the clock", () => {
    // Summer time ends in New York on 2026-11-01.
    const saturday = clock.day(Date.parse("2026-10-31T15:00:00Z"));
    expect([saturday, saturday + 1].map((day) => new Date(clock.at(day, 9)).toISOString())).to.deep.equal([
      "2026-10-31T13:00:00.000Z",
      "2026-11-01T14:00:00.000Z",
    ]);
    expect(clock.hour(clock.at(saturday + 1, 2))).to.equal(2);
  });

  it("keeps the browsers that were turned on last", () => {
    const many = Array.from({ length: bounds.reminders.devices + 2 }, (_, index) => on(`dev_${index}`));
    const { devices } = after(...many, on("dev_5"));
    expect(devices).to.have.length(bounds.reminders.devices);
    expect([devices[0], devices.at(-1)]).to.deep.equal(["dev_2", "dev_5"]);
  });
});
