import { expect } from "chai";
import { deep, expectAccessible, loadTheme, unmountAll, until } from "../workspace/testing/browser.ts";
import { models } from "../workspace/testing/fixtures.ts";
import { compose } from "./compose.fixture.ts";
import type { Composer } from "./composer.ts";

describe("the model picker", () => {
  before(loadTheme);
  afterEach(unmountAll);
  const open = async (composer: Composer) => {
    deep<HTMLButtonElement>(composer, "colloquy-model-picker", ".open").click();
    await until(() => deep(composer, "colloquy-model-picker", "[popover]").matches(":popover-open"), "the choices");
  };
  const choices = (composer: Composer) => [...(deep(composer, "colloquy-model-picker").shadowRoot?.querySelectorAll("label") ?? [])];

  it("starts with automatic routing and names each provider", async () => {
    const { composer } = await compose();
    await open(composer);
    const words = choices(composer).map((label) => label.textContent?.replace(/\s+/g, " ").trim());
    expect(words[0]).to.equal("Automatic Asks Reader Large first, then Swift Mini.");
    expect(words[2]).to.equal("Swift Mini Second Service · P2");
    expect(words[3]).to.contain("experimental").and.to.contain("answers only");
    await expectAccessible(composer);
  });

  it("pins a model without fallback, which is a separate choice", async () => {
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

  it("tells what is left of daily limits, and asks for it anew when it opens", async () => {
    const leftToday = { requests: { left: 12, of: 50 }, tokens: { left: 0, of: 9000 } };
    const limited = models.map((model) => (model.provider === "p2" ? { ...model, leftToday } : model));
    const { composer } = await compose({
      models: limited,
      model: { choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: false },
    });
    const left = "12 of 50 requests left today · 0 of 9,000 tokens left today";
    expect(deep(composer, "colloquy-model-picker", ".open").title).to.equal(`Model: Swift Mini · ${left}`);
    let wanted = 0;
    composer.addEventListener("colloquy-models-wanted", () => (wanted += 1));
    await open(composer);
    expect(choices(composer)[2]?.textContent).to.contain(left);
    await until(() => wanted === 1, "the question for the models");
  });

  it("shows that a pinned model is gone", async () => {
    const { composer } = await compose({ model: { choice: "pinned", id: "p4/gone", allowFallbackWhenPinned: false } });
    expect(deep(composer, "colloquy-model-picker", ".open").textContent).to.contain("no longer available");
  });

  describe("with hidden models", () => {
    const words = (composer: Composer) => choices(composer).map((label) => label.querySelector("b")?.textContent);
    const turn = async (composer: Composer) => {
      deep<HTMLButtonElement>(composer, "colloquy-model-picker", ".more").click();
      await deep<Composer>(composer, "colloquy-model-picker").updateComplete;
    };

    it("hides them from the list, not from routing, and restores them", async () => {
      const { composer } = await compose();
      composer.addEventListener("colloquy-hide-model", ({ modelId, hidden }) => {
        composer.hiddenModels = new Set(
          hidden ? [...composer.hiddenModels, modelId] : [...composer.hiddenModels].filter((id) => id !== modelId),
        );
      });
      await open(composer);
      await turn(composer);
      expect(words(composer)).to.deep.equal(["Reader Large", "Swift Mini", "Routed"]);
      expect(deep(composer, "colloquy-model-picker").shadowRoot?.activeElement?.getAttribute("name")).to.equal("listed");
      await expectAccessible(composer);
      choices(composer)[1]?.click();
      await composer.updateComplete;
      await turn(composer);
      expect(words(composer)).to.deep.equal(["Automatic", "Reader Large", "Routed"]);
      expect(choices(composer)[0]?.textContent).to.contain("then Swift Mini");
      expect(deep(composer, "colloquy-model-picker", ".more").textContent).to.contain("1 hidden");
      await turn(composer);
      choices(composer)[1]?.click();
      await composer.updateComplete;
      await turn(composer);
      expect(words(composer)).to.deep.equal(["Automatic", "Reader Large", "Swift Mini", "Routed"]);
    });

    it("shows the chosen model even if hidden", async () => {
      const { composer } = await compose({
        hiddenModels: new Set(["p1/reader-large", "p2/swift-mini"]),
        model: { choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: false },
      });
      await open(composer);
      expect(words(composer).slice(0, 3)).to.deep.equal(["Automatic", "Swift Mini", "Routed"]);
      expect(deep(composer, "colloquy-model-picker", ".open").textContent).to.contain("Swift Mini");
    });
  });
});
