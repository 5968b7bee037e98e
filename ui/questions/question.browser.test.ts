import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { parseQuestion } from "@colloquy/schemas/courses/parsers/question.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { renderBlock } from "../rendering/blocks.ts";
import { sanitizedFragment } from "../rendering/sanitize.ts";
import { accessibleName, expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { markdownTexts } from "./markdown-texts.ts";
import type { QuestionElement } from "./question.ts";
import { offerSelfChecks } from "./self-check.ts";

function read(kind: string, body: string, header = ""): Question {
  const result = parseQuestion(
    `---\nkind: ${kind}\n${header}---\n${body}\n\n::: hint\nFirst hint.\n:::\n::: hint\nSecond hint.\n:::${kind === "free" ? "" : "\n::: explanation\nBecause it is so.\n:::"}`,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.data;
}

/** A question of a page, as the service renders it, made answerable. */
async function onPage(data: Question): Promise<QuestionElement> {
  const page = await mount(html`<article lang="en"></article>`);
  page.append(sanitizedFragment(renderBlock({ id: "question-1", type: "core.question", data })));
  offerSelfChecks(page);
  const element = await until(() => page.querySelector("colloquy-question"), "the self-check");
  await settled(element);
  return element;
}

async function settled(element: QuestionElement): Promise<void> {
  await element.updateComplete;
  await element.querySelector("colloquy-question-fields")?.updateComplete;
  await element.updateComplete;
}

const button = (element: Element, name: string): HTMLButtonElement =>
  [...element.querySelectorAll("button")].find((one) => one.textContent?.trim() === name) ?? expect.fail(`no button ${name}`);
const buttons = (element: Element): string[] => [...element.querySelectorAll(".ways button")].map((one) => one.textContent?.trim() ?? "");
const outcome = (element: Element): string => element.querySelector(".outcome")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
async function press(element: QuestionElement, name: string): Promise<void> {
  button(element, name).click();
  await settled(element);
}
async function choose(element: QuestionElement, words: string): Promise<void> {
  const label = [...element.querySelectorAll("label")].find((one) => one.textContent?.includes(words)) ?? expect.fail(words);
  label.querySelector("input")?.click();
  await settled(element);
}
async function type(element: QuestionElement, field: Element | null | undefined, text: string): Promise<void> {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw new Error("no field");
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await settled(element);
}

/** As the service renders a block: with a link to it, and a formula in two forms. */
const passage = html`<a class="block-anchor" href="#formula-1">¶</a><p>The length is <span class="katex"><span class="katex-mathml">x\\ell</span><span class="katex-html">x</span></span>, which is measured from one end to the other end of it.</p>`;
const single = read("single", "What counts **lines**?\n\n- [x] `wc -l`\n- [ ] `ls -l`\n  > It lists files.\n- [ ] $x^2$");

describe("a self-check on a page", function () {
  this.timeout(120_000);
  before(loadTheme);
  afterEach(unmountAll);

  it("takes the place of the written question, named by its prompt, and passes axe", async () => {
    const element = await onPage(single);
    const written = element.nextElementSibling as HTMLElement;
    expect(getComputedStyle(written).display).to.equal("none");
    expect(element.querySelector(".prompt strong")?.textContent).to.equal("lines");
    expect(accessibleName(element.querySelector("fieldset") as Element)).to.match(/What counts lines\?.*Choose one/);
    for (const label of element.querySelectorAll("label")) expect(label.getBoundingClientRect().height).to.be.at.least(44);
    await expectAccessible(element);
    await choose(element, "ls -l");
    await press(element, "Check");
    await expectAccessible(element);
  });

  it("says what is missing before it can be checked, to a screen reader at once and to all when pressed", async () => {
    const element = await onPage(single);
    const check = button(element, "Check");
    const missing = () => document.getElementById(check.getAttribute("aria-describedby") ?? "")?.textContent;
    expect(missing()).to.equal("Choose an answer first.");
    expect(outcome(element)).to.equal("");
    await press(element, "Check");
    expect(outcome(element)).to.equal("Choose an answer first.");
    await choose(element, "ls -l");
    expect([missing(), outcome(element)]).to.deep.equal([undefined, ""]);
  });

  it("gives the feedback of the choice taken, and keeps the right one for another try", async () => {
    const element = await onPage(single);
    expect(button(element, "Check").getAttribute("aria-disabled")).to.equal("true");
    await choose(element, "ls -l");
    await press(element, "Check");
    expect(outcome(element)).to.equal("Not right It lists files.");
    expect(element.querySelectorAll(".missed, .right").length).to.equal(0);
    expect(element.querySelector("[role='status'] .words")).not.to.equal(null);
    expect(document.activeElement).to.equal(button(element, "Try again"));
    await press(element, "Try again");
    await choose(element, "wc -l");
    await press(element, "Check");
    expect(outcome(element)).to.match(/^Right Explanation ?Because it is so\.$/);
    expect(buttons(element)).to.deep.equal(["Try again"]);
  });

  it("shows the solution on request, and hints one by one", async () => {
    const element = await onPage(single);
    await press(element, "Show a hint");
    expect(element.querySelector(".hints")?.textContent).to.contain("First hint.").and.not.contain("Second hint.");
    await press(element, "Show a hint");
    expect(element.querySelector(".hints")?.textContent).to.contain("Second hint.");
    expect(buttons(element)).to.deep.equal(["Check"]);
    await choose(element, "ls -l");
    await press(element, "Check");
    await press(element, "Show solution");
    expect(element.querySelector(".missed")?.textContent).to.contain("wc -l").and.contain("Right answer");
    expect(outcome(element)).to.contain("Because it is so.");
  });

  it("works by keyboard alone", async () => {
    const element = await onPage(single);
    element.querySelector("input")?.focus();
    await sendKeys({ press: "Space" });
    await settled(element);
    await sendKeys({ press: "Enter" });
    await settled(element);
    expect(outcome(element)).to.match(/^(?:Right|Not right)/);
    await sendKeys({ press: "Enter" });
    await until(() => document.activeElement?.matches("input"), "the focus on a choice");
  });

  it("says that a right choice is missing", async () => {
    const element = await onPage(read("multiple", "Which?\n\n- [x] one\n- [x] two\n- [ ] three"));
    await choose(element, "one");
    await press(element, "Check");
    expect(outcome(element)).to.equal("Not right · something is missing");
  });

  it("takes words and numbers with their unit", async () => {
    const words = await onPage(read("text", "Which?\n\n= pipe"));
    await type(words, words.querySelector(".field input"), "One Pipe");
    await press(words, "Check");
    expect(outcome(words)).to.equal("Not right The right answer is in it, with more than is asked for.");
    await press(words, "Show solution");
    expect(outcome(words)).to.match(/Right answer ?pipe/);
    const number = await onPage(read("number", "How long?\n\n= 2.5", "unit: cm\n"));
    expect(number.querySelector(".unit")?.textContent).to.equal("cm");
    await type(number, number.querySelector(".field input"), "2,5 cm");
    await press(number, "Check");
    expect(outcome(number)).to.match(/^Right/);
    await expectAccessible(number);
  });

  it("waits for a number where one is asked, and says how it is written", async () => {
    const element = await onPage(read("number", "How long?\n\n= 2.5", "unit: cm\n"));
    const input = element.querySelector<HTMLInputElement>(".field input") ?? expect.fail("no field");
    expect(element.querySelector(`#${input.getAttribute("aria-describedby")}`)?.textContent).to.contain("3.5 or 7/2");
    await type(element, input, "about two");
    await press(element, "Check");
    expect(outcome(element)).to.equal("Enter a number first.");
    await type(element, input, "2.5");
    await press(element, "Check");
    expect(outcome(element)).to.match(/^Right/);
  });

  it("says what is wrong in a number, and where to read again", async () => {
    const page = await mount(
      html`<article lang="en"><section id="lengths-1"><h3>Rulers</h3><p>Text.</p></section><section id="formula-1">${passage}</section></article>`,
    );
    const data = read("number", "How long?\n\n= 2.5", "unit: cm\nabout: lengths-1, formula-1\nplace: self-check\n");
    page.append(sanitizedFragment(renderBlock({ id: "question-1", type: "core.question", data })));
    offerSelfChecks(page);
    const element = await until(() => page.querySelector("colloquy-question"), "the self-check");
    await settled(element);
    await type(element, element.querySelector(".field input"), "-2.5");
    await press(element, "Check");
    expect(outcome(element)).to.equal(
      "Not right The amount is right, but the sign is wrong. Read again: Rulers The length is x, which is measured from one end to the…",
    );
    expect(element.querySelector(".again a")?.getAttribute("href")).to.equal("#lengths-1");
    await expectAccessible(element);
  });

  it("names gaps and pairs that are wrong, without what is right", async () => {
    const gaps = await onPage(read("gap", "A [[pipe]] joins [[programs]]."));
    for (const [index, text] of ["programs", "progams"].entries()) await type(gaps, gaps.querySelectorAll("input")[index], text);
    await press(gaps, "Check");
    expect(outcome(gaps)).to.contain("Gap 1 (\u2068programs\u2069): This belongs in gap 2.");
    expect(outcome(gaps)).to.contain("Gap 2 (\u2068progams\u2069): Close, but some letters differ. Check the spelling.");
    const match = await onPage(read("match", "Match.\n\n- ls => lists\n- wc => counts\n- => moves"));
    for (const select of match.querySelectorAll("select")) {
      select.value = [...select.options].find(({ text }) => text === (accessibleName(select) === "ls" ? "lists" : "moves"))?.value ?? "";
      select.dispatchEvent(new Event("change"));
      await settled(match);
    }
    await press(match, "Check");
    expect(outcome(match)).to.equal("Not right · 1 of 2 right");
  });

  it("has its gaps within text and code, and marks each", async () => {
    const element = await onPage(read("gap", "A [[pipe]] joins.\n\n```bash\nls | wc [[-l]]\n```\n\nSee `cd [[..]]`."));
    expect([...element.querySelectorAll("input")].map((one) => one.closest("pre, code, p")?.localName)).to.deep.equal([
      "p",
      "code",
      "code",
    ]);
    expect([...element.querySelectorAll("input")].map(accessibleName)).to.deep.equal(["Gap 1", "Gap 2", "Gap 3"]);
    for (const [index, text] of ["pipe", "-L", ".."].entries()) await type(element, element.querySelectorAll("input")[index], text);
    await press(element, "Check");
    expect(outcome(element)).to.equal("Not right · 2 of 3 right Gap 2 (\u2068-L\u2069): Only upper and lower case differ.");
    expect([...element.querySelectorAll("input")].map((one) => one.className)).to.deep.equal(["right", "wrong", "right"]);
    expect(accessibleName(element.querySelectorAll("input")[1] as Element)).to.equal("Gap 2: Not right");
    await expectAccessible(element);
  });

  it("moves items by buttons and arrow keys, says where, and keeps the focus", async () => {
    const element = await onPage(read("order", "Sort.\n\n1. one\n2. two\n3. three"));
    const shown = () => [...element.querySelectorAll(".order .item-text")].map((one) => one.textContent?.trim());
    await expectAccessible(element);
    for (const [index, item] of ["one", "two", "three"].entries())
      while (shown().indexOf(item) > index) {
        const mover = element.querySelector<HTMLElement>(`[data-item="${partId(item)}"] .up`);
        expect(accessibleName(mover as Element)).to.equal(`Move up ${item}`);
        mover?.focus();
        await sendKeys({ press: "ArrowUp" });
        await settled(element);
        expect(document.activeElement).to.equal(element.querySelector(`[data-item="${partId(item)}"] .up`));
        expect(element.querySelector("fieldset > [role='status']")?.textContent).to.equal(`Now ${shown().indexOf(item) + 1} of 3`);
      }
    expect(shown()).to.deep.equal(["one", "two", "three"]);
    await press(element, "Check");
    expect(outcome(element)).to.match(/^Right/);
  });

  it("takes no order in which nothing was moved: items never come in the right one", async () => {
    const element = await onPage(read("order", "Sort.\n\n1. one\n2. two\n3. three"));
    const check = () => [...element.querySelectorAll("button")].find((one) => one.textContent?.trim() === "Check");
    const isOff = () => check()?.getAttribute("aria-disabled") === "true" || check()?.disabled === true;
    expect(isOff()).to.equal(true);
    element.querySelector<HTMLElement>(".order .down")?.click();
    await settled(element);
    expect(isOff()).to.equal(false);
  });

  it("matches by selects, with letters for what an option cannot show", async () => {
    const element = await onPage(read("match", "Match.\n\n- ls => lists\n- wc => $n$ lines\n- => moves"));
    const rights = [...element.querySelectorAll(".rights > li")].map((one) => one.textContent ?? "");
    expect(rights.length).to.equal(3);
    for (const select of element.querySelectorAll("select")) {
      const wanted = accessibleName(select) === "ls" ? "lists" : "lines";
      select.value = select.options[rights.findIndex((text) => text.includes(wanted)) + 1]?.value ?? "";
      select.dispatchEvent(new Event("change"));
      await settled(element);
    }
    await expectAccessible(element);
    await press(element, "Check");
    expect(outcome(element)).to.match(/^Right/);
  });

  it("shows a model answer and its rubric to compare with", async () => {
    const element = await onPage(read("free", "Why?\n\n::: rubric\n- Names *one*.\n- Names two.\n:::\n::: answer\nSo it is.\n:::"));
    await type(element, element.querySelector("textarea"), "Mine");
    await press(element, "Compare with a model answer");
    expect(outcome(element)).to.contain("So it is.").and.contain("Does your answer say this?");
    expect([...element.querySelectorAll(".rubric input")].map(accessibleName)).to.deep.equal(["Names one.", "Names two."]);
    await expectAccessible(element);
  });

  it("stays as it is when the page was refreshed without a change", async () => {
    const element = await onPage(single);
    offerSelfChecks(element.closest("article") as Element);
    expect(element.isConnected).to.equal(true);
    element.closest<HTMLElement>(".question")?.setAttribute("data-question", JSON.stringify({ ...single, markdown: "Changed" }));
    offerSelfChecks(document.querySelector("article") as Element);
    expect(element.isConnected).to.equal(false);
  });
});

describe("a question in another program", function () {
  this.timeout(120_000);
  before(loadTheme);
  afterEach(unmountAll);

  it("renders Markdown itself, hands out the response, and shows the result it is given", async () => {
    const element = await mount<QuestionElement>(
      html`<colloquy-question .question=${{ kind: "gap", markdown: "Let $x$ be `a [[1]]`.\n\n```bash\nwc [[2]]\n```", gaps: 2 }} .texts=${markdownTexts()}></colloquy-question>`,
    );
    await until(() => element.querySelectorAll("input").length === 2, "the gaps");
    expect(element.querySelector(".katex")).not.to.equal(null);
    expect(element.querySelector("pre input")).not.to.equal(null);
    const given: QuestionResponse[] = [];
    element.addEventListener("colloquy-question-response", ({ response }) => given.push(response));
    for (const [index, text] of ["b", "-l"].entries()) await type(element, element.querySelectorAll("input")[index], text);
    await press(element, "Check");
    expect(given).to.deep.equal([{ texts: ["b", "-l"] }]);
    const [field] = element.querySelectorAll("input");
    if (!field) throw new Error("there is no gap");
    field.value = "SELECT DISTINCT name";
    expect(field.scrollWidth, "all of what is typed is seen").to.be.at.most(field.clientWidth);
    field.value = "b";
    element.result = { correct: false, parts: [false, true] };
    await settled(element);
    expect(outcome(element)).to.equal("Not right · 1 of 2 right");
    expect(buttons(element)).to.deep.equal([]);
  });
});
