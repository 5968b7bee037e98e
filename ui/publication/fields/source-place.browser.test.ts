import type { Block } from "@colloquy/schemas/courses/authored.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { expect } from "chai";
import { loadTheme, until } from "../../workspace/testing/browser.ts";
import { renderedBlock, renderInto } from "../draft-rendering.ts";
import { smallCourse } from "../testing/course.ts";
import { sourceOffset } from "./source-place.ts";

describe("the place in the source of a click", () => {
  let root: HTMLElement;
  before(loadTheme);
  beforeEach(() => {
    root = document.body.appendChild(document.createElement("div"));
  });
  afterEach(() => root.remove());

  /** The source with a caret where a click lands before the `nth` occurrence of words in the rendered text. */
  const clicked = async (type: Block["type"], source: string, words: string, nth = 1): Promise<string> => {
    const block: Block = { id: "block-one", type, source };
    const parsed = parseBlock(block);
    if (!parsed.ok) return expect.fail("not parsed");
    renderInto(root, renderedBlock(parsed.block, smallCourse()));
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let left = nth;
    await until(() => root.textContent?.includes(words), "the text");
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      for (let at = node.data.indexOf(words); at >= 0; at = node.data.indexOf(words, at + 1)) {
        left -= 1;
        if (left > 0) continue;
        const offset = sourceOffset(root, node, at, source);
        return offset === null ? "" : `${source.slice(0, offset)}^${source.slice(offset)}`;
      }
    }
    return expect.fail(`no ${words}`);
  };

  it("is on the clicked word, also within emphasis, links and lists", async () => {
    const source = "## What a pipe is\n\nA **pipe** joins [two programs](topic:topic-one): it is\n\n- a pipe\n- no pipe at all";
    expect(await clicked("core.theory", source, "pipe")).to.contain("What a ^pipe is");
    expect(await clicked("core.theory", source, "pipe", 2)).to.contain("**^pipe**");
    expect(await clicked("core.theory", source, "programs")).to.contain("[two ^programs](");
    expect(await clicked("core.theory", source, "pipe", 3)).to.contain("- a ^pipe");
    expect(await clicked("core.theory", source, "pipe", 4)).to.contain("no ^pipe at all");
  });

  it("is never in an anchor, an address or a definition, and is in code that looks like one", async () => {
    const anchor = "## Oxidation {#oxidation}\n\nOxidation turns green leaves.";
    expect(await clicked("core.theory", anchor, "Oxidation", 2)).to.contain("\n\n^Oxidation turns");
    const link = "## Oxidation {#oxidation}\n\nSee [above](topic:topic-one#oxidation). Oxidation turns leaves. Oxidation again.";
    expect(await clicked("core.theory", link, "Oxidation", 2)).to.contain(". ^Oxidation turns");
    expect(await clicked("core.theory", link, "Oxidation", 3)).to.contain("leaves. ^Oxidation again");
    expect(await clicked("core.theory", "Call `all[0](first)` then.", "first")).to.contain("`all[0](^first)`");
  });

  it("is on the right one of many equal sentences", async () => {
    const source = Array.from({ length: 12 }, () => "The same words here.").join("\n\n");
    for (const nth of [1, 5, 12]) {
      const at = (await clicked("core.theory", source, "words", nth)).indexOf("^");
      expect(at, `the ${nth}th`).to.equal((nth - 1) * "The same words here.\n\n".length + "The same ".length);
    }
  });

  it("skips headers and labels that only one side has", async () => {
    const source = "---\ntitle: Count\n---\nCount the files.\n\n::: solution\nUse `wc`.\n:::";
    expect(await clicked("core.exercise", source, "files")).to.contain("Count the ^files.");
    expect(await clicked("core.exercise", source, "wc")).to.contain("`^wc`");
    expect(await clicked("core.callout", "---\nkind: note\n---\nMind the *order*.", "order")).to.contain("*^order*");
    expect(await clicked("core.table", "| Name | Meaning |\n|---|---|\n| one | first |", "first")).to.contain("| ^first |");
  });

  it("is at the end of the word before for a click between words, and unknown without any word", async () => {
    const source = "One, two.";
    expect(await clicked("core.theory", source, ", two")).to.equal("One^, two.");
    expect(sourceOffset(root, root, 0, "… !")).to.equal(null);
  });
});
