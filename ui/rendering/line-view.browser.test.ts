import { expect } from "chai";
import { html, render } from "lit";
import { lineView } from "./line-view.ts";

describe("lineView", () => {
  const holder = document.createElement("p");
  const draw = (text: string, number: number) => render(html`${number} ${lineView(text)}`, holder);
  beforeEach(() => document.body.append(holder));
  afterEach(() => holder.remove());

  it("renders plain text without a formula literally", () => {
    draw("Costs $5, and *not* <b>more</b>", 1);
    expect(holder.textContent).to.equal("1 Costs $5, and *not* <b>more</b>");
    expect(holder.querySelector("colloquy-line, b, em")).to.equal(null);
  });

  it("typesets formulas and keeps them while their parent re-renders", async () => {
    draw("Find $\\lambda$ <i>of</i> a map", 1);
    const line = holder.querySelector("colloquy-line");
    while (!line?.querySelector(".katex")) await new Promise(requestAnimationFrame);
    const set = line.querySelector(".katex");
    draw("Find $\\lambda$ <i>of</i> a map", 2);
    expect(holder.textContent).to.match(/^2 Find .*<i>of<\/i> a map$/s);
    expect(line.querySelector(".katex")).to.equal(set);
    draw("Find $\\mu$", 3);
    while (!line.textContent?.includes("μ")) await new Promise(requestAnimationFrame);
    expect(line.textContent).to.not.include("of");
  });
});
