import { sampleCourse } from "@colloquy/command-api/publication/course.fixture.ts";
import { expect } from "chai";
import fc from "fast-check";
import { type AuthoredCourse, authoredCourse, type Block, blockTypes } from "../authored.ts";
import { checkCourse } from "../check-course.ts";
import { checkFields } from "../check-fields.ts";
import { parseBlock } from "../parse.ts";
import { conversionsOf, convertedBlock } from "./convert.ts";
import {
  addTopic,
  childrenOf,
  convertBlock,
  deleteBlock,
  deleteContained,
  duplicateBlock,
  editBlockSource,
  editManifest,
  editTopic,
  findBlock,
  insertBlock,
  moveBlock,
  moveBlockTo,
  moveContained,
} from "./edit.ts";
import { withHeaderField } from "./question-source.ts";
import { composedRenames, idsOf, renameContainer, renamesOver } from "./rename.ts";
import { insertableTypes, starterSource, starterWords } from "./starters.ts";
import { unfinishedParts } from "./unfinished.ts";

const minting = (): (() => string) => {
  let number = 0;
  return () => `minted-id-${++number}`;
};
const idsIn = (course: AuthoredCourse): string[] => [...idsOf(course)].sort();
const blocksOf = (course: AuthoredCourse, topicId: string): string[] =>
  course.topics.find(({ id }) => id === topicId)?.blocks.map(({ id }) => id) ?? [];

describe("editing a course", () => {
  const course = sampleCourse();
  const before = structuredClone(course);
  afterEach(() => expect(course, "the course that was edited stays as it was").to.deep.equal(before));

  it("gives a renamed topic's questions the new ids of its objectives and blocks", () => {
    const asked = insertBlock(course, "topic-pipes", 99, {
      id: "block-pipes-question",
      type: "core.question",
      source: starterSource("core.question").replace(
        "kind: single",
        "kind: single\nobjective: topic-pipes-aim\nabout: block-pipes-points, topic-pipes-text",
      ),
    });
    const held = editTopic(asked, "topic-pipes", { objectives: [{ id: "topic-pipes-aim", text: "Connect commands." }] });
    const { course: renamed } = renameContainer(held, "topic-pipes", "topic-flows", minting()) ?? expect.fail("it is renamed");
    const topic = renamed.topics.find(({ id }) => id === "topic-flows");
    const question = topic?.blocks.at(-1)?.source ?? "";
    expect(question).to.include("objective: topic-flows-aim\n");
    const points = topic?.blocks[course.topics[0]?.blocks.findIndex(({ id }) => id === "block-pipes-points") ?? -1];
    expect(question).to.include(`about: ${points?.id}, topic-pipes-text\n`);
  });

  it("moves blocks within a topic and between topics, ids kept", () => {
    const moved = moveBlock(course, "block-pipes-points", 0);
    expect(blocksOf(moved, "topic-pipes")[0]).to.equal("block-pipes-points");
    const across = moveBlockTo(moved, "block-pipes-points", "topic-loops", 1);
    expect(blocksOf(across, "topic-loops").slice(0, 2)).to.deep.equal(["block-loops-theory", "block-pipes-points"]);
    expect(idsIn(across)).to.deep.equal(idsIn(course));
    expect(moveBlock(course, "block-pipes-points", 99), "it is the last already").to.equal(course);
    expect(moveBlockTo(course, "block-pipes-points", "topic-gone", 0)).to.equal(course);
  });

  it("gives a copy an id of its own, behind the block", () => {
    const copied = duplicateBlock(course, "block-loops-math", minting());
    expect(blocksOf(copied, "topic-loops")).to.deep.equal(["block-loops-theory", "block-loops-math", "minted-id-1", "block-loops-table"]);
    expect(findBlock(copied, "minted-id-1")?.block.source).to.equal(findBlock(course, "block-loops-math")?.block.source);
    expect(checkCourse(copied)).to.deep.equal([]);
  });

  it("shares what it does not touch", () => {
    const edited = editBlockSource(course, "block-loops-theory", "## Why {#why}\n\nAnother text.");
    expect(edited.topics[0]).to.equal(course.topics[0]);
    expect(edited.topics[1]?.blocks[1]).to.equal(course.topics[1]?.blocks[1]);
    expect(deleteBlock(course, "block-gone")).to.equal(course);
  });

  it("takes an optional field away by undefined", () => {
    expect(editTopic(course, "topic-pipes", { summary: undefined }).topics[0]).not.to.have.property("summary");
    expect(editManifest(course, { license: "CC BY 4.0" }).manifest.license).to.equal("CC BY 4.0");
  });

  it("moves containers, but never into themselves", () => {
    const flat = moveContained(course, "topic-pipes", null, 0);
    expect(childrenOf(flat, null).map(({ id }) => id)).to.deep.equal(["topic-pipes", "coll-basics", "topic-loops"]);
    expect(childrenOf(flat, "coll-basics")).to.deep.equal([]);
    const inner = sampleCourse((made) => {
      made.collections[0]?.children.push({ kind: "collection", id: "coll-inner1" });
      made.collections.push({ id: "coll-inner1", slug: "inner", title: "Inner", children: [] });
    });
    expect(moveContained(inner, "coll-basics", "coll-inner1", 0)).to.equal(inner);
    expect(moveContained(inner, "coll-basics", "coll-gone11", 0)).to.equal(inner);
    const gone = deleteContained(inner, "coll-basics");
    expect(gone.collections).to.deep.equal([]);
    expect(gone.topics.map(({ id }) => id)).to.deep.equal(["topic-loops"]);
  });

  it("adds topics and blocks that pass validation", () => {
    const topic = { id: "topic-fresh", slug: "fresh", title: "Fresh", objectives: [], blocks: [] };
    let made = addTopic(course, "coll-basics", 99, topic);
    for (const type of insertableTypes)
      made = insertBlock(made, "topic-fresh", 99, { id: `block-${type.slice(5)}`, type, source: starterSource(type) });
    expect(checkCourse(made)).to.deep.equal([]);
    expect(made.topics.at(-1)?.blocks).to.have.length(insertableTypes.length);
  });

  it("names of every starter the words that are written over first, which leaves a block its parser understands", () => {
    for (const type of insertableTypes) {
      const [from, to] = starterWords(type);
      expect(from, type).to.be.at.least(0);
      const source = `${starterSource(type).slice(0, from)}x${starterSource(type).slice(to)}`;
      expect(parseBlock({ id: "block-new", type, source }).ok, source).to.equal(true);
    }
  });

  it("offers starters for every type but figures, each understood by its parser", () => {
    expect([...insertableTypes, "core.figure"].sort()).to.deep.equal([...blockTypes].sort());
    for (const type of insertableTypes) expect(parseBlock({ id: "block-new", type, source: starterSource(type) }).ok, type).to.equal(true);
  });
});

describe("converting a block", () => {
  const theory: Block = {
    id: "block-one",
    type: "core.theory",
    source: "One thing.\n\nAnother, with\nmore.\n\n- first\n- second\n  goes on\n\n```\n- no item\n```",
  };

  it("keeps id and words, and comes back", () => {
    const points = convertedBlock(theory, "core.key-points");
    expect(points).to.deep.equal({
      id: "block-one",
      type: "core.key-points",
      source: "- One thing.\n- Another, with\n  more.\n- first\n- second\n  goes on\n- ```\n  - no item\n  ```",
    });
    const back = points && convertedBlock(points, "core.theory");
    expect(back?.id).to.equal("block-one");
    expect(back?.source).to.equal(points?.source);
    const callout = convertedBlock(theory, "core.callout");
    expect(callout && convertedBlock(callout, "core.theory")?.source).to.equal(theory.source);
  });

  it("makes a title the heading of a text", () => {
    const points: Block = { id: "block-one", type: "core.key-points", source: "---\ntitle: Remember\n---\n- One" };
    expect(convertedBlock(points, "core.theory")?.source).to.equal("## Remember\n\n- One");
    expect(convertedBlock(points, "core.callout")?.source).to.equal("---\nkind: note\ntitle: Remember\n---\n- One");
  });

  it("makes the heading over a text the title again, where it is nothing but that", () => {
    const from = (source: string, type: Block["type"]) => convertedBlock({ id: "block-one", type: "core.theory", source }, type)?.source;
    expect(from("## Remember\n\nOne.\n\nTwo.", "core.key-points")).to.equal("---\ntitle: Remember\n---\n- One.\n- Two.");
    expect(from("## Remember\n\nOne.", "core.callout")).to.equal("---\nkind: note\ntitle: Remember\n---\nOne.");
    expect(from("## With $x^2$\n\nOne.", "core.callout"), "a formula").to.contain("## With $x^2$");
    expect(from("## One\n\nText.\n\n## Two\n\nText.", "core.callout"), "one of two").to.contain("## One");
    expect(from("## Alone", "core.callout"), "nothing below").to.contain("## Alone");
  });

  it("is not offered for other types, nor for a source with errors", () => {
    expect(conversionsOf({ ...theory, source: "  " })).to.deep.equal([]);
    expect(conversionsOf({ id: "block-one", type: "core.math", source: "x" })).to.deep.equal([]);
    expect(convertedBlock({ id: "block-one", type: "core.math", source: "x" }, "core.theory")).to.equal(null);
    expect(convertBlock(sampleCourse(), "block-loops-math", "core.theory")).to.deep.equal(sampleCourse());
  });

  it("never loses a word of any text that converts", () => {
    const words = fc.array(fc.constantFrom("word", "- item", "1. one", "  more", "", "## Head", "```", "> quote", "$x$"), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, (lines) => {
        const source = lines.map((line, index) => line.replace(/\w+/, (word) => `${word}${index}`)).join("\n");
        const points = convertedBlock({ id: "block-one", type: "core.theory", source }, "core.key-points");
        if (!points) return;
        for (const [word] of source.matchAll(/[A-Za-z]+\d+/g)) expect(points.source).to.contain(word);
      }),
    );
  });
});

describe("renaming a container", () => {
  const linked = sampleCourse((made) => {
    made.topics[1]?.blocks.push({
      id: "topic-loops-own",
      type: "core.theory",
      source: "See [it](topic:topic-pipes#block-pipes-code), `topic:topic-loops`, [here](#block-loops-math).",
    });
    made.topics[0]?.blocks.push({
      id: "block-pipes-more",
      type: "core.theory",
      source: "Back to [loops](topic:topic-loops#topic-loops-own).",
    });
  });

  it("renames the topic with all it holds, and mends the links", () => {
    const renamed = renameContainer(linked, "topic-loops", "topic-repeat", minting());
    expect(renamed?.renamedIds).to.deep.equal([
      { from: "topic-loops", to: "topic-repeat" },
      { from: "block-loops-theory", to: "minted-id-1" },
      { from: "block-loops-math", to: "minted-id-2" },
      { from: "block-loops-table", to: "minted-id-3" },
      { from: "topic-loops-own", to: "topic-repeat-own" },
    ]);
    expect(checkCourse(renamed?.course ?? linked)).to.deep.equal([]);
    expect(renamed?.course.topics[0]?.blocks.at(-1)?.source).to.equal("Back to [loops](topic:topic-repeat#topic-repeat-own).");
    expect(renamed?.course.topics[1]?.blocks.at(-1)?.source).to.equal(
      "See [it](topic:topic-pipes#block-pipes-code), `topic:topic-loops`, [here](#minted-id-2).",
    );
    expect(renamed?.course.manifest.root).to.deep.include({ kind: "topic", id: "topic-repeat" });
  });

  it("takes a collection's whole content along", () => {
    const renamed = renameContainer(linked, "coll-basics", "coll-first1", minting());
    const from = new Set(renamed?.renamedIds.map((one) => one.from));
    for (const id of ["coll-basics", "topic-pipes", "objective-join", "block-pipes-code"]) expect(from.has(id), id).to.equal(true);
    expect(from.has("topic-loops")).to.equal(false);
    expect(checkCourse(renamed?.course ?? linked)).to.deep.equal([]);
    expect(idsIn(renamed?.course ?? linked)).to.have.length(idsIn(linked).length);
  });

  it("refuses what is no container, no id, or taken", () => {
    expect(renameContainer(linked, "block-loops-math", "block-other1", minting())).to.equal(null);
    expect(renameContainer(linked, "topic-loops", "topic-pipes", minting())).to.equal(null);
    expect(renameContainer(linked, "topic-loops", "no id!", minting())).to.equal(null);
  });

  it("composes with a second rename, and disappears when it is taken back", () => {
    const mint = minting();
    const once = renameContainer(linked, "topic-loops", "topic-repeat", mint);
    const twice = once && renameContainer(once.course, "topic-repeat", "topic-again1", mint);
    const composed = composedRenames(once?.renamedIds ?? [], twice?.renamedIds ?? [], twice?.course ?? linked);
    expect(composed.find(({ from }) => from === "topic-loops")?.to).to.equal("topic-again1");
    expect(composed).to.have.length(5);
    const deleted = twice && deleteContained(twice.course, "topic-again1");
    expect(composedRenames(composed, [], deleted ?? linked)).to.deep.equal([]);
    const back = once && renameContainer(once.course, "topic-repeat", "topic-loops", mint);
    expect(
      composedRenames(once?.renamedIds ?? [], back?.renamedIds ?? [], back?.course ?? linked).some(({ from }) => from === "topic-loops"),
    ).to.equal(false);
  });

  it("publishes no rename of what was deleted since", () => {
    const { course, renamedIds } = renameContainer(linked, "topic-loops", "topic-repeat", minting()) ?? expect.fail("it is renamed");
    const { to = "" } = renamedIds.find(({ from }) => from === "block-loops-math") ?? {};
    expect(renamesOver(linked, renamedIds, course)).to.deep.equal(renamedIds);
    expect(renamesOver(linked, renamedIds, deleteBlock(course, to))).to.deep.equal(renamedIds.filter((one) => one.to !== to));
  });

  it("tells of an id that went over to something else, so that it is refused", () => {
    const course = editTopic(deleteContained(linked, "topic-pipes"), "topic-loops", { title: "Pipes" });
    expect(renamesOver(linked, [{ from: "topic-pipes", to: "topic-loops" }], course)).to.have.length(1);
  });

  it("gives no page an id that was published for something else, and a page its own one back", () => {
    const mint = minting();
    const { course, renamedIds } = renameContainer(linked, "topic-loops", "topic-repeat", mint) ?? expect.fail("it is renamed");
    const known = { baseCourse: linked, renamedIds };
    expect(renameContainer(course, "topic-pipes", "topic-loops", mint, known)).to.equal(null);
    const back = renameContainer(course, "topic-repeat", "topic-loops", mint, known);
    expect(back?.renamedIds).to.deep.include.members([
      { from: "topic-repeat", to: "topic-loops" },
      { from: "topic-repeat-own", to: "topic-loops-own" },
    ]);
  });

  it("mints an id for a block whose own would be one that was published for another", () => {
    const baseCourse = insertBlock(linked, "topic-pipes", 99, { id: "topic-turns-own", type: "core.theory", source: "Text." });
    const course = deleteBlock(baseCourse, "topic-turns-own");
    const renamed = renameContainer(course, "topic-loops", "topic-turns", minting(), { baseCourse, renamedIds: [] });
    expect(renamed?.renamedIds.find(({ from }) => from === "topic-loops-own")?.to).to.match(/^minted/);
  });
});

describe("the fields of a course", () => {
  it("are judged alike by the schema and by the check that a browser loads", () => {
    const texts = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        "",
        " ",
        "a-b",
        "A b",
        "en",
        "pt-BR",
        "../x",
        "/x",
        "a/./b",
        "assets/a.svg",
        "id-of-8ch",
        "x".repeat(65),
        "x".repeat(201),
        "x".repeat(1_001),
      ),
    );
    const places: ((course: AuthoredCourse) => [object | undefined, string])[] = [
      ({ manifest }) => [manifest, "title"],
      ({ manifest }) => [manifest, "summary"],
      ({ manifest }) => [manifest, "language"],
      ({ manifest }) => [manifest, "license"],
      ({ manifest }) => [manifest, "courseId"],
      ({ topics: [topic] }) => [topic, "slug"],
      ({ topics: [topic] }) => [topic, "title"],
      ({ topics: [topic] }) => [topic, "id"],
      ({ topics: [topic] }) => [topic?.objectives[0], "text"],
      ({ topics: [topic] }) => [topic?.blocks[0], "id"],
      ({ collections: [collection] }) => [collection, "slug"],
      ({ collections: [collection] }) => [collection, "summary"],
      ({ assets: [asset] }) => [asset, "path"],
    ];
    fc.assert(
      fc.property(fc.nat(places.length - 1), texts, (which, text) => {
        const course = sampleCourse((made) => {
          const [object = {}, field] = places[which]?.(made) ?? [];
          Object.assign(object, { [field ?? ""]: text });
        });
        expect(checkFields(course).length === 0, `${which} ${JSON.stringify(text)}`).to.equal(authoredCourse.safeParse(course).success);
      }),
      { numRuns: 600 },
    );
  });
});

describe("the unfinished parts of a draft", () => {
  const base = sampleCourse();
  const placeholders = {
    firstTitles: new Set(["new page"]),
    isUndescribed: ({ source }: { source: string }) => source.includes("![Describe the picture]"),
  };
  const [topic] = base.topics;
  const topicId = topic?.id ?? "";
  const found = (draft: AuthoredCourse) =>
    unfinishedParts(base, draft, placeholders).map(({ why, pageId, blockId }) => [why, blockId ?? pageId]);

  it("are blocks with a picture that nobody described", () => {
    const source = "A tree.\n\n![Describe the picture](assets/a-tree.png)";
    const inserted = insertBlock(base, topicId, 0, { id: "block-new-1", type: "core.theory", source });
    expect(found(inserted)).to.deep.equal([["undescribed", "block-new-1"]]);
    expect(unfinishedParts(inserted, inserted, placeholders), "published already").to.deep.equal([]);
  });

  it("are blocks with text of their starter, whatever else was written", () => {
    for (const type of insertableTypes) {
      const inserted = insertBlock(base, topicId, 0, { id: "block-new-1", type, source: starterSource(type) });
      expect(found(inserted), type).to.deep.equal([["starter", "block-new-1"]]);
      expect(unfinishedParts(inserted, inserted, placeholders), "published already").to.deep.equal([]);
    }
    const blank = { id: "block-new-1", type: "core.theory", source: "\n" } as const;
    const bare = { ...base, topics: base.topics.map((one) => (one.id === topicId ? { ...one, blocks: [blank] } : one)) };
    expect(found(bare), "a blank block").to.deep.equal([["empty", topicId]]);
    const exercise = { id: "block-new-1", type: "core.exercise", source: starterSource("core.exercise") } as const;
    const half = { ...exercise, source: exercise.source.replace("Say what there is to do.", "Count the files.") };
    expect(found(insertBlock(base, topicId, 0, half))).to.deep.equal([["starter", "block-new-1"]]);
    for (const [type, source] of [
      ["core.theory", "## A heading\n\nMatrices turn arrows."],
      ["core.theory", "## Matrices\n\nTrue.\r\n\r\nWrite the text here."],
      ["core.key-points", "- A matrix is a map.\n- The second."],
      ["core.diagram", "---\ndescription: Rain falls\n---\n```mermaid\nflowchart LR\n  A[Rain] --> B[The next]\n```"],
      ["core.diagram", "---\ndescription: One step leads to the next\n---\n```mermaid\nflowchart LR\n  A[Rain] --> B[Sea]\n```"],
      ["core.callout", "---\nkind: note\ntitle: Mind\n---\nWrite the text here."],
    ] as const)
      expect(found(insertBlock(base, topicId, 0, { id: "block-new-1", type, source })), source).to.deep.equal([["starter", "block-new-1"]]);
    const source = withHeaderField(starterSource("core.question"), "retired", "true");
    const retired = { id: "block-new-1", type: "core.question", source } as const;
    expect(found(insertBlock(base, topicId, 0, retired)), "shown to nobody").to.deep.equal([]);
    const written = { id: "block-new-1", type: "core.theory", source: "## A heading for each\n\n- The second." } as const;
    expect(found(insertBlock(base, topicId, 0, written))).to.deep.equal([]);
    const formula = { id: "block-new-1", type: "core.math", source: "$$\na^2 + b^2 = c^2 + 1\n$$" } as const;
    expect(found(insertBlock(base, topicId, 0, formula))).to.deep.equal([]);
  });

  it("are pages without content and pages with their first title", () => {
    const page = { id: "topic-new-1", slug: "new-page", title: "New page ", objectives: [], blocks: [] };
    expect(found(addTopic(base, null, 0, page))).to.deep.equal([
      ["untitled", "topic-new-1"],
      ["empty", "topic-new-1"],
    ]);
    const emptied = { ...base, topics: base.topics.map((one) => (one.id === topicId ? { ...one, blocks: [] } : one)) };
    expect(found(emptied)).to.deep.equal([["empty", topicId]]);
    expect(found(base)).to.deep.equal([]);
  });
});
