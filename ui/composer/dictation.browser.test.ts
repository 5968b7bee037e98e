import { expect } from "chai";
import { deep, expectAccessible, loadTheme, unmountAll } from "../workspace/testing/browser.ts";
import { compose, hint, press, type } from "./compose.fixture.ts";
import type { Composer } from "./composer.ts";

/** The part of the Web Speech API a browser has, played: no machine of ours has ears. */
class PlayedRecognition extends EventTarget {
  static last: PlayedRecognition | null = null;
  lang = "";
  continuous = false;
  interimResults = false;
  state = "new";
  constructor() {
    super();
    PlayedRecognition.last = this;
  }
  start(): void {
    this.state = "on";
  }
  stop(): void {
    this.state = "off";
    this.dispatchEvent(new Event("end"));
  }
  abort(): void {
    this.stop();
  }
  hear(...results: { words: string; isFinal: boolean }[]): void {
    const list = results.map(({ words, isFinal }) => Object.assign([{ transcript: words }], { isFinal }));
    this.dispatchEvent(Object.assign(new Event("result"), { resultIndex: 0, results: list }));
  }
  fail(error: string): void {
    this.dispatchEvent(Object.assign(new Event("error"), { error }));
    this.stop();
  }
}

describe("dictation", () => {
  const names = ["SpeechRecognition", "webkitSpeechRecognition"] as const;
  const own = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  const give = (value: unknown) => {
    for (const name of names) Object.defineProperty(globalThis, name, { configurable: true, value });
  };
  before(loadTheme);
  beforeEach(() => give(PlayedRecognition));
  afterEach(() => {
    unmountAll();
    for (const [index, name] of names.entries()) {
      const descriptor = own[index];
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  });
  const button = (composer: Composer) => composer.shadowRoot?.querySelector<HTMLButtonElement>("[aria-label=Dictate]");
  const listening = () => {
    if (!PlayedRecognition.last) throw new Error("nothing listens");
    return PlayedRecognition.last;
  };

  it("is hidden where the browser has none", async () => {
    give(undefined);
    const { composer } = await compose();
    expect(button(composer)).to.equal(null);
  });

  it("shows interim text, inserts final text, and announces its state", async () => {
    const { composer, field } = await compose();
    const said: string[] = [];
    composer.addEventListener("colloquy-announce", (event) => said.push(event.text));
    await type("Why does");
    button(composer)?.click();
    await composer.updateComplete;
    expect(button(composer)?.getAttribute("aria-pressed")).to.equal("true");
    expect(composer.shadowRoot?.activeElement?.tagName).to.equal("TEXTAREA");
    expect(listening()).to.include({ state: "on", continuous: true, interimResults: true, lang: navigator.language });
    await expectAccessible(composer);
    listening().hear({ words: "sort wait", isFinal: false });
    await composer.updateComplete;
    expect(deep(composer, ".hearing").textContent).to.equal("sort wait");
    expect(field.value).to.equal("Why does");
    listening().hear({ words: " sort wait?", isFinal: true });
    await composer.updateComplete;
    expect(field.value).to.equal("Why does sort wait?");
    expect(composer.shadowRoot?.querySelector(".hearing")).to.equal(null);
    document.execCommand("undo");
    expect(field.value).to.equal("Why does");
    button(composer)?.click();
    await composer.updateComplete;
    expect(listening().state).to.equal("off");
    expect(button(composer)?.getAttribute("aria-pressed")).to.equal("false");
    expect(said).to.deep.equal(["Listening", "Dictation is off"]);
  });

  it("stops by Escape before the answer does, and when sending", async () => {
    const { composer, told } = await compose({ busy: true });
    button(composer)?.click();
    await press("Escape");
    expect(listening().state).to.equal("off");
    expect(told).to.deep.equal([]);
    composer.busy = false;
    button(composer)?.click();
    listening().hear({ words: "What is a pipe?", isFinal: true });
    await press("Enter");
    expect(told).to.deep.equal(["send What is a pipe?"]);
    expect(listening().state).to.equal("off");
  });

  it("sends interim text too, and nothing afterwards", async () => {
    const { composer, field, told } = await compose();
    await type("Why");
    button(composer)?.click();
    const recognition = listening();
    recognition.hear({ words: " does sort wait", isFinal: false });
    recognition.stop = () => recognition.hear({ words: "does sort wait", isFinal: true });
    recognition.abort = () => recognition.stop();
    await press("Enter");
    expect(told).to.deep.equal(["send Why does sort wait"]);
    recognition.hear({ words: "does sort wait", isFinal: true });
    await composer.updateComplete;
    expect(field.value).to.equal("");
    expect(button(composer)?.getAttribute("aria-pressed")).to.equal("false");
  });

  it("says what went wrong and what to do", async () => {
    const { composer } = await compose();
    for (const [code, words] of [
      ["not-allowed", "Allow it in the settings"],
      ["audio-capture", "No microphone was found"],
      ["network", "when you are online"],
      ["no-speech", "Nothing was heard"],
      ["bad-grammar", "stopped working"],
    ] as const) {
      button(composer)?.click();
      listening().fail(code);
      await composer.updateComplete;
      expect(hint(composer), code).to.contain(words);
      expect(button(composer)?.getAttribute("aria-pressed")).to.equal("false");
    }
    await expectAccessible(composer);
    button(composer)?.click();
    listening().fail("aborted");
    await composer.updateComplete;
    expect(hint(composer)).to.equal("");
  });
});
