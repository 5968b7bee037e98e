import type { BankQuestion, GeneratedQuestion } from "@colloquy/schemas/publication/questions.ts";
import { expect } from "chai";
import { html } from "lit";
import { setPageLanguage } from "../../messages/load.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import type { QuestionAddition } from "./add.ts";
import "./bank.ts";
import type { QuestionBankElement, QuestionPlace } from "./bank.ts";

const question = (name: string, more: Partial<BankQuestion> = {}): BankQuestion => ({
  blockId: `block-${name}`,
  topicId: "topic-eigen-01",
  topicTitle: "Eigenvectors",
  objective: { objectiveId: "objective-1", text: "Find eigenvectors." },
  kind: "single",
  level: "recall",
  place: "bank",
  retired: false,
  prompt: `What is ${name}?`,
  version: "0123456789abcdef".repeat(4),
  earlierVersions: 1,
  figures: null,
  ...more,
});
const answered = question("answered", {
  figures: {
    asked: 31,
    learners: 24,
    right: 6,
    discrimination: 0.1234,
    choices: [
      { text: "one", correct: true, learners: 6 },
      { text: "two", correct: false, learners: 18 },
    ],
  },
});

const generated: GeneratedQuestion = {
  digest: "fedcba9876543210".repeat(4),
  topicId: "topic-eigen-01",
  topicTitle: "Eigenvectors",
  after: "block-definition",
  objective: { objectiveId: "objective-1", text: "Find eigenvectors." },
  kind: "single",
  prompt: "What stays?",
  choices: [
    { text: "the direction", correct: true },
    { text: "the length", correct: false },
  ],
  looked: false,
  asked: 7,
  learners: 5,
  right: 2,
  source: "---\nkind: single\nplace: bank\n---\nWhat stays?\n\n- [x] the direction\n- [ ] the length\n\n::: explanation\nSo.\n:::",
};

describe("the question bank", () => {
  before(loadTheme);
  afterEach(async () => {
    await setPageLanguage("en", "all");
    unmountAll();
  });

  async function opened(questions: BankQuestion[], failing = false, written: GeneratedQuestion[] = []) {
    const additions: QuestionAddition[] = [];
    const places: QuestionPlace[] = [];
    const service = { failing };
    const fetch = async () =>
      service.failing
        ? Response.json({ code: "unavailable", status: 503, title: "Unavailable", retryable: false }, { status: 503 })
        : Response.json({ schemaVersion: 1, courseId: "linear-maps", sequence: 1, questions, generated: written });
    const element = await mount<QuestionBankElement>(
      html`<colloquy-question-bank .courseId=${"linear-maps"} .fetch=${fetch} .edit=${(place: QuestionPlace) => places.push(place)} .add=${(addition: QuestionAddition) => additions.push(addition)}></colloquy-question-bank>`,
    );
    element.querySelector<HTMLElement>(".open")?.click();
    await until(() => element.querySelector(".filter, .none, .note"), "it is read");
    return { element, places, additions, service };
  }
  const listed = (element: Element) => [...element.querySelectorAll("[data-question]")].map((one) => one.getAttribute("data-question"));

  it("lists questions by page and objective with their figures, accessibly", async () => {
    const { element } = await opened([answered, question("new")]);
    expect([element.querySelector("h3")?.textContent, element.querySelectorAll("h4").length]).to.deep.equal(["Eigenvectors", 1]);
    expect([...element.querySelectorAll("[data-question='block-answered'] dd")].map((one) => one.textContent)).to.deep.equal([
      "31",
      "24",
      "25%",
      "0.12",
    ]);
    expect([...element.querySelectorAll(".choices b")].map((one) => one.textContent)).to.deep.equal(["6 learners", "18 learners"]);
    expect(element.querySelector("[data-question='block-new']")?.textContent).to.include("Fewer than five learners").and.not.include("%");
    await expectAccessible(element);
  });

  it("shows code in prompts and choices as code", async () => {
    const figures = { asked: 5, learners: 5, right: 1, discrimination: null, choices: [{ text: "`ls -l`", correct: true, learners: 5 }] };
    const { element } = await opened([question("coded", { prompt: "What does `wc -l` count?", figures })]);
    await until(() => element.querySelectorAll("li[data-question] code").length === 2, "the code");
    const [prompt, choice] = [...element.querySelectorAll("li[data-question] colloquy-quiz-text")].map((one) => one.textContent?.trim());
    expect([prompt, choice]).to.deep.equal(["What does wc -l count?", "ls -l"]);
    expect(element.querySelector("li[data-question] .ways")?.textContent).to.contain(": What does wc -l count?");
    await expectAccessible(element);
  });

  it("searches prompts and their code, which it shows", async () => {
    const program = question("program", { prompt: "What does it print? –", code: "for word in sorted(words):\n    print(word)" });
    const { element } = await opened([answered, program]);
    expect(element.querySelector("pre")?.textContent).to.include("sorted(words)");
    const search = element.querySelector<HTMLInputElement>("[type='search']") ?? expect.fail("no search");
    search.value = "Sorted print";
    search.dispatchEvent(new Event("input"));
    await element.updateComplete;
    expect(listed(element)).to.deep.equal(["block-program"]);
    await expectAccessible(element);
  });

  it("filters, and says when nothing is left", async () => {
    const { element } = await opened([answered, question("new"), question("old", { retired: true })]);
    const select = element.querySelector("select") as HTMLSelectElement;
    const choose = async (filter: string) => {
      select.value = filter;
      select.dispatchEvent(new Event("change"));
      await element.updateComplete;
    };
    await choose("flat");
    expect(listed(element)).to.deep.equal(["block-answered"]);
    await choose("retired");
    expect(listed(element)).to.deep.equal(["block-old"]);
    await choose("easy");
    expect(element.querySelector(".none")?.textContent).to.equal("No question is in this list.");
  });

  it("leads to the block in the editor", async () => {
    const { element, places } = await opened([answered]);
    element.querySelector<HTMLElement>(".ways button")?.click();
    expect(places).to.deep.equal([{ topicId: "topic-eigen-01", blockId: "block-answered" }]);
    expect(element.querySelector("dialog")?.open).to.equal(false);
  });

  it("lists what models wrote, to take over or to retire", async () => {
    const { element, additions } = await opened([answered], false, [generated]);
    const item = element.querySelector("[data-generated]");
    expect(element.querySelector("h3")?.textContent, "before all others").to.equal("Written by models");
    expect([...element.querySelectorAll("option")].map(({ text }) => text)).to.include.members([
      "All questions (2)",
      "Written by models (1)",
    ]);
    expect([...(item?.querySelectorAll("dd") ?? [])].map((one) => one.textContent)).to.deep.equal(["7", "5", "40%"]);
    expect(item?.textContent).to.include("practice, without a second look");
    await expectAccessible(element);
    const [take, never] = item?.querySelectorAll("button") ?? [];
    take?.click();
    never?.click();
    const place = { topicId: "topic-eigen-01", after: "block-definition" };
    expect(additions).to.deep.equal([
      { ...place, source: generated.source },
      { ...place, source: generated.source.replace("bank\n", "bank\nretired: true\n") },
    ]);
    expect(element.querySelector("dialog")?.open).to.equal(false);
  });

  it("lists what models wrote for a course without questions of its own", async () => {
    const { element } = await opened([], false, [generated]);
    expect(element.querySelectorAll("[data-generated]")).to.have.length(1);
  });

  it("says what failed, and tries again", async () => {
    const { element, service } = await opened([answered], true);
    await expectAccessible(element);
    service.failing = false;
    element.querySelector<HTMLElement>(".note button")?.click();
    await until(() => listed(element).length === 1, "it is there");
    expect(element.querySelector(".note")).to.equal(null);
  });

  it("fits a phone in every language", async () => {
    for (const language of ["de", "ar", "en"] as const) {
      await setPageLanguage(language, "all");
      const { element } = await opened([answered], false, [generated]);
      await expectAccessible(element);
      const dialog = element.querySelector("dialog") as HTMLDialogElement;
      dialog.style.inlineSize = "360px";
      expect(dialog.scrollWidth, language).to.be.at.most(360);
      unmountAll();
    }
  });
});
