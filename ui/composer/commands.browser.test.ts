import { sendKeys } from "@web/test-runner-commands";
import { expect } from "chai";
import { deep, expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { parseCommand } from "./commands.ts";
import { compose, hint, opened, options, press, type } from "./compose.fixture.ts";
import type { Composer } from "./composer.ts";

describe("the commands of the composer", () => {
  before(loadTheme);
  afterEach(unmountAll);
  const names = (composer: Composer) => options(composer).map((option) => option.querySelector("b")?.textContent);
  const picker = (composer: Composer) => deep(composer, "colloquy-model-picker", "[popover]");

  it('open after an initial "/", filter, and move by arrow keys', async () => {
    const { composer, field } = await compose();
    await type("/");
    await opened(composer);
    expect(names(composer)).to.deep.equal(["/quiz", "/tutor", "/ask", "/model", "/help"]);
    const list = composer.shadowRoot?.getElementById(field.getAttribute("aria-controls") ?? "");
    expect(list?.getAttribute("role")).to.equal("listbox");
    expect(list?.getAttribute("aria-label")).to.equal("Commands");
    await expectAccessible(composer);
    await press("ArrowUp");
    await composer.updateComplete;
    expect(composer.shadowRoot?.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent).to.contain("/help");
    await type("q");
    await composer.updateComplete;
    expect(names(composer)).to.deep.equal(["/quiz"]);
    expect(field.getAttribute("aria-activedescendant")).to.equal("option-0");
  });

  it("are only those that work here; others keep their text", async () => {
    const { composer, field, told } = await compose({ commands: ["ask"], configured: null, goal: true });
    const quiz = () => composer.shadowRoot?.querySelector('[aria-label="Make a quiz"]');
    expect(quiz()).to.equal(null);
    await type("/");
    await opened(composer);
    expect(names(composer)).to.deep.equal(["/ask"]);
    for (const text of ["/quiz pipes", "/tutor pipes", "/model", "/help"]) {
      field.value = "";
      await type(text);
      await press("Enter");
      await composer.updateComplete;
      expect(field.value).to.equal(text);
      expect(hint(composer)).to.contain("This command does not work here.");
    }
    expect(told).to.deep.equal([]);
    composer.commands = [];
    field.value = "";
    await composer.updateComplete;
    expect(field.placeholder).to.equal("What do you want to learn?");
    await type("/");
    expect(options(composer)).to.have.length(0);
  });

  it("do not open in a text, a path or pasted text", async () => {
    const { composer, field, told } = await compose();
    await type("and /");
    expect(options(composer)).to.have.length(0);
    field.value = "";
    await type("/etc/passwd holds what?");
    expect(options(composer)).to.have.length(0);
    field.value = "/quiz";
    field.setSelectionRange(5, 5);
    field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
    await composer.updateComplete;
    expect(options(composer)).to.have.length(0);
    await press("Enter");
    expect(told).to.deep.equal(["send /quiz"]);
  });

  it("complete by Enter or Tab, can be undone, and then send", async () => {
    const { composer, field, told } = await compose();
    await type("/qu");
    await opened(composer);
    await press("Tab");
    expect(field.value).to.equal("/quiz ");
    expect(told).to.deep.equal([]);
    document.execCommand("undo");
    expect(field.value).to.equal("/qu");
    document.execCommand("redo");
    await type("pipes");
    await press("Enter");
    expect(told).to.deep.equal(["send /quiz pipes"]);
    await type("/quiz");
    await opened(composer);
    await press("Enter");
    expect(told.at(-1)).to.equal("send /quiz");
  });

  it("that act at once leave no text and send nothing", async () => {
    const { composer, field, told } = await compose();
    await type("/mo");
    await opened(composer);
    await press("Enter");
    await until(() => composer.shadowRoot?.activeElement?.tagName === "COLLOQUY-MODEL-PICKER", "the models");
    expect(picker(composer).matches(":popover-open")).to.equal(true);
    expect(field.value).to.equal("");
    await press("Escape");
    expect(picker(composer).matches(":popover-open")).to.equal(false);
    expect(composer.shadowRoot?.activeElement?.tagName).to.equal("TEXTAREA");

    await type("/help");
    await opened(composer);
    await press("Enter");
    await until(() => composer.shadowRoot?.querySelector("colloquy-composer-help")?.shadowRoot?.querySelector("dialog[open]"), "the help");
    const help = deep<HTMLDialogElement>(composer, "colloquy-composer-help", "dialog");
    expect(help.open).to.equal(true);
    expect(help.textContent).to.contain("/quiz").and.to.contain("Escape".slice(0, 3)).and.to.contain("F6");
    await expectAccessible(composer);
    await press("Escape");
    expect(help.open).to.equal(false);
    expect(composer.shadowRoot?.activeElement?.tagName).to.equal("TEXTAREA");
    expect(field.value).to.equal("");
    expect(told).to.deep.equal([]);
  });

  it("can be clicked", async () => {
    const { composer, field } = await compose();
    await type("/");
    await opened(composer);
    options(composer)[0]?.click();
    expect(field.value).to.equal("/quiz ");
    expect(composer.shadowRoot?.activeElement?.tagName).to.equal("TEXTAREA");
  });

  it("of features elsewhere say where and send nothing", async () => {
    const { composer, field, told } = await compose();
    const said: string[] = [];
    composer.addEventListener("colloquy-announce", (event) => said.push(event.text));
    await type("/explain eigenvectors");
    await press("Enter");
    await composer.updateComplete;
    expect(hint(composer)).to.contain("Videos are made from a course page");
    expect(said.at(-1)).to.contain("Videos are made from a course page");
    expect(field.value).to.equal("/explain eigenvectors");
    expect(told).to.deep.equal([]);
    await expectAccessible(composer);
    await sendKeys({ press: "Backspace" });
    await composer.updateComplete;
    expect(hint(composer)).to.equal("");
  });
});

describe("the tutor in the composer", () => {
  before(loadTheme);
  afterEach(unmountAll);
  const tutoring = (options: Partial<Composer> = {}) => compose({ mode: "ask", ...options });
  const listen = (composer: Composer) => {
    const told: string[] = [];
    composer.addEventListener("colloquy-choose-mode", ({ mode }) => told.push(mode));
    composer.addEventListener("colloquy-goal", ({ goal }) => told.push(`goal ${goal}`));
    composer.addEventListener("colloquy-send", ({ text }) => told.push(`send ${text}`));
    return told;
  };

  it("is chosen by its command, which keeps the goal, or by the switch", async () => {
    const { composer, field } = await tutoring();
    const told = listen(composer);
    await type("/tutor follow a pipe");
    await press("Enter");
    expect(told).to.deep.equal(["tutor"]);
    expect(field.value).to.equal("follow a pipe");
    await expectAccessible(composer);
    const pressed = () => [...(composer.shadowRoot?.querySelectorAll(".modes [aria-pressed=true]") ?? [])].map((one) => one.textContent);
    expect(pressed()).to.deep.equal(["Ask"]);
    composer.mode = "tutor";
    await composer.updateComplete;
    expect(pressed()).to.deep.equal(["Tutor"]);
    deep<HTMLButtonElement>(composer, ".modes button").click();
    expect(told).to.deep.equal(["tutor", "ask"]);
  });

  it("keeps the goal, says what is missing, and still takes /ask", async () => {
    const { composer, field } = await tutoring({ mode: "tutor", goal: true, wanting: "Choose a course first" });
    const told = listen(composer);
    await type("follow a pipe");
    await press("Enter");
    await composer.updateComplete;
    expect(hint(composer)).to.contain("Choose a course first");
    composer.wanting = null;
    await composer.updateComplete;
    expect(hint(composer)).to.not.contain("Choose a course first");
    await press("Enter");
    expect(told).to.deep.equal(["goal follow a pipe", "goal follow a pipe"]);
    expect(field.value).to.equal("follow a pipe");
    expect(field.getAttribute("aria-label")).to.equal("Your goal");
    field.value = "/ask why?";
    field.dispatchEvent(new InputEvent("input"));
    await press("Enter");
    expect(told.at(-1)).to.equal("send why?");
  });
});

describe("a text with a command", () => {
  it("is parsed by its first word only", () => {
    expect(parseCommand("/quiz on pipes")).to.deep.equal({ kind: "send", text: "/quiz on pipes", asked: true });
    expect(parseCommand("/ask why?")).to.deep.equal({ kind: "send", text: "why?", asked: true });
    expect(parseCommand("/ask")).to.include({ kind: "refuse" });
    expect(parseCommand("/explain pipes")).to.include({ kind: "refuse" });
    expect(parseCommand("/tutor pipes")).to.deep.equal({ kind: "tutor", goal: "pipes" });
    expect(parseCommand("/model")).to.deep.equal({ kind: "act", name: "model" });
    expect(parseCommand("/HELP me")).to.deep.equal({ kind: "act", name: "help" });
    for (const text of ["/usr/bin/env does what?", "/constructor", "/tutorial", "what is /quiz", "/ alone"])
      expect(parseCommand(text), text).to.deep.equal({ kind: "send", text, asked: false });
  });
});
