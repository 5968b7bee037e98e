import { fileURLToPath } from "node:url";
import { importCarpentries } from "@colloquy/command-api/publication/import/carpentries/importer.ts";
import type { Importer } from "@colloquy/command-api/publication/import/importer.ts";
import { realCourse } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { importMdBook } from "@colloquy/command-api/publication/import/mdbook/importer.ts";
import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { buildSearchIndex } from "@colloquy/command-api/publication/search-index.ts";
import { expect } from "chai";
import { factsOf, standsAlone } from "./facts.ts";
import { quotedIn } from "./items/item.ts";
import { type Item, itemsFrom } from "./items.ts";
import type { Passage } from "./segments.ts";

const ours = (name: string) => fileURLToPath(new URL(`../courses/${name}`, import.meta.url));
const courses: readonly [name: string, Importer, string | null][] = [
  ["linear-maps", importNative, ours("linear-maps")],
  ["learning-to-learn", importNative, ours("learning-to-learn")],
  ["shell-novice", importCarpentries, realCourse("shell-novice")],
  ["theorem-proving-in-lean", importMdBook, realCourse("theorem-proving-in-lean")],
];

interface Asked {
  course: string;
  topic: string;
  passages: Passage[];
  items: Item[];
}

/** Of each topic with aims or text, the questions a long session would get one after the other. */
describe("the demonstration model's questions on whole courses", function () {
  this.timeout(120_000);
  const asked: Asked[] = [];
  before(async () => {
    for (const [courseId, importer, folder] of courses) {
      if (folder === null) continue;
      const { course } = await importer(folder, { courseId, previous: null });
      const index = buildSearchIndex(course, "revision-1");
      const sources = new Map(index.sources.map((source) => [source.sourceId, source]));
      for (const topic of course.topics) {
        const texts = index.passages.filter(
          ({ sourceId, role }) => sources.get(sourceId)?.topicId === topic.id && !/^(?:exercise|solution|figure|objectives)$/.test(role),
        );
        const passages = texts.slice(0, 14).map((one, at) => ({
          id: `s${at + 1}`,
          title: one.heading,
          text: one.text,
          kind: one.role,
          trail: [...(sources.get(one.sourceId)?.trail ?? []), topic.title],
        }));
        const items: Item[] = [];
        for (let turn = 0; turn < 8; turn += 1)
          items.push(...itemsFrom(passages, 1, items.map(({ prompt }) => prompt).join("\n")).filter((item) => !items.includes(item)));
        asked.push({ course: courseId, topic: topic.title, passages, items });
      }
    }
    if (process.env.SHOW_QUESTIONS)
      for (const { course, topic, items } of asked)
        for (const { prompt, choices } of items.slice(0, Number(process.env.SHOW_QUESTIONS)))
          console.log(
            `${course} / ${topic}\n  ${prompt}\n${choices.map(({ text, correct }) => `   ${correct ? "*" : "-"} ${text}`).join("\n")}`,
          );
  });

  it("do not name their answer: no single choice alone holds all the words a question names", () => {
    expect(asked.flatMap(({ items }) => items).length).to.be.at.least(60);
    for (const { items } of asked)
      for (const { kind, prompt, choices } of items) {
        if (kind !== "single") continue;
        const words = quotedIn(prompt).map((text) => text.toLowerCase());
        const holding = choices.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
        if (words.length > 0) expect(holding.length, prompt).to.not.equal(1);
      }
  });

  it("say of every statement alike what it is about", () => {
    for (const { items } of asked)
      for (const { prompt, choices } of items) {
        const listed = /\(They are about (.*)\.\)$/.exec(prompt)?.[1];
        if (listed === undefined) continue;
        const words = [...listed.matchAll(/“([^”]+)”|(`[^`]+`)/g)].map((found) => found[1] ?? found[2] ?? "");
        for (const { text } of choices)
          expect(
            words.some((word) => text.includes(word)),
            `${prompt}: ${text}`,
          ).to.equal(true);
      }
  });

  it("show a statement again only when there is no other", () => {
    for (const { topic, items, passages } of asked) {
      if (factsOf(passages).filter((fact) => standsAlone(fact)).length < 24) continue;
      const statements = items.slice(0, 3).flatMap(({ prompt, choices }) => (/They are about/.test(prompt) ? choices : []));
      expect(new Set(statements.map(({ text }) => text)).size, topic).to.be.at.least(Math.ceil(statements.length * 0.6));
    }
  });
});
