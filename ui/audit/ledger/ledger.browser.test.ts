import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { expect } from "chai";
import { html } from "lit";
import { clientProblem, RequestFailed } from "../../api/problems.ts";
import type { TutorApi } from "../../api/tutor.ts";
import { afterWrong } from "../../tutor/tutor.fixture.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import "./ledger.ts";
import type { LedgerElement, LedgerReadEvent } from "./ledger.ts";

const session = {
  ...afterWrong,
  messages: afterWrong.messages.map((message) => (message.kind === "answer" ? { ...message, receipt: 2 } : message)),
};
const at = "2026-11-21T10:00:00.000Z";
const hash = (digit: string) => digit.repeat(64);
const entry = (index: number, more: object) => ({
  schemaVersion: 1,
  index,
  entryId: `entry-000${index}`,
  at,
  objectiveIds: [],
  aided: false,
  gradedBy: "application",
  sourceIds: [],
  courseRevisionId: "revision-1",
  masteryBefore: {},
  masteryAfter: {},
  phase: "checking",
  hash: hash("a"),
  previousHash: hash("0"),
  ...more,
});
const opening = {
  sessionId: afterWrong.sessionId,
  courseId: "shell-novice",
  parameters: masteryParameters,
  goal: hash("b"),
  objectives: [{ objectiveId: "objective-pipes", title: "Pipes" }],
};
const answer = (index: number, more: object = {}) =>
  entry(index, {
    kind: "check",
    objectiveIds: ["objective-pipes"],
    itemId: "item-check-1",
    correct: false,
    selection: "single",
    choices: 2,
    masteryBefore: { "objective-pipes": 0.25 },
    masteryAfter: { "objective-pipes": 0.12 },
    response: { choiceIds: ["choice-one"] },
    ...more,
  });
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value;
const textOf = (...entries: object[]) => entries.map((one) => `${JSON.stringify(sorted(one))}\n`).join("");
const whole = textOf(entry(0, { kind: "opened", opening }), entry(1, { kind: "hint", itemId: "item-check-1", level: 1 }), answer(2));

/** A service with one session, and what it was asked. */
function served({ text = whole, gone = false, none = false, keys = true, of: shown = session } = {}) {
  const state = { text, gone, none, asked: 0 };
  const reached = async <Value>(value: () => Value): Promise<Value> => {
    state.asked += 1;
    if (state.gone) throw new RequestFailed(clientProblem("unavailable"));
    return value();
  };
  const api: TutorApi = {
    start: () => expect.fail("nothing begins here"),
    turn: () => expect.fail("nothing is answered here"),
    goal: () => expect.fail("no goal is looked up here"),
    sessions: () => reached(() => []),
    session: () =>
      reached(() => {
        if (state.none) throw new RequestFailed(clientProblem("not_found"));
        return { schemaVersion: 1 as const, session: shown, position: "1", live: afterWrong.courseRevisionId, goesOn: true };
      }),
    ledger: () => reached(() => state.text),
    ledgerKeys: () => (keys ? reached(() => []) : Promise.reject(new RequestFailed(clientProblem("unavailable")))),
  };
  return { state, api };
}
async function show(api: TutorApi, event: number | null = null) {
  const read: LedgerReadEvent["shown"][] = [];
  const element = await mount<LedgerElement>(
    html`<colloquy-ledger style="block-size:600px" .of=${afterWrong.sessionId} .event=${event} .api=${api} @colloquy-ledger-read=${(told: LedgerReadEvent) => read.push(told.shown)}></colloquy-ledger>`,
  );
  return { element, read };
}
const words = (element: Element, selector: string) => element.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";

describe("a learner's ledger", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("shows every event with its number, mastery change and details", async () => {
    const { element, read } = await show(served().api, 2);
    await until(() => element.querySelector(".check.bad, .check.good"), "the check");
    expect(read).to.deep.equal([{ kind: "ledger", of: afterWrong.sessionId, title: afterWrong.goal, event: 2 }]);
    expect(words(element, "#event-0 .said")).to.equal("The session started with 1 objective.");
    expect(words(element, "#event-1 .said")).to.contain("You asked for a hint");
    expect(words(element, "#event-2 .what")).to.contain("Not right");
    expect(words(element, "#event-2 .said")).to.equal("You answered a question about “\u2068Pipes\u2069” incorrectly.");
    expect(words(element, "#event-2 .moves")).to.equal("Pipes 25% → 12%");
    expect(element.querySelector("[aria-current=true]")?.id).to.equal("event-2");
    element.querySelector<HTMLElement>("#event-2 summary")?.click();
    expect(words(element, "#event-2 dl")).to.contain("Which pipeline shows the three shortest files?").and.contain("wc -l * > sort -n");
    await expectAccessible(element);
  });

  it("says how an answer counted: practice not at all, one with help only where it moved the estimate", async () => {
    const same = { correct: true, masteryAfter: { "objective-pipes": 0.25 } };
    const rose = { correct: true, masteryAfter: { "objective-pipes": 0.3 } };
    const evidence = (counts: boolean) => ({ kind: "recall", guess: 0.42, slip: 0.08, counts });
    const text = textOf(
      entry(0, { kind: "opened", opening }),
      answer(1, { ...same, evidence: evidence(false) }),
      answer(2, { ...same, aided: true, evidence: evidence(true) }),
      answer(3, { ...rose, aided: true }),
      answer(4, { ...rose, evidence: evidence(true) }),
    );
    const { element } = await show(served({ text }).api);
    await until(() => element.querySelector("#event-4"), "the events");
    const counted = ["Practice: it counts nothing", "A right answer after help does not", "A right answer raises", "A right answer raises"];
    for (const [index, said] of counted.entries()) expect(words(element, `#event-${index + 1} dl`)).to.contain(said);
  });

  it("calls own words that the learner compared neither right nor wrong", async () => {
    const messages = session.messages.map((message) =>
      message.kind === "answer" ? { ...message, receipt: 2, compared: true as const } : message,
    );
    const { element } = await show(served({ of: { ...session, messages } }).api);
    await until(() => element.querySelector("#event-2"), "the events");
    expect(words(element, "#event-2 .what")).to.not.contain("Not right");
    expect(words(element, "#event-2 .said")).to.equal("Compared with the course");
  });

  it("names the event at which a ledger was altered", async () => {
    const { element } = await show(served().api);
    await until(() => element.querySelector(".check.bad"), "the fault");
    expect(element.querySelector(".check.bad")?.getAttribute("role")).to.equal("alert");
    expect(words(element, ".check.bad")).to.contain("This ledger was changed").and.contain("Event 0: The entry was changed");
    await expectAccessible(element);
  });

  it("says that it was not checked when the keys are missing", async () => {
    const { element } = await show(served({ keys: false }).api);
    await until(() => words(element, ".check").includes("Not verified yet"), "what was not checked");
    await expectAccessible(element);
  });

  it("reloads when the session continues, and keeps the old on failure", async () => {
    const { state, api } = served();
    const { element } = await show(api);
    await until(() => element.querySelectorAll(".entries > li").length === 3, "three events");
    state.text = whole + textOf(answer(3));
    element.version = afterWrong.version + 1;
    await until(() => element.querySelectorAll(".entries > li").length === 4, "the fourth event");
    state.gone = true;
    dispatchEvent(new Event("focus"));
    await until(() => element.querySelector(".note"), "the note");
    expect(element.querySelectorAll(".entries > li").length).to.equal(4);
    state.gone = false;
    dispatchEvent(new Event("online"));
    await until(() => !element.querySelector(".note"), "the service again");
  });

  it("says what to do when it cannot be read or does not exist", async () => {
    const gone = served({ gone: true });
    const { element } = await show(gone.api);
    const again = await until(() => element.querySelector<HTMLButtonElement>(".says button"), "a way to try again");
    await expectAccessible(element);
    gone.state.gone = false;
    again.click();
    await until(() => element.querySelector(".entries"), "the ledger");
    const missing = await show(served({ none: true }).api);
    await until(() => words(missing.element, ".says h2") === "Ledger not found", "that there is none");
    await expectAccessible(missing.element);
  });

  it("filters by mastery changes, except for a linked event without one", async () => {
    const { element } = await show(served().api);
    const box = await until(() => element.querySelector<HTMLInputElement>("input[type=checkbox]"), "the choice");
    box.click();
    await until(() => element.querySelectorAll(".entries > li").length === 1, "changes of mastery");
    element.event = 1;
    await until(() => element.querySelector("#event-1[aria-current]"), "the event that was asked for");
  });
});
