import { readdirSync, readFileSync } from "node:fs";
import { textLength } from "@colloquy/schemas/generation/passages.ts";
import { expect } from "chai";
import { demonstrationCourses } from "../courses.ts";
import { factsOf } from "./facts.ts";
import { falsify, topicWord } from "./items/altered.ts";
import { subject } from "./items/choices.ts";
import { type Item, itemsFrom } from "./items.ts";
import type { Passage } from "./segments.ts";

const passage = (id: string, title: string, text: string): Passage => ({ id, title, trail: ["A course", "A topic"], text, kind: "prose" });

/** The blocks of a demonstration course's topics, as far as they are text. */
const topics = demonstrationCourses.flatMap(({ folder }) =>
  readdirSync(`${folder}/topics`).map((file) => {
    const blocks = readFileSync(`${folder}/topics/${file}`, "utf8")
      .split(/<!-- core\.(?=theory|key-points)/)
      .slice(1);
    return blocks.map((block, at) => {
      const text = block.replace(/^[^\n]*\n/, "").split("<!-- ")[0] ?? "";
      return passage(`s${at + 1}`, /^## (.*)$/m.exec(text)?.[1] ?? "Key points", text.replace(/^## .*$/m, ""));
    });
  }),
);

describe("the demonstration model's questions", () => {
  it("are never the same twice, each with its sentence in the passage it names, and choices that differ", () => {
    let most = 0;
    for (const passages of topics) {
      const asked: Item[] = [];
      for (let turn = 0; turn < 60; turn += 1) {
        const [item] = itemsFrom(passages, 1, asked.map(({ prompt }) => prompt).join("\n"));
        if (!item) break;
        expect(asked.map(({ prompt }) => prompt)).to.not.include(item.prompt);
        expect(new Set(item.choices.map(({ text }) => text)).size).to.equal(item.choices.length);
        expect(item.choices.filter(({ correct }) => correct)).to.have.length(item.kind === "single" ? 1 : 2);
        expect(passages).to.include(item.passage);
        expect(item.explanation.length).to.be.at.most(textLength);
        // Whoever chose an altered statement reads what the course says instead.
        if (/^Which of these statements (?:is|are) true/.test(item.prompt))
          expect(item.explanation.match(/” is wrong: the course says “/g)).to.have.length(
            item.choices.filter(({ correct }) => !correct).length,
          );
        asked.push(item);
      }
      // A sentence is asked about in three ways at most: what was shown as right does not come again and again.
      const counts = Object.values(Object.groupBy(asked, ({ text }) => text)).map((own) => own?.length ?? 0);
      expect(Math.max(0, ...counts)).to.be.at.most(4);
      most = Math.max(most, asked.length);
    }
    expect(most).to.be.at.least(40);
  });

  it("begin with the sentences that share the words of what they are to show", () => {
    const passages = [
      passage(
        "s1",
        "Pipes and redirection",
        "A pipe is a mark that joins two programs of the shell. Redirection is the sending of output into a file. A filter is a program that reads lines and writes some of them. Sorting is the putting of lines into an order.",
      ),
    ];
    for (const [aim, subject] of [
      ["Send output into a file by redirection.", "Redirection"],
      ["Say what sorting does with lines and their order.", "Sorting"],
    ] as const)
      expect(itemsFrom(passages, 1, "", 1, aim)[0]?.text).to.match(new RegExp(`^${subject} is`));
  });

  it("call only such statements wrong as were altered to be", () => {
    const altered = (text: string): string[] => {
      const facts = factsOf([passage("s1", "Rows", text)]);
      return facts[0] ? falsify(facts[0], { facts, gaps: [] }) : [];
    };
    expect(altered("The first column of a matrix is where the first basis vector ends up.")).to.not.include(
      "The last column of a matrix is where the first basis vector ends up.",
    );
    expect(altered("Eigenvectors of the same map belong to the same line.")).to.deep.equal([]);
    expect(altered("The kernel is the set of vectors that the map always sends to zero.")).to.include(
      "The kernel is the set of vectors that the map never sends to zero.",
    );
    expect(altered("A rotation can be undone by rotating back.")).to.deep.equal(["A rotation cannot be undone by rotating back."]);
    expect(altered("A map cannot reach more dimensions than it starts from.")).to.include(
      "A map can reach more dimensions than it starts from.",
    );
    expect(altered("To see how we can resolve conflicts, we must first create one.").join()).to.not.include("last");
    expect(altered("Either order of the two maps is first or last.")).to.deep.equal([]);
  });

  it("stress no choice, and are about words only", () => {
    const texts = [
      "*Pairs* are two values that belong together.",
      "*Sets* are values without an order.",
      "*Lists* are values in an order.",
    ];
    const facts = factsOf(texts.map((text, at) => ({ ...passage(`s${at + 1}`, "Values", text), isMarkdown: true })));
    const [asked] = facts[0] ? subject(facts[0], { facts, gaps: [] }) : [];
    expect(asked?.choices.map(({ text }) => text).toSorted()).to.deep.equal(["Lists", "Pairs", "Sets"]);
    const [fact] = factsOf([passage("s1", "Ends", "Each query of the database is ended by `;` and runs then.")]);
    expect(fact && topicWord(fact)).to.match(/\p{L}/u);
  });

  it("ask of commented code what it comes to", () => {
    const code = ["```lean", "#eval 5 * 4  -- 20", "#eval 2 + 3  -- 5", "#eval 7 - 1  -- 6", "```"].join("\n");
    const [item] = itemsFrom([passage("s1", "Evaluation", code)], 1);
    expect(item?.prompt).to.match(/^What is the value of `.*`\?$/);
    expect(item?.choices.map(({ text }) => text).toSorted()).to.deep.equal(["`20`", "`5`", "`6`"]);
  });
});
