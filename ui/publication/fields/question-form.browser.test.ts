import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { questionStarter } from "@colloquy/schemas/courses/editing/question-templates.ts";
import { expect } from "chai";
import { html } from "lit";
import { setPageLanguage } from "../../messages/load.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { EditingSession } from "../session.ts";
import { threePages } from "../testing/three-pages.ts";
import "./block-field.ts";
import type { BlockField } from "./block-field.ts";

const blockId = "block-question-1";
const whole = questionStarter.replaceAll(/Write (?:the|why|choice)/g, (words) => words.replace("Write", "Say"));

async function field(source: string, { objectives = 2, width = 1100 } = {}) {
  const course: AuthoredCourse = threePages([
    { id: blockId, type: "core.question", source },
    { id: "block-theory-01", type: "core.theory", source: "## Pipes\n\nA pipe passes output on." },
  ]);
  const [topic] = course.topics;
  if (topic)
    topic.objectives = Array.from({ length: objectives }, (_, index) => ({ id: `objective-${index}`, text: `Do thing ${index}.` }));
  const session = new EditingSession({ base: { sequence: 1, revisionId: "revision-1" }, baseCourse: course, course, renamedIds: [] });
  const holder = await mount(
    html`<div style="inline-size: ${width}px"><colloquy-block-field .session=${session} .blockId=${blockId}></colloquy-block-field></div>`,
  );
  const element = holder.querySelector("colloquy-block-field") as BlockField;
  await element.updateComplete;
  const text = element.querySelector("textarea") as HTMLTextAreaElement;
  const now = () => findBlock(session.state.course, blockId)?.block.source ?? "";
  const control = (key: string) => element.querySelector<HTMLSelectElement>(`[data-key="${key}"]`) as HTMLSelectElement;
  async function choose(key: string, value: string) {
    control(key).value = value;
    control(key).dispatchEvent(new Event("change"));
    await element.updateComplete;
  }
  const press = (name: string) =>
    (
      [...element.querySelectorAll<HTMLButtonElement>("colloquy-question-form button")].find(
        (one) => one.textContent === name,
      ) as HTMLButtonElement
    ).click();
  return { element, session, text, now, control, choose, press };
}

describe("the form of a question", () => {
  before(loadTheme);
  afterEach(async () => {
    await setPageLanguage("en", "all");
    unmountAll();
  });

  it("shows the header as fields, and the rest as text", async () => {
    const { element, text, now, control } = await field(whole.replace("kind: single", "kind: single\nobjective: objective-1\nplace: bank"));
    expect(text.value).to.match(/^Say the question/);
    expect([control("kind").value, control("objective").value, control("place").value]).to.deep.equal(["single", "objective-1", "bank"]);
    await until(() => element.querySelector(".preview")?.childElementCount, "the preview");
    await expectAccessible(element);
    text.focus();
    text.setSelectionRange(0, 3);
    document.execCommand("insertText", false, "Tell");
    expect(now()).to.match(/^---\nkind: single\nobjective: objective-1\nplace: bank\n---\nTell the question/);
  });

  it("switches the kind, keeps what was written, and is undone as one step", async () => {
    const { session, text, now, choose } = await field(whole);
    await choose("kind", "text");
    expect(text.value).to.include("= Say choice 1.").and.not.include("- [ ]");
    await choose("kind", "single");
    expect(now()).to.equal(whole);
    await choose("kind", "order");
    session.undo();
    expect(now()).to.equal(whole);
    expect(text.value).to.include("- [ ] Say choice 2.");
  });

  it("says which objective is missing, until one is chosen", async () => {
    const { element, control, choose, now } = await field(whole);
    await until(() => control("objective").getAttribute("aria-invalid"), "it is marked");
    expect(element.querySelector(".wrong")?.textContent).to.include("several objectives");
    await until(() => element.querySelector(".errors button"), "it is listed");
    (element.querySelector(".errors button") as HTMLButtonElement).click();
    await until(() => document.activeElement?.matches("colloquy-question-form select"), "the form has the focus");
    await choose("objective", "objective-0");
    expect(now()).to.include("objective: objective-0");
    await until(() => !control("objective").hasAttribute("aria-invalid"), "it is right");
  });

  it("names the blocks that it rests on, also those of another page", async () => {
    const { element, now } = await field(whole.replace("kind: single", "kind: single\nabout: block-elsewhere"), { objectives: 1 });
    const boxes = () => [...element.querySelectorAll<HTMLInputElement>("details input")];
    await until(() => boxes().length === 2, "both are offered");
    expect(element.querySelector("details")?.open).to.equal(true);
    expect(element.querySelector("details li")?.textContent).to.include("Not on this page").and.include("block-elsewhere");
    boxes()[1]?.click();
    expect(now()).to.include("about: block-elsewhere, block-theory-01");
    await until(() => element.querySelector("summary")?.textContent === "Rests on 1 block of this page", "counted");
    boxes()[0]?.click();
    expect(now()).to.include("about: block-theory-01\n");
  });

  it("adds parts and selects their words", async () => {
    const { text, press, choose } = await field(whole, { objectives: 0 });
    const selected = () => text.value.slice(text.selectionStart, text.selectionEnd);
    press("Add a choice");
    await until(() => selected() === "Write choice 4.", "a choice");
    expect(document.activeElement).to.equal(text);
    press("Add a hint");
    await until(() => selected().startsWith("Write what helps"), "a hint");
    await choose("kind", "gap");
    text.focus();
    text.setSelectionRange(0, 3);
    press("Add a gap");
    expect(text.value).to.match(/^\[\[Say\]\] the question/);
    expect(selected()).to.equal("Say");
  });

  it("retires a question", async () => {
    const { element, now } = await field(whole, { objectives: 0 });
    (element.querySelector('[data-key="retired"]') as HTMLInputElement).click();
    expect(now()).to.include("retired: true");
  });

  it("shows a header that cannot be read as text, and takes it once it is right", async () => {
    const { element, text, now } = await field(whole.replace("single", "singel"), { objectives: 0 });
    expect(text.value).to.equal(now());
    expect(element.querySelector("colloquy-question-form select")).to.equal(null);
    text.focus();
    text.setSelectionRange(10, 16);
    document.execCommand("insertText", false, "single");
    expect(now()).to.equal(whole);
    await until(() => element.querySelector("colloquy-question-form select"), "the form");
    expect(text.value).to.match(/^Say the question/);
  });

  it("fits a phone in every language", async () => {
    for (const language of ["de", "ar", "en"] as const) {
      await setPageLanguage(language, "all");
      const { element } = await field(whole.replace("single", "number").replace(/- \[x\][\s\S]*?(?=\n\n:::)/, "= 1"), { width: 340 });
      await until(() => element.querySelector(".preview")?.childElementCount, "the preview");
      await expectAccessible(element);
      expect(element.scrollWidth, language).to.be.at.most(340);
      unmountAll();
    }
  });
});
