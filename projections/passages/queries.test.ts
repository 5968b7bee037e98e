import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleCourse, topicOf } from "@colloquy/command-api/publication/course.fixture.ts";
import { nextIdentity } from "@colloquy/command-api/publication/identity-index.ts";
import { buildSearchIndex } from "@colloquy/command-api/publication/search-index.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { CourseListing, IdentityIndex } from "@colloquy/schemas/courses/revision.ts";
import { referencesResponse } from "@colloquy/schemas/sources/references.ts";
import { expect } from "chai";
import { openPassageLibrary, type PassageLibrary, sourceIdOf } from "./queries.ts";
import type { QuestionVector } from "./vectors/question.ts";
import { quantized } from "./vectors/vector-table.ts";

describe("passage library", () => {
  let folder: string;
  let objectStore: ObjectStore;
  let listings: CourseListing[];
  let damaged: string[];
  let clock: number;
  let library: PassageLibrary;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-passages-"));
    objectStore = openObjectStore({ DATA_DIR: folder });
    listings = [];
    damaged = [];
    clock = 0;
    library = openPassageLibrary({
      objectStore,
      catalogue: {
        list: () => Promise.resolve(listings),
        get: (courseId) => Promise.resolve(listings.find((listing) => listing.courseId === courseId) ?? null),
      },
      publicUrl: "https://learn.example.org",
      onDamaged: (courseId) => damaged.push(courseId),
      now: () => clock,
    });
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Puts what a publication writes and the library reads. */
  async function publish(
    course: AuthoredCourse,
    sequence = 1,
    before: { course: AuthoredCourse; identity: IdentityIndex } | null = null,
    renamedIds: IdentityIndex["renames"] = [],
  ) {
    const { courseId, title, summary, language } = course.manifest;
    const revisionId = `revision-${courseId}-${sequence}`;
    const identity = nextIdentity(course, before, { renamedIds, aliases: [] }, sequence);
    const put = (key: string, value: object) => objectStore.put(key, new TextEncoder().encode(JSON.stringify(value)));
    await put(courseKeys.search(courseId, revisionId), buildSearchIndex(course, revisionId));
    await put(courseKeys.identity(courseId, revisionId), identity);
    const publishedAt = new Date(Date.UTC(2026, 0, sequence)).toISOString();
    const listing: CourseListing = {
      courseId,
      title,
      summary,
      language,
      origin: "object-store",
      sequence,
      revisionId,
      topics: course.topics.length,
      publishedAt,
      position: String(sequence),
    };
    listings = [...listings.filter((other) => other.courseId !== courseId), listing];
    return { course, identity };
  }
  const named = (courseId: string, change: (course: AuthoredCourse) => void = () => undefined): AuthoredCourse =>
    sampleCourse((course) => {
      course.manifest.courseId = courseId;
      change(course);
    });
  const setText = (course: AuthoredCourse, source: string): void => {
    topicOf(course, "topic-loops").blocks = [{ id: "block-loops-theory", type: "core.theory", source }];
  };
  const texts = async (query: string, courseIds?: string[]): Promise<string[]> =>
    (await library.search(query, courseIds ? { courseIds } : {})).map(({ text }) => text);

  describe("searched", () => {
    it("finds inflected words, code as it is written, and signs", async () => {
      await publish(sampleCourse());
      expect((await texts("repeating commands"))[0]).to.equal("A loop repeats a command.");
      expect((await texts("wc -l"))[0]).to.match(/wc -l/);
      expect((await texts("what does `|` mean"))[0]).to.match(/\|/);
      expect(await texts("zebra")).to.deep.equal([]);
    });

    it("tolerates a misspelling if nothing else matches", async () => {
      await publish(sampleCourse());
      expect((await texts("rediretc"))[0]).to.match(/redirect/);
    });

    it("names the place of a passage", async () => {
      await publish(sampleCourse());
      const [best] = await library.search("loop repeats");
      expect(best).to.deep.include({ courseId: "sample-course", revisionId: "revision-sample-course-1", heading: "Why", role: "prose" });
      expect(best?.source).to.deep.include({ href: "/courses/sample-course/loops#block-loops-theory", title: "Why" });
      expect(best?.score).to.be.greaterThan(0);
    });

    it("ranks explanations before solutions, and ties in reading order", async () => {
      await publish(
        sampleCourse((course) => {
          const exercise = "Do it.\n\n::: solution\nMarmots whistle in the morning.\n:::";
          topicOf(course, "topic-loops").blocks = [
            { id: "block-a-exercise", type: "core.exercise", source: exercise },
            { id: "block-b-theory", type: "core.theory", source: "Marmots whistle in the morning." },
            { id: "block-c-theory", type: "core.theory", source: "Nothing." },
            { id: "block-d-theory", type: "core.theory", source: "Marmots whistle in the morning." },
          ];
        }),
      );
      const found = (await library.search("marmots whistle")).filter(({ text }) => text.includes("Marmots"));
      expect(found.map(({ source }) => source.entityId)).to.deep.equal(["block-b-theory", "block-d-theory", "block-a-exercise"]);
      expect(await library.search("marmots whistle")).to.deep.equal(await library.search("marmots whistle"));
    });

    it("returns only the requested courses, up to the limit", async () => {
      await publish(named("course-one"));
      await publish(named("course-two"));
      expect(new Set((await library.search("commands")).map(({ courseId }) => courseId))).to.deep.equal(
        new Set(["course-one", "course-two"]),
      );
      expect(new Set((await library.search("commands", { courseIds: ["course-two"] })).map(({ courseId }) => courseId))).to.deep.equal(
        new Set(["course-two"]),
      );
      expect(await library.search("commands", { courseIds: [] })).to.deep.equal([]);
      expect(await library.search("commands", { limit: 2 })).to.have.length(2);
    });

    it("adds the weighted scores of the parts of a query", async () => {
      await publish(
        sampleCourse((course) => {
          topicOf(course, "topic-loops").blocks = [
            { id: "block-a-theory", type: "core.theory", source: "Marmots whistle." },
            { id: "block-b-theory", type: "core.theory", source: "Badgers dig." },
            { id: "block-c-theory", type: "core.theory", source: "Marmots fear badgers." },
          ];
        }),
      );
      const found = (marmots: number, badgers: number) =>
        library.search([
          { text: "marmots", weight: marmots },
          { text: "badgers", weight: badgers },
        ]);
      expect((await found(1, 1)).map(({ text }) => text)[0], "both").to.equal("Marmots fear badgers.");
      expect((await found(1, 0.1)).map(({ text }) => text).at(-1), "the lighter part alone").to.equal("Badgers dig.");
      expect((await found(0.1, 1)).map(({ text }) => text).at(-1), "the lighter part alone").to.equal("Marmots whistle.");
      expect(await found(1, 0), "a part without weight").to.deep.equal(await library.search("marmots"));
      expect(await library.search([])).to.deep.equal([]);
    });

    it("scores a text as one part of weight 1", async () => {
      await publish(sampleCourse());
      expect(await library.search([{ text: "repeating commands", weight: 1 }])).to.deep.equal(await library.search("repeating commands"));
    });

    it("never finds text for instructors, nor offers its places", async () => {
      await publish(
        sampleCourse((course) => {
          topicOf(course, "topic-loops").blocks = [
            { id: "block-a-theory", type: "core.theory", source: "Marmots whistle." },
            {
              id: "block-b-callout",
              type: "core.callout",
              source: "---\nkind: instructor\ntitle: Timing\n---\nLet them whistle for marmots.",
            },
          ];
        }),
      );
      expect(await texts("marmots whistle")).to.deep.equal(["Marmots whistle."]);
      expect(await library.references("Timing")).to.deep.equal([]);
      const place = await library.resolve({ href: "/courses/sample-course/loops#block-b-callout" });
      expect(place?.source.entityId).to.equal("block-b-callout");
      expect(place?.passages).to.deep.equal([]);
      const page = await library.resolve({ href: "/courses/sample-course/loops" });
      expect(page?.passages.map(({ text }) => text)).to.deep.equal(["Marmots whistle."]);
    });

    it("finds a passage by its meaning alone, and by words without vectors", async () => {
      const asked: (readonly { text: string; weight: number }[])[] = [];
      const vector = Float32Array.of(1, 0);
      let question: QuestionVector | null = { model: "model", vector, noise: { mean: 0, deviation: 0.1 } };
      const byMeaning = openPassageLibrary({
        objectStore,
        catalogue: { list: () => Promise.resolve(listings), get: () => Promise.resolve(null) },
        embedQuestion: async (parts) => {
          asked.push(parts);
          return question;
        },
      });
      await publish(named("course-one", (course) => setText(course, "Marmots whistle.\n\n## Elsewhere\n\nBadgers dig.")));
      const [index] = await byMeaning.liveIndexes();
      const passageOf = (text: string) => index?.passages.find((passage) => passage.text === text)?.passageId ?? "";
      const found = async () => (await byMeaning.search("rodents sound", { limit: 5 })).map(({ text }) => text);
      expect(await found(), "before vectors are there").to.deep.equal([]);
      const vectors = new Map([
        [passageOf("Marmots whistle."), quantized(Float32Array.of(1, 0))],
        [passageOf("Badgers dig."), quantized(Float32Array.of(0, 1))],
      ]);
      const revision = { courseId: "course-one", revisionId: "revision-course-one-1", language: "en" };
      byMeaning.setVectors(revision, { model: "model", dimensions: 2 }, vectors);
      expect(await found()).to.deep.equal(["Marmots whistle."]);
      expect(asked.at(-1)).to.deep.equal([{ text: "rodents sound", weight: 1 }]);
      expect((await byMeaning.search("badgers")).map(({ text }) => text)).to.have.members(["Badgers dig.", "Marmots whistle."]);
      question = { ...question, model: "another model" };
      expect(await found(), "vectors of another model are not compared").to.deep.equal([]);
      question = null;
      expect((await byMeaning.search("badgers")).map(({ text }) => text)[0], "the model does not answer").to.equal("Badgers dig.");
    });

    it("finds a new revision at once, and nothing of the old one", async () => {
      const first = await publish(named("course-one", (course) => setText(course, "Marmots whistle.")));
      expect(await texts("marmots")).to.deep.equal(["Marmots whistle."]);
      await publish(
        named("course-one", (course) => setText(course, "Badgers dig.")),
        2,
        first,
      );
      expect(await texts("marmots")).to.deep.equal([]);
      expect(await texts("badgers")).to.deep.equal(["Badgers dig."]);
      expect((await library.search("command")).every(({ revisionId }) => revisionId === "revision-course-one-2")).to.equal(true);
    });

    it("searches courses in several languages together", async () => {
      await publish(named("course-english", (course) => setText(course, "Marmots whistle.")));
      await publish(
        named("course-german", (course) => {
          course.manifest.language = "de";
          setText(course, "Murmeltiere pfeifen.");
        }),
      );
      expect(await texts("marmot")).to.deep.equal(["Marmots whistle."]);
      expect(await texts("Murmeltiere")).to.deep.equal(["Murmeltiere pfeifen."]);
    });

    it("skips a course with a damaged index", async () => {
      await publish(named("course-one"));
      await publish(named("course-two"));
      await objectStore.put(courseKeys.search("course-two", "revision-course-two-1"), new TextEncoder().encode("{ half"));
      expect(new Set((await library.search("commands")).map(({ courseId }) => courseId))).to.deep.equal(new Set(["course-one"]));
      expect(damaged).to.deep.equal(["course-two"]);
    });

    it("retries a damaged index with growing pauses, a new revision at once", async () => {
      const first = await publish(named("course-two"));
      const key = courseKeys.search("course-two", "revision-course-two-1");
      const whole = await objectStore.get(key);
      await objectStore.put(key, new TextEncoder().encode("{ half"));
      for (let typed = 0; typed < 20; typed += 1) await library.references("loo");
      expect(damaged).to.have.lengthOf(1);
      clock += 1_000;
      for (let typed = 0; typed < 20; typed += 1) await library.references("loo");
      expect(damaged).to.have.lengthOf(2);
      clock += 1_999;
      await library.references("loo");
      expect(damaged).to.have.lengthOf(2);
      await objectStore.put(key, whole?.bytes ?? new Uint8Array());
      expect(await texts("commands")).to.deep.equal([]);
      clock += 1;
      expect(await texts("commands")).not.to.deep.equal([]);
      await objectStore.put(courseKeys.search("course-two", "revision-course-two-2"), new TextEncoder().encode("{ half"));
      await publish(named("course-two"), 2, first);
      expect((await library.search("commands")).every(({ revisionId }) => revisionId === "revision-course-two-2")).to.equal(true);
    });

    it("rejects an index of another revision", async () => {
      await publish(named("course-one"));
      await publish(named("course-two"));
      const one = await objectStore.get(courseKeys.search("course-one", "revision-course-one-1"));
      await objectStore.put(courseKeys.search("course-two", "revision-course-two-1"), one?.bytes ?? new Uint8Array());
      expect(new Set((await library.search("commands")).map(({ courseId }) => courseId))).to.deep.equal(new Set(["course-one"]));
      expect(damaged).to.deep.equal(["course-two"]);
    });
  });

  describe("references by name", () => {
    const titles = async (query: string): Promise<string[]> =>
      (await library.references(query)).map(({ kind, title }) => `${kind} ${title}`);

    it("finds them as their name is typed, larger places first", async () => {
      await publish(sampleCourse());
      expect((await titles("pip"))[0]).to.equal("topic Pipes");
      expect((await titles("basics"))[0]).to.equal("collection Basics");
      expect((await titles("sample cou"))[0]).to.equal("course Sample course");
      expect((await titles("take care"))[0]).to.equal("block Take care");
      expect((await titles("lops"))[0], "misspelt").to.equal("topic Loops");
    });

    it("adds places whose text matches", async () => {
      await publish(sampleCourse());
      expect(await titles("redirect")).to.include("block The sign");
    });

    it("matches the contract and its limit", async () => {
      for (let number = 0; number < 12; number += 1) await publish(named(`course-number-${number}`));
      for (const query of ["", "pipes", "commands"]) {
        const references = await library.references(query);
        referencesResponse.parse({ schemaVersion: 1, references });
        expect(references.length, query).to.be.within(1, 20);
      }
    });

    it("suggests the last published courses and their first topics", async () => {
      await publish(named("course-older"), 1);
      await publish(named("course-newer"), 2);
      const start = await library.references("  ");
      expect(start.map(({ courseId, kind }) => `${courseId} ${kind}`).slice(0, 4)).to.deep.equal([
        "course-newer course",
        "course-older course",
        "course-newer topic",
        "course-older topic",
      ]);
      expect(start[0]?.excerpt).to.equal("What a shell can do.");
    });

    it("returns nothing before the first publication", async () => {
      expect(await library.references("")).to.deep.equal([]);
      expect(await library.references("pipes")).to.deep.equal([]);
    });
  });

  describe("resolving a reference", () => {
    const at = async (href: string, more: { sourceId?: string; revisionId?: string } = {}): Promise<string | undefined> =>
      (await library.resolve({ href, ...more }))?.source.entityId;

    it("finds the place by its address", async () => {
      await publish(sampleCourse());
      const cases: [string, string | undefined][] = [
        ["/courses/sample-course", "sample-course"],
        ["/courses/sample-course/", "sample-course"],
        ["/courses/sample-course/basics", "coll-basics"],
        ["/courses/sample-course/basics/pipes", "topic-pipes"],
        ["/courses/sample-course/basics/pipes?mark=a%20b#block-pipes-code", "block-pipes-code"],
        ["/courses/sample-course/loops#why", "topic-loops"],
        ["https://learn.example.org/courses/sample-course/loops", "topic-loops"],
        ["https://elsewhere.example.org/courses/sample-course/loops", undefined],
        ["//elsewhere.example.org/courses/sample-course/loops", undefined],
        ["/courses/other-course/loops", undefined],
        ["/courses/sample-course/none", undefined],
        ["/ai", undefined],
        ["javascript:alert(1)", undefined],
        ["/courses/%E0%A4%A", undefined],
        ["", undefined],
      ];
      for (const [href, wanted] of cases) expect(await at(href), href).to.equal(wanted);
    });

    it("returns every passage of the place, in reading order", async () => {
      await publish(sampleCourse());
      const all = (await library.resolve({ href: "/courses/sample-course" }))?.passages ?? [];
      const topic = (await library.resolve({ href: "/courses/sample-course/basics/pipes" }))?.passages ?? [];
      const collection = (await library.resolve({ href: "/courses/sample-course/basics" }))?.passages ?? [];
      const block = (await library.resolve({ href: "/courses/sample-course/basics/pipes#block-pipes-exercise" }))?.passages ?? [];
      expect(block.map(({ role }) => role)).to.deep.equal(["exercise", "solution", "solution"]);
      expect(topic[0]?.text).to.equal("How commands are joined.");
      expect(topic.slice(-2, -1)[0]?.source.entityId).to.equal("block-pipes-exercise");
      expect([topic.length, collection.length, all.length]).to.deep.equal([topic.length, topic.length + 1, all.length]);
      expect(all.length).to.be.greaterThan(collection.length);
      expect(all[0]?.text).to.equal("What a shell can do.");
    });

    it("falls back on the source id of any revision", async () => {
      await publish(sampleCourse());
      const sourceId = sourceIdOf("sample-course", "block-loops-math");
      expect(await at("/gone", { sourceId, revisionId: "revision-long-ago" })).to.equal("block-loops-math");
      expect(await at("/gone", { sourceId: "s_unknown-source" })).to.equal(undefined);
    });

    it("follows moves and renames", async () => {
      const first = await publish(sampleCourse());
      const moved = sampleCourse((course) => {
        for (const collection of course.collections) collection.slug = "start";
        const block = topicOf(course, "topic-pipes").blocks.find(({ id }) => id === "block-pipes-code");
        if (block) block.id = "block-pipes-count";
      });
      await publish(moved, 2, first, [{ from: "block-pipes-code", to: "block-pipes-count" }]);
      expect(await at("/courses/sample-course/basics/pipes")).to.equal("topic-pipes");
      expect(await at("/courses/sample-course/basics/pipes#block-pipes-figure")).to.equal("block-pipes-figure");
      expect(await at("/courses/sample-course/basics/pipes#block-pipes-code")).to.equal("block-pipes-count");
      expect(await at("/courses/sample-course/start/pipes#block-pipes-code")).to.equal("block-pipes-count");
      expect(await at("/courses/sample-course/basics")).to.equal("coll-basics");
    });

    it("follows a block to its new page, also if its own page is gone", async () => {
      const first = await publish(sampleCourse());
      const to = (course: AuthoredCourse) => {
        const pipes = topicOf(course, "topic-pipes");
        topicOf(course, "topic-loops").blocks.push(...pipes.blocks.filter(({ id }) => id === "block-pipes-code"));
        pipes.blocks = pipes.blocks.filter(({ id }) => id !== "block-pipes-code");
      };
      const second = await publish(sampleCourse(to), 2, first);
      const href = "/courses/sample-course/basics/pipes#block-pipes-code";
      expect((await library.resolve({ href }))?.source.href).to.equal("/courses/sample-course/loops#block-pipes-code");
      expect(await at("/courses/sample-course/basics/pipes#topic-loops"), "only a block is looked for").to.equal("topic-pipes");
      const without = sampleCourse((course) => {
        to(course);
        course.topics = course.topics.filter(({ id }) => id !== "topic-pipes");
        for (const { children } of course.collections)
          children.splice(0, children.length, ...children.filter(({ id }) => id !== "topic-pipes"));
      });
      await publish(without, 3, second);
      expect(await at(href)).to.equal("block-pipes-code");
    });
  });
});
