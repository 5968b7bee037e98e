import { expect } from "chai";
import { loadTheme } from "../workspace/testing/browser.ts";
import { renderMarkdown } from "./markdown.ts";

describe("a word of 60,000 letters", () => {
  before(loadTheme);

  it("is shown in under a second", () => {
    const letters = Array.from({ length: 60_000 }, (_, index) => "abcdefghijklmnopqrstuvwxyz"[(index * 7 + (index >> 3)) % 26]).join("");
    const holder = document.createElement("div");
    holder.className = "prose";
    holder.lang = "en";
    document.body.append(holder);
    const began = performance.now();
    holder.innerHTML = renderMarkdown(letters);
    expect(holder.offsetHeight).to.be.greaterThan(1_000);
    expect(performance.now() - began).to.be.below(1_000);
    holder.remove();
  });
});
