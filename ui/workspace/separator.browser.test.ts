import { expect } from "chai";
import { html } from "lit";
import "./separator.ts";
import type { Separator } from "./separator.ts";
import { loadTheme, mount, unmountAll } from "./testing/browser.ts";

describe("a separator", () => {
  before(loadTheme);
  afterEach(unmountAll);

  const show = async (more: Partial<Separator> = {}, dir = "ltr") => {
    const holder = await mount<HTMLElement>(
      html`<div dir=${dir} style="position: relative; width: 1000px; height: 400px"><colloquy-separator aria-label="Divides A and B"
        .direction=${more.direction ?? "row"} .share=${more.share ?? 0.5} .least=${0.25} .folded=${more.folded ?? false}></colloquy-separator></div>`,
    );
    const separator = holder.querySelector("colloquy-separator") as Separator;
    await separator.updateComplete;
    const told: (number | "toggle")[] = [];
    separator.addEventListener("colloquy-separate", ({ share }) => told.push(share));
    const press = (key: string, shiftKey = false) => {
      separator.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
      const share = told.at(-1);
      return typeof share === "number" ? Math.round(share * 100) : share;
    };
    return { separator, press, told };
  };

  it("has the role and value of a separator", async () => {
    const { separator } = await show();
    expect([separator.role, separator.ariaOrientation, separator.ariaValueNow, separator.ariaValueMax]).to.deep.equal([
      "separator",
      "vertical",
      "50",
      "75",
    ]);
    expect((await show({ direction: "column", folded: true })).separator.ariaValueNow).to.equal("0");
  });

  it("moves by arrow keys, Shift, Home and End, and folds by Enter", async () => {
    const { press } = await show();
    expect([press("ArrowRight"), press("ArrowLeft"), press("ArrowRight", true), press("Home"), press("End")]).to.deep.equal([
      52, 48, 60, 25, 75,
    ]);
    expect(press("Enter")).to.equal("toggle");
  });

  it("stays within its limits", async () => {
    const { press } = await show({ share: 0.74 });
    expect(press("ArrowRight", true)).to.equal(75);
  });

  it("moves up and down between stacked panes", async () => {
    const { press, told } = await show({ direction: "column" });
    expect([press("ArrowDown"), press("ArrowUp")]).to.deep.equal([52, 48]);
    press("ArrowRight");
    expect(told).to.have.length(2);
  });

  it("follows the page's direction", async () => {
    const { press } = await show({}, "rtl");
    expect([press("ArrowLeft"), press("ArrowRight")]).to.deep.equal([52, 48]);
  });

  it("unfolds by an arrow key", async () => {
    const { press } = await show({ folded: true });
    expect(press("ArrowRight")).to.equal(25);
  });
});
