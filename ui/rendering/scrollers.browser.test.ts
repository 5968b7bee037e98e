import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import { upgrade } from "./upgrade.ts";

describe("formulas that scroll sideways", () => {
  it("are focusable only while they overflow", async () => {
    const holder = document.createElement("div");
    holder.style.inlineSize = "120px";
    holder.innerHTML = '<div class="math math-display" style="overflow: auto hidden" data-pending="math" data-display></div>';
    const formula = holder.firstElementChild as HTMLElement;
    formula.textContent = Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join("+");
    document.body.append(holder);
    await upgrade(holder);
    await until(() => (formula.tabIndex === 0 ? true : null), "a stop of the keyboard");
    formula.textContent = "x";
    formula.dataset.pending = "math";
    formula.dataset.display = "";
    await upgrade(holder);
    await until(() => (formula.tabIndex === -1 ? true : null), "no stop any more");
    expect(formula.querySelector(".katex")).not.to.equal(null);
    holder.remove();
  });
});
