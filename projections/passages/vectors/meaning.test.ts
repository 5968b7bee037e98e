import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Embedder, EmbeddingsUnavailable, unitVector } from "@colloquy/infra/embeddings/embedder.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { type MeaningSearch, meaningSearch, type VectorTarget } from "./meaning.ts";
import { encodeVectorSet, extended, textGroups } from "./vector-set.ts";
import type { QuantizedVector, VectorOrigin } from "./vector-table.ts";

/** Embeds by letters, and counts what it is asked. */
function countingEmbedder(key: string, dimensions = 26, languages?: string[]) {
  const asked: { text: string; purpose: string }[] = [];
  const state = { fails: false, delayMs: 0 };
  const embedder: Embedder = {
    key,
    name: key,
    ...(languages && { languages }),
    async embed(texts, { purpose, signal }) {
      asked.push(...texts.map((text) => ({ text, purpose })));
      if (state.delayMs > 0) await sleep(state.delayMs, undefined, { signal });
      if (state.fails) throw new EmbeddingsUnavailable("out of order");
      return texts.map((text) => {
        const counts = new Float32Array(dimensions);
        for (const letter of text.toLowerCase()) {
          const at = letter.charCodeAt(0) - 97;
          if (at >= 0 && at < dimensions) counts[at] = (counts[at] ?? 0) + 1;
        }
        return unitVector(counts);
      });
    },
    close: () => Promise.resolve(),
  };
  return {
    embedder,
    state,
    questions: () => asked.filter(({ purpose }) => purpose === "question").map(({ text }) => text),
    passages: () => asked.filter(({ purpose }) => purpose === "passage").map(({ text }) => text.split("\n")[1]),
  };
}

const courseId = "course-one";
const indexOf = (revisionId: string, topics: Record<string, string[]>): SearchIndex => ({
  schemaVersion: 1,
  courseId,
  revisionId,
  language: "en",
  audienceMarked: true,
  sources: Object.keys(topics).map((topic) => ({
    sourceId: `source-${topic}`,
    kind: "topic",
    entityId: topic,
    topicId: topic,
    href: `/courses/${courseId}/${topic}`,
    title: topic,
    trail: ["Course"],
  })),
  passages: Object.entries(topics).flatMap(([topic, texts]) =>
    texts.map((text, at) => ({ passageId: `${topic}-${at}`, sourceId: `source-${topic}`, heading: topic, text, role: "prose" as const })),
  ),
});

describe("the vectors of live revisions", () => {
  let folder: string;
  let objectStore: ObjectStore;
  let live: SearchIndex[];
  let running: { stop: AbortController; ended: Promise<void> }[];
  const log = { warn: () => undefined, info: () => undefined };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-vectors-"));
    objectStore = openObjectStore({ DATA_DIR: folder });
    live = [indexOf("revision-1", { "topic-pipes": ["pipes join", "output flows"], "topic-loops": ["loops repeat"] })];
    running = [];
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });
  async function stop(): Promise<void> {
    for (const { stop: controller } of running) controller.abort();
    await Promise.all(running.splice(0).map(({ ended }) => ended));
  }

  function targetOf() {
    const vectors = new Map<string, { made: VectorOrigin; vector: QuantizedVector }>();
    const target: VectorTarget = {
      liveIndexes: () => Promise.resolve(live),
      setVectors: ({ revisionId }, made, byPassageId) => {
        for (const [passageId, vector] of byPassageId) vectors.set(`${revisionId} ${passageId}`, { made, vector });
      },
      clearVectors: () => vectors.clear(),
    };
    return { target, vectors };
  }
  function keep(embedder: Embedder, more: Partial<Parameters<typeof meaningSearch>[0]> = {}) {
    const meaning = meaningSearch({ objectStore, embedder, questionMs: 100, pollMs: 5, log, ...more });
    const { target, vectors } = targetOf();
    const controller = new AbortController();
    running.push({ stop: controller, ended: meaning.keepVectors(target, controller.signal) });
    return { meaning, vectors };
  }
  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) await sleep(5);
  }
  const complete = (meaning: MeaningSearch) =>
    until(
      () => meaning.progress().passages > 0 && meaning.progress().embedded === meaning.progress().passages && meaning.progress().current,
    );
  const stored = async () => (await Array.fromAsync(objectStore.list(`courses/${courseId}/vectors/`))).length;

  it("are made once, and stored under the model and the content", async () => {
    const first = countingEmbedder("model-a");
    const { meaning, vectors } = keep(first.embedder);
    await complete(meaning);
    expect(vectors.size).to.equal(3);
    expect(first.passages()).to.have.members(["pipes join", "output flows", "loops repeat"]);
    const groups = await textGroups(live[0] as SearchIndex);
    for (const { topic, name } of groups)
      expect(await objectStore.get(courseKeys.vectors(courseId, "model-a", topic, name))).not.to.equal(null);
    await stop();
    const again = countingEmbedder("model-a");
    const { meaning: later, vectors: loaded } = keep(again.embedder);
    await complete(later);
    expect(again.passages()).to.deep.equal([]);
    expect(loaded.size).to.equal(3);
  });

  it("are made of new texts only after a publication, also by another process", async () => {
    const first = countingEmbedder("model-a");
    await complete(keep(first.embedder).meaning);
    await stop();
    live = [indexOf("revision-2", { "topic-pipes": ["pipes join", "errors flow elsewhere"], "topic-loops": ["loops repeat"] })];
    const second = countingEmbedder("model-a");
    const { meaning, vectors } = keep(second.embedder);
    await complete(meaning);
    expect(second.passages()).to.deep.equal(["errors flow elsewhere"]);
    expect([...vectors.keys()]).to.include("revision-2 topic-pipes-1");
  });

  it("are taken from what ships with the program", async () => {
    const { embedder, passages } = countingEmbedder("model-a");
    const [pipes] = await textGroups(live[0] as SearchIndex);
    const texts = [...(pipes?.texts ?? [])];
    const set = extended(
      null,
      texts.map(([digest]) => digest),
      await countingEmbedder("model-a").embedder.embed(
        texts.map(([, { text }]) => text),
        { purpose: "passage" },
      ),
    );
    await complete(keep(embedder, { shipped: async () => set }).meaning);
    expect(passages()).to.deep.equal(["loops repeat"]);
  });

  it("are made again if what is stored is damaged", async () => {
    await complete(keep(countingEmbedder("model-a").embedder).meaning);
    await stop();
    const keys = await Array.fromAsync(objectStore.list(`courses/${courseId}/vectors/`));
    await objectStore.put(keys[0] ?? "", new TextEncoder().encode("{ half"));
    const { embedder } = countingEmbedder("model-a");
    const { meaning, vectors } = keep(embedder);
    await complete(meaning);
    expect(vectors.size).to.equal(3);
  });

  it("load their model once a question may follow, and not before there are any", async () => {
    const { embedder } = countingEmbedder("model-a");
    let loaded = 0;
    const failing = { ...embedder, warmUp: () => Promise.reject(new Error(`load ${++loaded}`)) };
    await meaningSearch({ objectStore, embedder: failing, questionMs: 500, log }).prepare();
    expect(loaded).to.equal(0);
    const { meaning } = keep(failing);
    await complete(meaning);
    await meaning.prepare();
    expect(loaded).to.equal(1);
  });

  it("of another model are made in the background, and used when they are complete", async () => {
    await complete(keep(countingEmbedder("model-a").embedder).meaning);
    await stop();
    const [earlier, next] = [countingEmbedder("model-a"), countingEmbedder("model-b", 20)];
    next.state.fails = true;
    const { meaning, vectors } = keep(next.embedder, { earlier: ({ key }) => (key === "model-a" ? earlier.embedder : null) });
    await until(() => vectors.size === 3 && meaning.progress().passages === 3);
    expect((await meaning.embedQuestion([{ text: "a question", weight: 1 }]))?.model).to.equal("model-a");
    expect(meaning.progress()).to.deep.equal({ passages: 3, embedded: 0, current: false });
    await stop();
    next.state.fails = false;
    const { meaning: swapped, vectors: own } = keep(next.embedder, { earlier: () => earlier.embedder });
    await complete(swapped);
    expect((await swapped.embedQuestion([{ text: "a question", weight: 1 }]))?.model).to.equal("model-b");
    expect([...own.values()].every(({ made }) => made.model === "model-b" && made.dimensions === 20)).to.equal(true);
  });

  it("are missing without harm while the model fails: searches use words", async () => {
    const { embedder, state } = countingEmbedder("model-a");
    state.fails = true;
    const { meaning } = keep(embedder);
    await sleep(30);
    expect(await meaning.embedQuestion([{ text: "a question", weight: 1 }])).to.equal(null);
    expect(await stored()).to.equal(0);
  });

  it("count as progress", async () => {
    const { embedder, state } = countingEmbedder("model-a");
    state.delayMs = 30;
    const { meaning } = keep(embedder);
    await until(() => meaning.progress().embedded === 2);
    expect(meaning.progress()).to.deep.equal({ passages: 3, embedded: 2, current: true });
    await complete(meaning);
  });
});

describe("the vector of a question", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-questions-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  async function search(state: Partial<{ fails: boolean; delayMs: number }> = {}, languages?: string[]) {
    const { embedder, state: own, questions: asked } = countingEmbedder("model-a", 26, languages);
    const meaning = meaningSearch({
      objectStore: openObjectStore({ DATA_DIR: folder }),
      embedder,
      questionMs: 60,
      pollMs: 60_000,
      log: { warn: () => undefined, info: () => undefined },
    });
    const controller = new AbortController();
    const target = {
      liveIndexes: () => Promise.resolve([indexOf("revision-1", { "topic-a": ["text"] })]),
      setVectors() {},
      clearVectors() {},
    };
    const ended = meaning.keepVectors(target, controller.signal);
    while (meaning.progress().embedded === 0) await sleep(5);
    controller.abort();
    await ended;
    Object.assign(own, state);
    return { meaning, state: own, asked };
  }

  it("is null, and not waited for, from a model that takes a day", async () => {
    const { meaning } = await search({ delayMs: 24 * 3_600_000 });
    expect(await meaning.embedQuestion([{ text: "slow", weight: 1 }])).to.equal(null);
  });

  it("is not waited for after three failures in a row", async () => {
    const { meaning, state } = await search({ fails: true });
    for (const text of ["one", "two", "three"]) expect(await meaning.embedQuestion([{ text, weight: 1 }])).to.equal(null);
    state.fails = false;
    expect(await meaning.embedQuestion([{ text: "four", weight: 1 }])).to.equal(null);
  });

  it("is compared with titles, in deviations of unrelated texts; their vectors are made once for all who ask", async () => {
    const { meaning, asked } = await search();
    const titles = ["aabb", "zzzz"];
    const [one, other] = await Promise.all(["aabb", "bbaa"].map((question) => meaning.closeness(question, titles, "en-GB")));
    expect(one).to.deep.equal(other);
    expect(one?.[0])
      .to.be.greaterThan(0)
      .and.not.be.lessThan(one?.[1] ?? Number.NaN);
    expect(one?.[1]).to.equal(0);
    expect(asked().filter((text) => text === "zzzz")).to.have.length(1);
  });

  it("is not compared in a language that the model was not made for", async () => {
    const { meaning } = await search({}, ["en"]);
    expect(await meaning.closeness("ab", ["ab"], "en")).to.have.length(1);
    expect(await meaning.closeness("ab", ["ab"], "de")).to.equal(null);
  });

  it("is compared with nothing where titles take too long, fail, or are too many", async () => {
    const { meaning, state } = await search();
    expect(await meaning.closeness("ab", Array<string>(1_001).fill("ab"), "en")).to.equal(null);
    await meaning.embedQuestion([{ text: "ab", weight: 1 }]);
    state.delayMs = 300;
    expect(await meaning.closeness("ab", ["slow"], "en"), "slow").to.equal(null);
    // They are made to the end.
    while ((await meaning.closeness("ab", ["slow"], "en")) === null) await sleep(20);
    Object.assign(state, { fails: true, delayMs: 0 });
    expect(await meaning.closeness("ab", ["failing"], "en"), "fails").to.equal(null);
    expect(await meaning.embedQuestion([{ text: "ab", weight: 1 }]), "one failure").not.to.equal(null);
  });

  it("joins the parts by their weights", async () => {
    const { meaning } = await search();
    const [a, b] = [
      { text: "aaaa", weight: 1 },
      { text: "bbbb", weight: 0.5 },
    ];
    const question = await meaning.embedQuestion([a, b]);
    expect(question?.vector[0]).to.be.closeTo(1 / Math.hypot(1, 0.5), 1e-5);
    expect(question?.vector[1]).to.be.closeTo(0.5 / Math.hypot(1, 0.5), 1e-5);
  });
});

describe("a set of vectors", () => {
  it("refuses vectors of other dimensions", () => {
    const set = extended(null, ["a".repeat(22)], [new Float32Array(4).fill(0.5)]);
    expect(() => extended(set, ["b".repeat(22)], [new Float32Array(5)])).to.throw("expected vectors of 4 components");
    expect(encodeVectorSet(set).length).to.be.greaterThan(8);
  });
});
