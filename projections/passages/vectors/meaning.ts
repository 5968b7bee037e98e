import { setTimeout as sleep } from "node:timers/promises";
import { Backoff } from "@colloquy/infra/backoff.ts";
import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { type Embedder, EmbeddingsUnavailable } from "@colloquy/infra/embeddings/embedder.ts";
import { courseKeys, readActiveEmbeddings } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { gaugeOnScrape } from "@colloquy/infra/telemetry/metrics.ts";
import { activeEmbeddings, type SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import type { SearchProgress } from "@colloquy/schemas/health.ts";
import type { WeightedQuery } from "../passage-index.ts";
import { type Noise, noiseOf, type QuestionVector, weightedVector } from "./question.ts";
import { decodeVectorSet, encodeVectorSet, extended, type TextGroup, textGroups, type VectorSet, vectorsByPassage } from "./vector-set.ts";
import type { QuantizedVector, VectorOrigin } from "./vector-table.ts";

/** What the vectors are for: the live revisions of a passage library. */
export interface VectorTarget {
  liveIndexes(): Promise<readonly SearchIndex[]>;
  /** @param vectors by passage id */
  setVectors(
    revision: Pick<SearchIndex, "courseId" | "revisionId" | "language">,
    made: VectorOrigin,
    vectors: ReadonlyMap<string, QuantizedVector>,
  ): void;
  clearVectors(): void;
}

export interface MeaningSearch {
  /** The vector of what is searched for, within a bounded time; null if the search has to do with words. Never rejects. */
  embedQuestion(parts: readonly WeightedQuery[]): Promise<QuestionVector | null>;
  /**
   * How close titles are to a question: 0 as unrelated texts are, 1 by ten of their standard deviations. Within a bounded time; null if the
   * search has to do with words, for a language that the model was not made for, and for more than `mostTitles`. Never rejects.
   */
  closeness(question: string, titles: readonly string[], language: string): Promise<readonly number[] | null>;
  /** Loads and makes the vectors of live revisions, now and after publications, until the signal. */
  keepVectors(target: VectorTarget, signal: AbortSignal): Promise<void>;
  /** Loads what the next question needs, so that it does not wait for that. Never rejects. */
  prepare(): Promise<void>;
  progress(): SearchProgress;
}

interface Options {
  objectStore: Pick<ObjectStore, "get" | "put" | "list" | "remove">;
  /** The configured model. */
  embedder: Embedder;
  /** An earlier model, if this process can still ask it: searched with until the vectors of the configured one are complete. */
  earlier?: (model: Pick<Embedder, "key" | "name">) => Embedder | null;
  /** Vectors that ship with the program, of the model with a key. */
  shipped?: (key: string) => Promise<VectorSet | null>;
  /** How long a search waits for the vector of its question (ms). */
  questionMs: number;
  /** How often publications are looked for (ms). */
  pollMs?: number;
  log: Pick<Logger, "warn" | "info">;
}

/** Vectors of questions that are kept, because one question is often searched several times. */
const keptQuestions = 200;
/** Lists of titles whose vectors are kept, and titles of one list: of 1,000 the vectors take 1.5 MB. */
const keptLists = 20;
const mostTitles = 1_000;
/** Titles are waited for this many times as long as a question; then their vectors are made to the end for the next one, within `titlesMs`. */
const titleWaits = 3;
const titlesMs = 60_000;
/** Standard deviations of the closeness of unrelated texts that make a title close. */
const closeDeviations = 10;
/** Failures in a row after which questions are not embedded for a while (ms), so that searches do not wait for nothing. */
const breaker = { failures: 3, pauseMs: 30_000 };
/** Texts embedded between two pauses. */
const batchTexts = 8;
/** Sets of earlier revisions of a topic in which known vectors are looked for. */
const earlierSets = 8;

/** Of a language tag: `en` of `en-GB`. */
const baseOf = (tag: string): string => tag.split("-", 1)[0] ?? tag;

/** Search by meaning: embeds questions, and keeps the vectors of the live revisions in the object store. */
export function meaningSearch(options: Options): MeaningSearch {
  const { objectStore, embedder: configured, log, questionMs, pollMs = 3_000 } = options;
  const questions = boundedCache<Float32Array>(keptQuestions);
  const titleVectors = boundedCache<Float32Array[]>(keptLists);
  /** Whether any passage has a vector: before, questions need none. */
  let searchable = false;
  let active: { embedder: Embedder; noise: Noise } | null = null;
  let failures = 0;
  let pausedUntil = 0;
  let progress: SearchProgress = { passages: 0, embedded: 0, current: false };

  const groupsOf = new WeakMap<SearchIndex, Promise<TextGroup[]>>();
  /** Groups whose vectors are set, by the index and with the active model. */
  let attached = new WeakMap<SearchIndex, Set<string>>();

  function groups(index: SearchIndex): Promise<TextGroup[]> {
    const known = groupsOf.get(index) ?? textGroups(index);
    groupsOf.set(index, known);
    return known;
  }

  async function readSet(key: string): Promise<VectorSet | null> {
    const found = await objectStore.get(key);
    if (!found) return null;
    try {
      return decodeVectorSet(found.bytes);
    } catch (error) {
      log.warn({ err: error, key }, "stored vectors cannot be read; they are made again");
      await objectStore.remove(key);
      return null;
    }
  }

  /** Vectors of wanted texts that are known from the program itself and from earlier revisions of the topic. */
  async function knownVectors(courseId: string, model: string, { topic, texts }: TextGroup): Promise<VectorSet | null> {
    let known: VectorSet | null = null;
    const take = (set: VectorSet | null): boolean => {
      if (set && (known === null || known.dimensions === set.dimensions)) {
        const more = [...set.vectors].filter(([digest]) => texts.has(digest));
        known = { dimensions: set.dimensions, vectors: new Map([...(known?.vectors ?? []), ...more]) };
      }
      return known?.vectors.size === texts.size;
    };
    if (take((await options.shipped?.(model)) ?? null)) return known;
    let read = 0;
    for await (const key of objectStore.list(courseKeys.vectors(courseId, model, topic, ""))) {
      read += 1;
      if (read > earlierSets || take(await readSet(key))) break;
    }
    return known;
  }

  /** Makes and stores the vectors of a group. Only texts that are new are embedded. */
  async function make(courseId: string, group: TextGroup, signal: AbortSignal): Promise<VectorSet> {
    const model = configured.key;
    let set = await knownVectors(courseId, model, group);
    const missing = [...group.texts].filter(([digest]) => !set?.vectors.has(digest));
    for (let from = 0; from < missing.length; from += batchTexts) {
      const part = missing.slice(from, from + batchTexts);
      const began = performance.now();
      const vectors = await configured.embed(
        part.map(([, { text }]) => text),
        { purpose: "passage", signal },
      );
      set = extended(
        set,
        part.map(([digest]) => digest),
        vectors,
      );
      // As long a pause as the work took, so that requests have a processor.
      await sleep(performance.now() - began, undefined, { signal });
    }
    if (!set) throw new Error("a group of texts is empty");
    await objectStore.put(courseKeys.vectors(courseId, model, group.topic, group.name), encodeVectorSet(set), { ifNoneMatch: true });
    return set;
  }

  /** The model that questions are embedded with at first: the one that all vectors were last complete for, if it can be asked. */
  async function firstActive(): Promise<Embedder> {
    const last = await readActiveEmbeddings(objectStore).catch(() => null);
    if (last === null || last.key === configured.key) return configured;
    return options.earlier?.(last) ?? configured;
  }

  async function activate(embedder: Embedder): Promise<void> {
    active = { embedder, noise: await noiseOf(embedder) };
    attached = new WeakMap();
    searchable = false;
    failures = 0;
    pausedUntil = 0;
  }

  function attach(target: VectorTarget, index: SearchIndex, group: TextGroup, model: string, set: VectorSet): void {
    target.setVectors(index, { model, dimensions: set.dimensions }, vectorsByPassage(group.texts, set));
    const topics = attached.get(index) ?? new Set();
    attached.set(index, topics.add(group.topic));
    searchable = true;
  }

  /** Sets the vectors of a model that are stored. @returns the groups without any */
  async function attachStored(target: VectorTarget, indexes: readonly SearchIndex[], model: string) {
    const missing: { index: SearchIndex; group: TextGroup }[] = [];
    for (const index of indexes)
      for (const group of await groups(index)) {
        if (attached.get(index)?.has(group.topic)) continue;
        const set = await readSet(courseKeys.vectors(index.courseId, model, group.topic, group.name));
        if (set) attach(target, index, group, model, set);
        else missing.push({ index, group });
      }
    return missing;
  }

  /** Of the configured model, while another one is active. */
  async function missingOfConfigured(indexes: readonly SearchIndex[]) {
    const missing: { index: SearchIndex; group: TextGroup }[] = [];
    for (const index of indexes) {
      const prefix = courseKeys.vectors(index.courseId, configured.key, "", "").slice(0, -1);
      const stored = new Set(await Array.fromAsync(objectStore.list(prefix)));
      for (const group of await groups(index))
        if (!stored.has(courseKeys.vectors(index.courseId, configured.key, group.topic, group.name))) missing.push({ index, group });
    }
    return missing;
  }

  async function pass(target: VectorTarget, signal: AbortSignal): Promise<void> {
    if (!active) await activate(await firstActive());
    const indexes = await target.liveIndexes();
    const without = await attachStored(target, indexes, active?.embedder.key ?? configured.key);
    const isCurrent = active?.embedder === configured;
    const missing = isCurrent ? without : await missingOfConfigured(indexes);
    let passages = 0;
    for (const index of indexes) for (const { texts } of await groups(index)) passages += texts.size;
    let embedded = passages - missing.reduce((sum, { group }) => sum + group.texts.size, 0);
    progress = { passages, embedded, current: isCurrent };
    for (const { index, group } of missing) {
      const set = await make(index.courseId, group, signal);
      if (isCurrent) attach(target, index, group, configured.key, set);
      embedded += group.texts.size;
      progress = { passages, embedded, current: isCurrent };
    }
    if (!isCurrent) {
      await activate(configured);
      target.clearVectors();
      await attachStored(target, indexes, configured.key);
      progress = { passages, embedded, current: true };
      log.info({ model: configured.key }, "searches use the vectors of the configured model now");
    }
    if (passages > 0) await recordActive();
  }

  let recorded: string | null = null;
  async function recordActive(): Promise<void> {
    if (recorded === configured.key) return;
    const bytes = new TextEncoder().encode(
      JSON.stringify(activeEmbeddings.parse({ schemaVersion: 1, key: configured.key, name: configured.name })),
    );
    await objectStore.put(courseKeys.embeddings, bytes);
    recorded = configured.key;
  }

  function countFailure(error: unknown, model: string): void {
    failures += 1;
    if (failures < breaker.failures) return;
    failures = 0;
    pausedUntil = performance.now() + breaker.pauseMs;
    log.warn({ err: error, model }, "questions cannot be embedded; searches use words only for a while");
  }

  /** The vectors of titles, made once for all who ask for them. */
  const vectorsOfTitles = ({ embedder }: { embedder: Embedder }, titles: readonly string[]): Promise<Float32Array[]> =>
    titleVectors([embedder.key, ...titles].join("\n"), async () => {
      const signal = AbortSignal.timeout(titlesMs);
      const vectors: Float32Array[] = [];
      try {
        for (let from = 0; from < titles.length; from += batchTexts)
          vectors.push(...(await embedder.embed(titles.slice(from, from + batchTexts), { purpose: "question", signal })));
      } catch (error) {
        countFailure(error, embedder.key);
        throw error;
      }
      return vectors;
    });

  const search: MeaningSearch = {
    async embedQuestion(parts) {
      if (!active || !searchable || performance.now() < pausedUntil) return null;
      const { embedder, noise } = active;
      const late = AbortSignal.timeout(questionMs);
      try {
        const vectors = await Promise.all(
          parts.map(async ({ text, weight }) => ({
            weight,
            vector: await questions(`${embedder.key}\n${text}`, async () => {
              const [vector] = await embedder.embed([text], { purpose: "question", signal: late });
              if (!vector) throw new EmbeddingsUnavailable("no vector");
              return vector;
            }),
          })),
        );
        failures = 0;
        return { model: embedder.key, vector: weightedVector(vectors), noise };
      } catch (error) {
        countFailure(error, embedder.key);
        return null;
      }
    },

    async closeness(question, titles, language) {
      const asked = await search.embedQuestion([{ text: question, weight: 1 }]);
      if (!asked || active?.embedder.key !== asked.model || titles.length > mostTitles) return null;
      const { languages = [language] } = active.embedder;
      if (!languages.some((one) => baseOf(one) === baseOf(language))) return null;
      const made = vectorsOfTitles(active, titles).catch(() => null);
      const vectors = await Promise.race([made, sleep(titleWaits * questionMs, null, { ref: false })]);
      const { mean, deviation } = asked.noise;
      const cosineTo = (vector: Float32Array) => asked.vector.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
      return vectors?.map((vector) => Math.max(0, (cosineTo(vector) - mean) / (closeDeviations * deviation))) ?? null;
    },

    async keepVectors(target, signal) {
      const backoff = new Backoff({ firstMs: 5_000, longestMs: 300_000 });
      while (!signal.aborted) {
        try {
          await pass(target, signal);
          backoff.reset();
          await sleep(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
        } catch (error) {
          if (signal.aborted) return;
          log.warn({ err: error, model: configured.key }, "vectors of courses cannot be made; searches use words until they are there");
          await backoff.pause(signal);
        }
      }
    },

    async prepare() {
      if (searchable) await active?.embedder.warmUp?.().catch(() => undefined);
    },

    progress: () => progress,
  };
  return search;
}

/** Counts passages with and without a vector for search by meaning. */
export function measureVectors(progress: () => { passages: number; embedded: number }): void {
  const help = "Different texts of passages, by whether they have a vector of the configured model";
  gaugeOnScrape("colloquy_passage_vectors", help, ["state"], () => {
    const { passages, embedded } = progress();
    return [
      { labels: { state: "embedded" }, value: embedded },
      { labels: { state: "waiting" }, value: passages - embedded },
    ];
  });
}
