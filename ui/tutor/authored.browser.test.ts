import type { MechanicalQuestion } from "@colloquy/schemas/questions/mark.ts";
import { withoutKey } from "@colloquy/schemas/questions/shown.ts";
import type { Card } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import "./answered.ts";
import "./card.ts";
import type { TutorCard } from "./card.ts";
import type { TutorCommand, TutorEvent } from "./events.ts";
import type { AskedQuestion } from "./flow.ts";

const key: MechanicalQuestion = {
  kind: "text",
  level: "recall",
  about: [],
  place: "bank",
  hints: [],
  markdown: "What reads lines and writes lines?",
  accepted: ["filter"],
  explanation: "So the lesson says.",
};
const question = withoutKey(key, "item-0001");
const common = { itemId: "item-0001", prompt: key.markdown, selection: "short" as const, choices: [], question, counts: true };

const card: Card = {
  ...common,
  kind: "check",
  sourceIds: [],
  attempt: 1,
  objectiveIds: ["objective-1"],
  hints: { given: 0, most: 0 },
  aided: false,
  gradedBy: "application",
};

/** Answered wrongly, without help. */
const answered = {
  question: {
    ...common,
    kind: "question",
    messageId: "item-0001",
    at: "",
    receipt: null,
    itemKind: "check",
    objectiveIds: [],
    replaced: false,
  },
  hints: [],
  exchanges: [],
  explanation: null,
  answer: {
    kind: "answer",
    messageId: "m",
    at: "",
    receipt: 3,
    itemId: "item-0001",
    choiceIds: [],
    text: null,
    response: { text: "filtre" },
    key,
    correct: false,
    aided: false,
    gradedBy: "application",
    criteria: [],
    right: [],
    modelAnswer: "filter",
    explanation: "So the lesson says.",
    citations: [
      {
        number: 1,
        sourceId: "s",
        href: "/courses/pipes/filters",
        title: "Filters",
        trail: [],
        revisionId: "r",
        quote: "A filter reads lines.",
      },
    ],
    disputed: false,
    disputable: false,
  },
} as unknown as AskedQuestion;

describe("a question of the course's own in the tutor", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("keeps what is given and sends it as a response", async () => {
    const commands: TutorCommand[] = [];
    const element = await mount(
      html`<colloquy-tutor-card .card=${card} .language=${"en"} @colloquy-tutor=${(event: TutorEvent) => commands.push(event.command)}></colloquy-tutor-card>`,
    );
    await until(() => element.querySelector(".field input"), "the field");
    await expectAccessible(element);
    const field = element.querySelector<HTMLInputElement>(".field input");
    if (!field) throw new Error("there is no field");
    field.value = "filter";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    expect(commands.at(-1)).to.deep.equal({ kind: "respond", response: { text: "filter" } });
    Object.assign(element, { chosen: { itemId: "item-0001", choiceIds: [], text: "", response: { text: "filter" } } });
    await (element as unknown as { updateComplete: Promise<unknown> }).updateComplete;
    element.querySelector<HTMLButtonElement>("button.primary")?.click();
    expect(commands.at(-1)).to.deep.equal({ kind: "act", action: { type: "answer", itemId: "item-0001", response: { text: "filter" } } });
  });

  it("says what is missing to a screen reader at once, and to all when it is sent", async () => {
    const commands: TutorCommand[] = [];
    const gaps = { ...card, question: { kind: "gap" as const, markdown: "[[1]] and [[2]]", gaps: 2 } };
    const chosen = { itemId: "item-0001", choiceIds: [], text: "", response: { texts: ["filter", ""] } };
    const element = await mount<TutorCard>(
      html`<colloquy-tutor-card .card=${gaps} .chosen=${chosen} @colloquy-tutor=${(event: TutorEvent) => commands.push(event.command)}></colloquy-tutor-card>`,
    );
    const told: string[] = [];
    element.addEventListener("colloquy-announce", ({ text }) => told.push(text));
    await until(() => element.querySelectorAll("input").length === 2, "the gaps");
    const send = element.querySelector("button.primary") as HTMLButtonElement;
    const missing = document.getElementById(send.getAttribute("aria-describedby") ?? "");
    expect([missing?.textContent, missing?.hidden]).to.deep.equal(["Fill every gap first.", true]);
    send.click();
    await until(() => document.activeElement === element.querySelectorAll("input")[1], "the empty gap");
    expect([commands.length, missing?.hidden, told]).to.deep.equal([0, false, ["Fill every gap first."]]);
    await expectAccessible(element);
  });

  it("stands with its answer and the focus in it where only the spelling is to be looked at", async () => {
    const chosen = { itemId: "item-0001", choiceIds: [], text: "", response: { text: "filtre" } };
    const element = await mount<TutorCard>(html`<colloquy-tutor-card misspelled .card=${card} .chosen=${chosen}></colloquy-tutor-card>`);
    await until(() => element.querySelector(".field input"), "the field");
    await element.focusCard();
    expect(document.activeElement).to.have.property("value", "filtre");
    expect(element.querySelector(".again")?.textContent).to.equal("Almost: check the spelling, then send it again.");
    await expectAccessible(element);
  });

  it("shows what is wrong, what is right, why, and the passage after a wrong answer", async () => {
    const element = await mount(html`<colloquy-tutor-answered .asked=${answered} .language=${"en"}></colloquy-tutor-answered>`);
    await until(() => element.textContent?.includes("So the lesson says.") ?? false, "the explanation");
    expect(element.textContent).to.include("filter").and.include("Not right");
    expect(element.querySelector<HTMLInputElement>(".field input")?.value).to.equal("filtre");
    expect(element.querySelector(".error")?.textContent).to.equal("Close, but some letters differ. Check the spelling.");
    expect(element.querySelector(".passage")?.textContent?.replace(/\s+/g, " ").trim()).to.equal(
      "Read again: Filters A filter reads lines.",
    );
    await expectAccessible(element);
  });

  for (const [correct, hints, told] of [
    [true, 1, /does not count towards mastery: with 1 hint/],
    [true, 0, /does not count towards mastery: shown before/],
    [false, 1, /^with 1 hint · event 3$/],
    [false, 0, /^event 3$/],
  ] as const)
    it(`says of ${correct ? "a right" : "a wrong"} answer with ${hints} hints what it counts`, async () => {
      const answer = { ...answered.answer, correct, aided: true };
      const asked = { ...answered, answer, hints: Array<object>(hints).fill({ level: 1, text: "See the lesson." }) };
      const element = await mount(html`<colloquy-tutor-answered .asked=${asked} .language=${"en"}></colloquy-tutor-answered>`);
      await until(() => element.querySelector(".outcome .words span"), "the verdict");
      expect(element.querySelector(".outcome .words span")?.textContent).to.match(told);
    });

  it("shows no explanation that only repeats the right answer", async () => {
    const shown = async (explanation: string): Promise<number> => {
      const asked = { ...answered, answer: { ...answered.answer, explanation } } as AskedQuestion;
      const element = await mount(html`<colloquy-tutor-answered .asked=${asked} .language=${"en"}></colloquy-tutor-answered>`);
      await until(() => element.querySelector(".outcome"), "the verdict");
      return element.querySelectorAll(".why").length;
    };
    expect([await shown("So the lesson says."), await shown("filter")]).to.deep.equal([1, 0]);
  });
});
