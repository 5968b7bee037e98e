import { expect } from "chai";
import { engines } from "./engines.ts";
import { renderMarkdown } from "./markdown.ts";
import { upgrade } from "./upgrade.ts";

describe("upgrade", () => {
  const show = async (markdown: string): Promise<HTMLElement> => {
    const holder = document.createElement("div");
    holder.innerHTML = renderMarkdown(markdown);
    await upgrade(holder);
    return holder;
  };

  it("loads the grammars that a page needs, also after the first", async () => {
    const early = renderMarkdown("```kt\nval x = 1\n```");
    expect(early).to.contain('class="language-kt" data-pending="code"');
    const usual = await show("```python\nx = 1\n```");
    expect(usual.querySelector(".hljs-number")?.textContent).to.equal("1");
    expect(engines.code?.("val x = 1", "kotlin")).to.equal(null);
    const rare = await show('```odd\nx\n```\n\n```c#\nint x;\n```\n\n```kotlin\nval x = "one"\n```\n\n```erb\n<% def a %>\n```');
    expect(rare.querySelector(".language-kotlin .hljs-string")?.textContent).to.equal('"one"');
    expect(rare.querySelector(".language-erb .hljs-keyword")?.textContent).to.equal("def");
    expect([...rare.querySelectorAll(".code-language")].map((label) => label.textContent)).to.deep.equal(["odd", "C#", "Kotlin", "ERB"]);
    expect(rare.querySelectorAll("[data-pending]")).to.have.length(0);
    const holder = document.createElement("div");
    holder.innerHTML = early;
    await upgrade(holder);
    expect(holder.querySelector(".code-language")?.textContent).to.equal("Kotlin");
    expect(holder.querySelector(".hljs-keyword")?.textContent).to.equal("val");
    expect(renderMarkdown("```kotlin\nval x = 1\n```")).to.contain("hljs-keyword");
  });
});
