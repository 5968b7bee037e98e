import type { ReferenceResult } from "@colloquy/schemas/ai/references.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { attachedFrom } from "../conversation/attached.ts";
import { deep, expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { models, pipesPage, places } from "../workspace/testing/fixtures.ts";
import "./composer.ts";
import type { Composer } from "./composer.ts";
import { mentionAt } from "./reference-search.ts";

const find = async (query: string): Promise<ReferenceResult[]> =>
  places.filter((place) => place.title.toLowerCase().includes(query.toLowerCase()));

async function compose(options: Partial<Composer> = {}): Promise<{ composer: Composer; field: HTMLTextAreaElement; told: string[] }> {
  const composer = await mount<Composer>(
    html`<colloquy-composer style="margin-block-start:320px" .models=${models} automatic .configured=${true} .search=${find}></colloquy-composer>`,
  );
  Object.assign(composer, options);
  await composer.updateComplete;
  const told: string[] = [];
  composer.addEventListener("colloquy-send", (event) => told.push(`send ${event.text}`));
  composer.addEventListener("colloquy-stop", () => told.push("stop"));
  composer.addEventListener("colloquy-attach", (event) => told.push(`attach ${event.reference.title}`));
  composer.addEventListener("colloquy-detach", (event) => told.push(`detach ${event.href}`));
  const field = deep<HTMLTextAreaElement>(composer, "textarea");
  field.focus();
  return { composer, field, told };
}

const press = (key: string) => sendKeys({ press: key });
const type = (text: string) => sendKeys({ type: text });
const options = (composer: Composer) => [...(composer.shadowRoot?.querySelectorAll("[role=option]") ?? [])];
const opened = (composer: Composer) => until(() => options(composer).length, "places to choose from");

describe("the composer", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("is accessible, empty, full, and with its places open", async () => {
    const { composer } = await compose({ references: [attachedFrom(pipesPage)] });
    await expectAccessible(composer);
    await type("About @");
    await opened(composer);
    await expectAccessible(composer);
  });

  describe("the Enter key", () => {
    it("sends what is written and empties the field; with Shift it is a new line", async () => {
      const { field, told } = await compose();
      await type("One");
      await sendKeys({ down: "Shift" });
      await press("Enter");
      await sendKeys({ up: "Shift" });
      await type("two");
      await press("Enter");
      expect(told).to.deep.equal(["send One\ntwo"]);
      expect(field.value).to.equal("");
    });

    it("belongs to an input method while that composes, also where the browser tells only by the key code", async () => {
      const { field, told } = await compose();
      field.value = "にほん";
      field.dispatchEvent(new InputEvent("input", { inputType: "insertCompositionText" }));
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }));
      const safari = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
      Object.defineProperty(safari, "keyCode", { value: 229 });
      field.dispatchEvent(safari);
      expect(told).to.deep.equal([]);
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      expect(told).to.deep.equal(["send にほん"]);
    });

    it("is a new line while a keyboard on the screen is up, and with Ctrl it sends all the same", async () => {
      const { field, told } = await compose();
      const { matchMedia } = window;
      const height = Object.getOwnPropertyDescriptor(VisualViewport.prototype, "height");
      const { rememberViewport } = await import("../controls/keyboard.ts");
      rememberViewport();
      window.matchMedia = (query) => ({ ...matchMedia(query), matches: query.includes("coarse") });
      Object.defineProperty(VisualViewport.prototype, "height", { configurable: true, get: () => 200 });
      try {
        await type("Hi");
        const enter = (more: object = {}) => {
          const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...more });
          field.dispatchEvent(event);
          return event.defaultPrevented;
        };
        expect(enter()).to.equal(false);
        expect(told).to.deep.equal([]);
        expect(enter({ ctrlKey: true })).to.equal(true);
        expect(told).to.deep.equal(["send Hi"]);
      } finally {
        window.matchMedia = matchMedia;
        if (height) Object.defineProperty(VisualViewport.prototype, "height", height);
      }
    });

    it("sends nothing when there is nothing to send, or something else is being answered", async () => {
      const { composer, told } = await compose();
      await press("Enter");
      await type("   ");
      await press("Enter");
      composer.busy = true;
      await type("Next");
      await press("Enter");
      expect(told).to.deep.equal([]);
      expect(composer.text.trim()).to.equal("Next");
    });
  });

  describe("the places behind @", () => {
    it("open for a typed @, are gone through by the arrows, and taken by Enter without sending", async () => {
      const { composer, field, told } = await compose();
      await type("See @p");
      await opened(composer);
      expect(field.getAttribute("aria-activedescendant")).to.equal("option-0");
      expect(composer.shadowRoot?.getElementById(field.getAttribute("aria-controls") ?? "")?.role ?? "listbox").to.equal("listbox");
      await press("ArrowDown");
      await composer.updateComplete;
      expect(field.getAttribute("aria-activedescendant")).to.equal("option-1");
      expect(options(composer)[1]?.getAttribute("aria-selected")).to.equal("true");
      await press("ArrowUp");
      await press("Enter");
      expect(told).to.deep.equal(["attach Pipes and Filters"]);
      expect(field.value).to.equal("See ");
      expect(options(composer)).to.have.length(0);
    });

    it("taking one can be undone like any typing", async () => {
      const { composer, field } = await compose();
      await type("See @pipes");
      await opened(composer);
      await press("Tab");
      expect(field.value).to.equal("See ");
      document.execCommand("undo");
      expect(field.value).to.equal("See @pipes");
    });

    it("close by Escape first; only then Escape stops, and only from here", async () => {
      const { composer, told } = await compose({ busy: true });
      await type("@");
      await opened(composer);
      await press("Escape");
      await composer.updateComplete;
      expect(options(composer)).to.have.length(0);
      expect(told).to.deep.equal([]);
      await press("Escape");
      expect(told).to.deep.equal(["stop"]);
      (document.activeElement as HTMLElement).blur();
      await press("Escape");
      expect(told).to.deep.equal(["stop"]);
    });

    it("do not open for pasted text or addresses, which then swallow no Enter", async () => {
      const { composer, field, told } = await compose();
      field.value = "mail @pipes and /quiz";
      field.setSelectionRange(11, 11);
      field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
      await composer.updateComplete;
      expect(options(composer)).to.have.length(0);
      field.setSelectionRange(field.value.length, field.value.length);
      await type(" me@x");
      expect(options(composer)).to.have.length(0);
      await press("Enter");
      expect(told).to.have.length(1);
    });

    it("never show a late reply to an older question", async () => {
      const pending: { query: string; answer(results: ReferenceResult[]): void }[] = [];
      const { composer } = await compose({
        search: (query) => new Promise((answer) => pending.push({ query, answer })),
      });
      const asked = (query: string) => pending.find((one) => one.query === query);
      await type("@");
      await until(() => asked(""), "the first question");
      await type("loops");
      await until(() => asked("loops"), "the last question");
      asked("loops")?.answer(places.filter((place) => place.title === "Loops"));
      await opened(composer);
      asked("")?.answer(places);
      await new Promise((resolve) => setTimeout(resolve));
      await composer.updateComplete;
      expect(options(composer)).to.have.length(1);
    });

    it("say so when the courses cannot be searched, and leave out what is attached", async () => {
      const { composer } = await compose({
        search: async () => {
          throw new Error("down");
        },
      });
      await type("@");
      await until(() => composer.shadowRoot?.querySelector(".popup p")?.textContent?.includes("cannot be searched"), "the words");
      const other = await compose({ references: [attachedFrom(pipesPage)] });
      await type("@");
      await opened(other.composer);
      expect(
        options(other.composer).some(
          (option) => option.textContent?.includes("Page") && option.querySelector("b")?.textContent === "Pipes and Filters",
        ),
      ).to.equal(false);
    });

    it("take no more than a conversation holds", async () => {
      const references = Array.from({ length: bounds.ask.references }, (_, index) => ({
        href: `/courses/a/${index}`,
        title: `Page ${index}`,
      }));
      const { composer } = await compose({ references });
      await type("@");
      await until(() => composer.shadowRoot?.querySelector(".popup p")?.textContent?.includes("are the most"), "the words");
    });
  });

  it("shows a bound before it is met, and does not send beyond it", async () => {
    const { composer, field, told } = await compose();
    const note = () => composer.shadowRoot?.querySelector(".fill")?.textContent ?? "";
    const fill = async (length: number) => {
      field.value = "a".repeat(length);
      field.dispatchEvent(new InputEvent("input", { inputType: "insertText" }));
      await composer.updateComplete;
    };
    await fill(bounds.ask.messageLength / 2);
    expect(note()).to.equal("");
    await fill(bounds.ask.messageLength - 10);
    expect(note()).to.contain("of");
    await fill(bounds.ask.messageLength + 1);
    expect(note()).to.contain("shorten it");
    expect(field.getAttribute("aria-invalid")).to.equal("true");
    await press("Enter");
    expect(told).to.deep.equal([]);
    expect(field.value).to.have.length(bounds.ask.messageLength + 1);
  });

  it("has Send and Stop in one place", async () => {
    const { composer, told } = await compose();
    await type("Hello");
    const button = () => deep<HTMLButtonElement>(composer, ".send");
    const place = button().getBoundingClientRect();
    button().click();
    composer.busy = true;
    await composer.updateComplete;
    expect(button().getAttribute("aria-label")).to.equal("Stop");
    expect(button().getBoundingClientRect().left).to.equal(place.left);
    button().click();
    expect(told).to.deep.equal(["send Hello", "stop"]);
  });

  it("removes a chip and stays where one writes", async () => {
    const { composer, told } = await compose({ references: [attachedFrom(pipesPage)] });
    deep<HTMLButtonElement>(composer, "[aria-label='Remove Pipes and Filters']").click();
    expect(told).to.deep.equal([`detach ${pipesPage.href}`]);
    expect(composer.shadowRoot?.activeElement?.tagName).to.equal("TEXTAREA");
  });

  it("says what to set when no model is configured, and sends nothing", async () => {
    const { composer, told } = await compose({ configured: false, models: [] });
    expect(composer.shadowRoot?.querySelector(".note")?.textContent).to.contain("P1_API_KEY").and.to.contain("DEMO_MODEL=on");
    expect(composer.shadowRoot?.querySelector("colloquy-model-picker")).to.equal(null);
    await type("Hello");
    await press("Enter");
    expect(told).to.deep.equal([]);
    await expectAccessible(composer);
  });

  it("says why sending is not possible, next to the button", async () => {
    const { composer, told } = await compose({ blocked: "Sign in to send." });
    await type("Hello");
    await press("Enter");
    expect(told).to.deep.equal([]);
    expect(deep(composer, ".send").getAttribute("aria-describedby")).to.equal("blocked");
    expect(composer.text).to.equal("Hello");
  });
});

describe("the model picker", () => {
  before(loadTheme);
  afterEach(unmountAll);
  const open = async (composer: Composer) => {
    deep<HTMLButtonElement>(composer, "colloquy-model-picker", ".open").click();
    await until(() => deep(composer, "colloquy-model-picker", "[popover]").matches(":popover-open"), "the choices");
  };
  const choices = (composer: Composer) => [...(deep(composer, "colloquy-model-picker").shadowRoot?.querySelectorAll("label") ?? [])];

  it("has automatic routing first, says whom it asks, and names each model's service", async () => {
    const { composer } = await compose();
    await open(composer);
    const words = choices(composer).map((label) => label.textContent?.replace(/\s+/g, " ").trim());
    expect(words[0]).to.equal("Automatic Asks Reader Large first, then Swift Mini.");
    expect(words[2]).to.equal("Swift Mini Second Service · P2");
    expect(words[3]).to.contain("experimental").and.to.contain("answers only");
    await expectAccessible(composer);
  });

  it("pins a model without leave to go on with another, which is given apart", async () => {
    const { composer } = await compose();
    const chosen: unknown[] = [];
    composer.addEventListener("colloquy-choose-model", (event) => {
      chosen.push(event.selection);
      composer.model = event.selection;
    });
    await open(composer);
    choices(composer)[2]?.click();
    await composer.updateComplete;
    await deep<Composer>(composer, "colloquy-model-picker").updateComplete;
    choices(composer).at(-1)?.click();
    expect(chosen).to.deep.equal([
      { choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: false },
      { choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: true },
    ]);
  });

  it("does not hide that a pinned model is gone", async () => {
    const { composer } = await compose({ model: { choice: "pinned", id: "p4/gone", allowFallbackWhenPinned: false } });
    expect(deep(composer, "colloquy-model-picker", ".open").textContent).to.contain("no longer here");
  });
});

describe("a mention", () => {
  const at = (text: string) => mentionAt(text.replace("|", ""), text.indexOf("|"))?.query ?? null;

  it("begins a word and ends at the caret or the line", () => {
    expect(at("@|")).to.equal("");
    expect(at("see @pipes and|")).to.equal("pipes and");
    expect(at("(@pi|")).to.equal("pi");
    expect(at("see @pi|pes")).to.equal("pi");
    expect(at("me@x|")).to.equal(null);
    expect(at("@pipes\nnext|")).to.equal(null);
    expect(at("a @ b|")).to.equal(null);
    expect(at("|@pipes")).to.equal(null);
  });
});
