import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { toAttachedReference } from "../conversations/attached.ts";
import { deep, expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { pipesPage, places } from "../workspace/testing/fixtures.ts";
import { compose, opened, options, press, type } from "./compose.fixture.ts";
import type { Composer } from "./composer.ts";
import { triggerAt } from "./triggers.ts";

describe("the composer", () => {
  before(loadTheme);
  afterEach(unmountAll);

  it("is accessible, empty, full, and with suggestions", async () => {
    const { composer } = await compose({ references: [toAttachedReference(pipesPage)] });
    await expectAccessible(composer);
    await type("About @");
    await opened(composer);
    await expectAccessible(composer);
  });

  it("shows all controls in the narrowest pane", async () => {
    const { composer } = await compose({ mode: "ask" });
    composer.style.inlineSize = "228px";
    await composer.updateComplete;
    const box = deep(composer, ".box").getBoundingClientRect();
    const controls = [...(composer.shadowRoot?.querySelectorAll<HTMLElement>(".modes, colloquy-model-picker, .tool, .send") ?? [])];
    expect(controls.length).to.be.at.least(4);
    for (const control of controls) {
      const { left, right, width } = control.getBoundingClientRect();
      expect(left, control.className).to.be.at.least(box.left);
      expect(right, control.className).to.be.at.most(box.right);
      expect(width, control.className).to.be.above(30);
    }
  });

  it("scrolls a long list of places by keyboard", async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ ...pipesPage, href: `/courses/a/p${index}`, title: `Page ${index}` }));
    const { composer } = await compose({ search: async () => many });
    await type("About @");
    await opened(composer);
    await until(() => options(composer).length === many.length, "the places");
    const list = deep(composer, ".popup");
    expect(list.scrollHeight).to.be.above(list.clientHeight);
    await expectAccessible(composer);
    await press("PageDown");
    await press("PageDown");
    const active = () => options(composer).findIndex((option) => option.ariaSelected === "true");
    expect(active()).to.equal(10);
    expect(list.scrollTop).to.be.above(0);
    list.focus();
    await press("PageUp");
    expect(active()).to.equal(5);
    expect(composer.shadowRoot?.activeElement?.localName, "the field again").to.equal("textarea");
  });

  describe("the quiz button", () => {
    const button = (composer: Composer) => deep<HTMLButtonElement>(composer, ".tool[aria-label='Make a quiz']");

    it("makes a quiz about the attached sources at once", async () => {
      const { composer, told } = await compose({ references: [toAttachedReference(pipesPage)] });
      button(composer).click();
      expect(told).to.deep.equal(["send /quiz"]);
    });

    it("makes what is written the topic", async () => {
      const { composer, field, told } = await compose();
      await type("/ask loops");
      button(composer).click();
      expect([field.value, told]).to.deep.equal(["/quiz loops", []]);
    });

    it("sends nothing while nobody is signed in", async () => {
      const { composer, field, told } = await compose({ references: [toAttachedReference(pipesPage)], blocked: "Sign in to send." });
      button(composer).click();
      expect([field.value, told]).to.deep.equal(["/quiz ", []]);
    });
  });

  it("invites with whole sentences", async () => {
    const { field } = await compose({ mode: "ask", goal: true });
    expect(field.placeholder).to.equal("What do you want to learn? (@ adds a source, / a command)");
  });

  describe("the Enter key", () => {
    it("sends and empties the field; with Shift it inserts a line", async () => {
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

    it("belongs to an input method, also if only the key code tells", async () => {
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

    it("inserts a line with an on-screen keyboard; with Ctrl it sends", async () => {
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

    it("sends nothing without text or during an answer", async () => {
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

  describe("suggestions after @", () => {
    it("open, move by arrow keys, and are taken by Enter", async () => {
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

    it("can be undone like typing", async () => {
      const { composer, field } = await compose();
      await type("See @pipes");
      await opened(composer);
      await press("Tab");
      expect(field.value).to.equal("See ");
      document.execCommand("undo");
      expect(field.value).to.equal("See @pipes");
    });

    it("close by Escape first; then Escape stops the answer", async () => {
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

    it("do not open for pasted text or addresses", async () => {
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

    it("never show a late response", async () => {
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

    it("report a failed search and omit attached places", async () => {
      const { composer } = await compose({
        search: async () => {
          throw new Error("down");
        },
      });
      await type("@");
      await until(() => composer.shadowRoot?.querySelector(".popup p")?.textContent?.includes("cannot be searched"), "the words");
      const other = await compose({ references: [toAttachedReference(pipesPage)] });
      await type("@");
      await opened(other.composer);
      expect(
        options(other.composer).some(
          (option) => option.textContent?.includes("Page") && option.querySelector("b")?.textContent === "Pipes and Filters",
        ),
      ).to.equal(false);
    });

    it("stop at the limit of a conversation", async () => {
      const references = Array.from({ length: bounds.ask.references }, (_, index) => ({
        href: `/courses/a/${index}`,
        title: `Page ${index}`,
      }));
      const { composer } = await compose({ references });
      await type("@");
      await until(() => composer.shadowRoot?.querySelector(".popup p")?.textContent?.includes("are the most"), "the words");
    });
  });

  describe("near pages", () => {
    const add = (composer: Composer) => composer.shadowRoot?.querySelector<HTMLButtonElement>(".add");
    const loops = places[1] ?? pipesPage;

    it("are a click away until attached, nearest first", async () => {
      const { composer, told } = await compose({ pages: [pipesPage, loops] });
      expect(add(composer)?.textContent?.trim()).to.equal("Add pagePipes and Filters");
      await expectAccessible(composer);
      add(composer)?.click();
      expect(told).to.deep.equal(["attach Pipes and Filters"]);
      expect(composer.shadowRoot?.activeElement?.tagName).to.equal("TEXTAREA");
      composer.references = [toAttachedReference(pipesPage)];
      await composer.updateComplete;
      expect(add(composer)?.textContent).to.contain("Loops");
      // The page had another address when it was attached.
      composer.references = [{ ...toAttachedReference(pipesPage), href: "/courses/shell-novice/former-address" }];
      await composer.updateComplete;
      expect(add(composer)?.textContent).to.contain("Loops");
      composer.references = [pipesPage, loops].map(toAttachedReference);
      await composer.updateComplete;
      expect(add(composer)).to.equal(null);
    });

    it("come first after @, and only once", async () => {
      const { composer } = await compose({ pages: [loops] });
      await type("@");
      await until(() => options(composer).length === places.length, "all places");
      expect(options(composer)[0]?.textContent).to.contain("Open page").and.to.contain("Loops");
      expect(options(composer).filter((option) => option.querySelector("b")?.textContent === "Loops")).to.have.length(1);
      await type("pip");
      await until(() => options(composer).length === 1, "what fits");
      expect(options(composer)[0]?.textContent).not.to.contain("Open page");
    });

    it("are suggested also when the search fails", async () => {
      const search = async () => {
        throw new Error("down");
      };
      const { composer, told } = await compose({ pages: [loops], search });
      await type("@lo");
      await opened(composer);
      await press("Enter");
      expect(told).to.deep.equal(["attach Loops"]);
    });
  });

  it("shows the number of sources near the limit", async () => {
    const attached = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ href: `/courses/a/${index}`, title: `Page ${index}` }));
    const { composer } = await compose({ references: attached(bounds.ask.references - 3) });
    const count = () => composer.shadowRoot?.querySelector(".sources small")?.textContent;
    expect(count()).to.equal(undefined);
    composer.references = attached(bounds.ask.references - 2);
    await composer.updateComplete;
    expect(count()).to.equal(`${bounds.ask.references - 2} of ${bounds.ask.references} sources`);
  });

  it("shows the length near the limit and does not send beyond it", async () => {
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

  it("does not stop on a double-click that sends", async () => {
    const { composer, told } = await compose();
    await type("Hello");
    const click = (detail: number) =>
      deep<HTMLButtonElement>(composer, ".send").dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
    click(1);
    composer.busy = true;
    await composer.updateComplete;
    click(2);
    expect(told).to.deep.equal(["send Hello"]);
    click(1);
    expect(told).to.deep.equal(["send Hello", "stop"]);
  });

  it("keeps the focus on Stop when the answer is complete", async () => {
    const { composer, told } = await compose({ busy: true });
    const stop = deep<HTMLButtonElement>(composer, ".send");
    stop.focus();
    composer.busy = false;
    await composer.updateComplete;
    expect(composer.shadowRoot?.activeElement).to.equal(stop);
    expect(document.activeElement).to.equal(composer);
    expect(stop.ariaLabel).to.equal("Send");
    expect(stop.ariaDisabled).to.equal("true");
    await press("Space");
    expect(told).to.deep.equal([]);
    await expectAccessible(composer);
  });

  it("removes a chip and focuses the field", async () => {
    const { composer, told } = await compose({ references: [toAttachedReference(pipesPage)] });
    deep<HTMLButtonElement>(composer, "[aria-label='Remove Pipes and Filters']").click();
    expect(told).to.deep.equal([`detach ${pipesPage.href}`]);
    expect(composer.shadowRoot?.activeElement?.tagName).to.equal("TEXTAREA");
  });

  it("says what to configure without a model, and sends nothing", async () => {
    const { composer, told } = await compose({ configured: false, models: [] });
    expect(composer.shadowRoot?.querySelector(".note")?.textContent).to.contain("P1_API_KEY").and.to.contain("DEMO_MODEL=on");
    expect(composer.shadowRoot?.querySelector("colloquy-model-picker")).to.equal(null);
    await type("Hello");
    await press("Enter");
    expect(told).to.deep.equal([]);
    await expectAccessible(composer);
  });

  it("says what must be done before sending, and keeps the text", async () => {
    const { composer, told } = await compose({ blocked: "Sign in to send." });
    await press("Enter");
    expect(told).to.deep.equal([]);
    await type("Hello");
    await press("Enter");
    expect(told).to.deep.equal(["blocked"]);
    expect(deep(composer, ".send").getAttribute("aria-describedby")).to.equal("blocked");
    expect(composer.text).to.equal("Hello");
  });
});

describe("the trigger at the caret", () => {
  const at = (text: string) => {
    const trigger = triggerAt(text.replace("|", ""), text.indexOf("|"));
    return trigger && trigger.sign + trigger.query;
  };

  it("is a mention that begins a word, up to the caret or the line's end", () => {
    expect(at("@|")).to.equal("@");
    expect(at("see @pipes and|")).to.equal("@pipes and");
    expect(at("(@pi|")).to.equal("@pi");
    expect(at("see @pi|pes")).to.equal("@pi");
    expect(at("me@x|")).to.equal(null);
    expect(at("@pipes\nnext|")).to.equal(null);
    expect(at("a @ b|")).to.equal(null);
    expect(at("|@pipes")).to.equal(null);
  });

  it("is a command only at the beginning and within one word", () => {
    expect(at("/|")).to.equal("/");
    expect(at("/qu|iz")).to.equal("/qu");
    expect(at("/quiz @pi|")).to.equal("@pi");
    for (const text of [" /|", "a /|", "/quiz |", "/etc/|", "|/", "\n/|"]) expect(at(text), text).to.equal(null);
  });

  it("invites in one line at any width", async () => {
    const { composer, field } = await compose();
    await until(() => field.placeholder.includes("@ adds a source"), "the long invitation");
    composer.style.inlineSize = "340px";
    await until(() => field.placeholder === "Ask about your course", "the short one");
  });
});
