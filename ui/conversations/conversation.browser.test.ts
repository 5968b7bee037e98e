import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { question } from "../workspace/testing/fixtures.ts";
import "./conversation.ts";
import type { ConversationElement } from "./conversation.ts";
import { openStage, type Stage } from "./testing/stage.ts";

describe("a conversation by keyboard", () => {
  let stage: Stage;
  let shown: ConversationElement;
  before(loadTheme);
  beforeEach(async () => {
    stage = await openStage();
    const session = stage.open();
    shown = await mount<ConversationElement>(
      html`<colloquy-conversation style="block-size: 600px" .session=${session} .models=${{ models: [], automatic: true }}></colloquy-conversation>`,
    );
    await session.send(question);
    await button("Regenerate");
  });
  afterEach(async () => {
    unmountAll();
    await stage.close();
  });

  const button = (name: string): Promise<HTMLButtonElement> =>
    until(
      () =>
        [...shown.querySelectorAll<HTMLButtonElement>("colloquy-exchange button")].findLast(
          (candidate) => !candidate.disabled && (candidate.textContent?.trim() === name || candidate.ariaLabel === name),
        ),
      name,
    );
  const press = async (name: string) => {
    const pressed = await button(name);
    pressed.focus();
    pressed.click();
  };
  const inComposer = () => document.activeElement === shown.querySelector("colloquy-composer");

  it('focuses the composer after "Regenerate", where Escape stops', async () => {
    stage.service.script = { kind: "hanging-after", characters: 60 };
    await press("Regenerate");
    expect(inComposer()).to.equal(true);
    await until(() => shown.session?.exchanges[0]?.answers[1]?.text, "the first words");
    const field = shown.querySelector("colloquy-composer")?.shadowRoot?.activeElement;
    field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true, cancelable: true }));
    await until(() => shown.querySelector(".ended"), "the mark of a stopped answer");
    expect(shown.querySelector(".versions")?.textContent).to.contain("2 / 2");
    await press("Previous answer");
    await until(() => shown.querySelector(".versions")?.textContent?.includes("1 / 2"), "the former answer");
    await expectAccessible(shown);
  });

  it("focuses the composer after a follow-up question", async () => {
    const [followUp] = shown.querySelectorAll<HTMLButtonElement>(".next button");
    followUp?.focus();
    followUp?.click();
    expect(inComposer()).to.equal(true);
    await until(() => shown.querySelectorAll("article").length === 2, "the second question");
  });
});
