import { expect } from "chai";
import { html } from "lit";
import { uuidv7 } from "../api/uuid.ts";
import { session as taught } from "../tutor/tutor.fixture.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { question } from "../workspace/testing/fixtures.ts";
import "../tutor/tutor.ts";
import "./conversation.ts";
import type { ConversationElement } from "./conversation.ts";
import { openStage, type Stage } from "./testing/stage.ts";

describe("side questions", () => {
  let stage: Stage;
  before(loadTheme);
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(async () => {
    unmountAll();
    await stage.close();
  });

  /** A conversation in whose lesson a choice was made, and not confirmed. */
  const show = async (width: number) => {
    const conversationId = uuidv7();
    const data = { mode: "tutor" as const, model: { choice: "automatic" as const }, references: [], title: "Tutor: pipes" };
    await stage.library.commit([{ conversationId, type: "started", data }]);
    const session = stage.open(conversationId, false);
    const tutoring = await session.loadTutoring();
    tutoring.session = taught;
    tutoring.presence = "present";
    const shown = await mount<ConversationElement>(
      html`<colloquy-conversation style="block-size: 640px; inline-size: ${width}px" .session=${session} .models=${{ models: [], automatic: true }}></colloquy-conversation>`,
    );
    await session.load();
    tutoring.choose(["choice-two"]);
    await until(() => shown.querySelector("colloquy-tutor-card input:checked"), "the choice");
    return { session, shown };
  };
  const chosen = (shown: Element) => shown.querySelector<HTMLInputElement>("colloquy-tutor-card input:checked")?.value;
  const seen = (shown: Element, selector: string) => shown.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) ?? false;
  const mode = (shown: Element) => shown.querySelector("colloquy-composer")?.mode;

  it("leave the rails to the bottom, with the composer below the lesson", async () => {
    const { shown } = await show(1300);
    const box = (selector: string) => shown.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
    const [rail, foot, lesson] = [box(".rail.progress"), box(".foot"), box("colloquy-tutor-flow")];
    expect([rail.bottom, box(".rail.path").bottom].map(Math.round)).to.deep.equal(
      Array(2).fill(Math.round(shown.getBoundingClientRect().bottom)),
    );
    expect(Math.round(lesson.bottom)).to.equal(Math.round(foot.top));
    expect([foot.left >= lesson.left, foot.right <= lesson.right]).to.deep.equal([true, true]);
  });

  it("open beside the lesson, which stays the same element", async () => {
    const { session, shown } = await show(1200);
    const card = shown.querySelector("colloquy-tutor-card");
    expect(shown.querySelector(".questions")).to.equal(null);
    await session.send(question);
    await until(() => shown.querySelector("colloquy-exchange .next"), "the answer");
    expect([seen(shown, "colloquy-tutor-card form"), seen(shown, "colloquy-transcript")]).to.deep.equal([true, true]);
    expect(shown.querySelector("colloquy-tutor-card")).to.equal(card);
    expect([chosen(shown), session.mode, mode(shown)]).to.deep.equal(["choice-two", "tutor", "ask"]);
    expect(stage.types(), "the conversation stays one with a tutor").to.not.contain("mode_chosen");
    await expectAccessible(shown);
    shown.querySelector<HTMLButtonElement>(".questions header button")?.click();
    await until(() => !shown.querySelector(".questions"), "the lesson alone");
    expect([chosen(shown), mode(shown)]).to.deep.equal(["choice-two", "tutor"]);
    expect(document.activeElement).to.equal(shown.querySelector("colloquy-composer"));
  });

  it("are in a tab where there is no room, also by keyboard", async () => {
    const { session, shown } = await show(390);
    await session.send(question);
    await until(() => shown.querySelector("colloquy-exchange .next"), "the answer");
    await until(() => shown.querySelector("[role=tab]"), "the tabs");
    const tab = (name: string) =>
      [...shown.querySelectorAll<HTMLElement>("[role=tab]")].find(({ textContent }) => textContent === name) ??
      expect.fail(`no tab ${name}`);
    expect([seen(shown, "colloquy-tutor-card form"), seen(shown, "colloquy-transcript")]).to.deep.equal([false, true]);
    await expectAccessible(shown);
    tab("Questions").focus();
    tab("Questions").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true }));
    await until(() => seen(shown, "colloquy-tutor-card form"), "the lesson");
    expect(document.activeElement).to.equal(tab("Lesson"));
    expect([chosen(shown), seen(shown, "colloquy-transcript"), mode(shown)]).to.deep.equal(["choice-two", false, "tutor"]);
    await expectAccessible(shown);
  });

  it("are shown when a narrow page opens that had them open", async () => {
    const { session } = await show(1200);
    await session.send(question);
    await until(() => session.hasSideQuestions, "the questions");
    const narrow = await mount<ConversationElement>(
      html`<colloquy-conversation style="block-size: 640px; inline-size: 390px" .session=${session} .models=${{ models: [], automatic: true }}></colloquy-conversation>`,
    );
    await until(() => narrow.querySelector("[role=tab]"), "the tabs");
    expect([seen(narrow, "colloquy-tutor-card form"), seen(narrow, "colloquy-transcript")]).to.deep.equal([false, true]);
  });

  it("close when the room narrows and open again when it widens", async () => {
    const { session, shown } = await show(1200);
    await session.send(question);
    await until(() => shown.querySelector("colloquy-exchange .next"), "the answer");
    shown.querySelector<HTMLElement>("colloquy-tutor-card input:checked")?.focus();
    shown.style.inlineSize = "560px";
    await until(() => shown.querySelector("[role=tab]"), "the tabs");
    expect([seen(shown, "colloquy-tutor-card form"), seen(shown, "colloquy-transcript")]).to.deep.equal([true, false]);
    shown.style.inlineSize = "1200px";
    await until(() => seen(shown, "colloquy-transcript"), "the questions");
    expect([seen(shown, "colloquy-tutor-card form"), chosen(shown)]).to.deep.equal([true, "choice-two"]);
    shown.querySelector("colloquy-composer")?.focus();
    shown.style.inlineSize = "560px";
    await until(() => shown.querySelector("[role=tab]"), "the tabs again");
    expect([seen(shown, "colloquy-tutor-card form"), seen(shown, "colloquy-transcript")], "one is among the questions").to.deep.equal([
      false,
      true,
    ]);
  });

  it("are open again after a reload", async () => {
    const { session } = await show(1200);
    session.chooseMode("ask");
    await until(() => session.tutoring?.rails.questionsOpen === true, "the questions");
    const again = stage.open(session.id, false);
    const { rails } = await again.loadTutoring();
    await rails.load();
    expect(rails.questionsOpen).to.equal(true);
  });
});
