import { expect } from "chai";
import { loadTheme } from "../workspace/testing/browser.ts";
import { renderMarkdown } from "./markdown.ts";

describe("a word of 60,000 letters", () => {
  before(loadTheme);

  it("is laid out in runs of at most 400 letters, because a longer one takes quadratic time", () => {
    const letters = Array.from({ length: 60_000 }, (_, index) => "abcdefghijklmnopqrstuvwxyz"[(index * 7 + (index >> 3)) % 26]).join("");
    const holder = document.createElement("div");
    holder.className = "prose";
    holder.lang = "en";
    document.body.append(holder);
    holder.innerHTML = renderMarkdown(letters);
    expect(holder.offsetHeight).to.be.greaterThan(1_000);
    expect(holder.textContent.trim()).to.equal(letters);
    const runs = [...(holder.querySelector("p")?.childNodes ?? [])].flatMap(({ textContent }) => textContent || []);
    expect(Math.max(...runs.map(({ length }) => length))).to.equal(400);
    holder.remove();
  });
});
