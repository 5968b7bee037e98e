import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { expect } from "chai";
import { courseForBriefs } from "./brief.fixture.ts";
import type { PageItem } from "./page-text.ts";

/** The items of a page with one text. */
async function itemsOf(source: string): Promise<PageItem[]> {
  const topic = {
    id: "topic-lists",
    slug: "lists",
    title: "Lists",
    objectives: [],
    blocks: [{ id: "block-lists", type: "core.theory" as const, source }],
  };
  const course: AuthoredCourse = {
    manifest: { courseId: "r-course", title: "R", summary: "On R.", language: "en", root: [{ kind: "topic", id: topic.id }] },
    collections: [],
    topics: [topic],
    assets: [],
  };
  const { pages, reference } = await courseForBriefs(course);
  const page = await pages.pageOf(reference("/courses/r-course/lists"));
  return page?.sections.flatMap(({ items }) => items) ?? [];
}

const said = "returns what a reader would want to know of a data frame before anything is done with it, in one line of text";
const entries = Array.from({ length: 20 }, (_, at) => `- \`size${at}(x)\` ${said}`);

describe("the Markdown of an item that is several passages", () => {
  it("is told of each where a passage begins with an entry of the list", async () => {
    const [list] = await itemsOf(entries.join("\n"));
    expect(list?.passages.length).to.be.greaterThan(1);
    expect(list?.parts).to.have.length(list?.passages.length ?? 0);
    expect(list?.parts?.join("\n")).to.equal(entries.join("\n"));
    expect(list?.parts?.[1]).to.match(/^- `size\d+\(x\)` returns/);
  });

  it("has no indentation where a passage begins within an inner list", async () => {
    const [list] = await itemsOf(`- Functions:\n${entries.map((entry) => `    ${entry}`).join("\n")}`);
    expect(list?.parts?.[1]).to.match(/^- `size\d+\(x\)`.*\n- `size/);
  });

  it("is not told of each where one begins within a paragraph", async () => {
    const [paragraph] = await itemsOf(Array.from({ length: 40 }, (_, at) => `Sentence ${at} says that \`x${at}\` is a name.`).join(" "));
    expect(paragraph?.passages.length).to.be.greaterThan(1);
    expect(paragraph?.parts).to.equal(null);
  });
});
