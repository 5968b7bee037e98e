import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { HistoryIndex, termsOf } from "@colloquy/ui/store/history-index.ts";
import MiniSearch from "minisearch";
import { type Benchmark, milliseconds, percentile, times } from "../benchmark.ts";

const conversations = 10_000;
const wordsEach = 160;
const vocabulary = 40_000;
const boundMs = 30;

/** The same numbers in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const random = randomOf(7);
const syllables = ["ka", "lo", "mi", "ren", "tu", "sha", "pi", "vor", "en", "dal", "qui", "bo", "ste", "ur", "ine", "gra"];
const words = Array.from({ length: vocabulary }, (_, rank) => {
  let rest = rank + 17;
  let word = "";
  for (; rest > 0; rest = Math.floor(rest / syllables.length)) word += syllables[rest % syllables.length];
  return word;
});
/** Few words are frequent, most are rare (Zipf). */
const anyWord = (): string => words[Math.floor(vocabulary ** random()) - 1] ?? "ka";

/** Searching ten thousand conversations as one types; beside it MiniSearch over the same words and titles. */
export function search(): Benchmark["rows"] {
  const texts = Array.from({ length: conversations }, () =>
    [...new Set(Array.from({ length: wordsEach * 2 }, anyWord))].slice(0, wordsEach).join(" "),
  );
  const summaries = texts.map<ConversationSummary>((text, index) => ({
    conversationId: `conversation-${index}`,
    title: text.split(" ").slice(0, 6).join(" "),
    mode: "ask",
    state: "active",
    pinned: false,
    updatedAt: new Date(1_780_000_000_000 - index * 60_000).toISOString(),
    turns: 10,
  }));
  // What somebody writes, letter by letter: one word and the beginning of another.
  const queries = Array.from({ length: 40 }, () => `${anyWord()} ${anyWord()}`).flatMap((query) =>
    Array.from({ length: query.length }, (_, length) => query.slice(0, length + 1)),
  );
  const timed = (work: (query: string) => unknown): number[] =>
    queries.map((query) => {
      const began = performance.now();
      work(query);
      return performance.now() - began;
    });

  const before = memory();
  const began = performance.now();
  const index = new HistoryIndex();
  for (const [number, text] of texts.entries()) index.set(`conversation-${number}`, text);
  index.search(["warm"], summaries);
  const built = performance.now() - began;
  const held = memory() - before;
  const ours = timed((query) => index.search(termsOf(query), summaries));

  const beforeBaseline = memory();
  const beganBaseline = performance.now();
  const mini = new MiniSearch<{ id: number; title: string; text: string }>({ fields: ["title", "text"] });
  mini.addAll(texts.map((text, id) => ({ id, title: summaries[id]?.title ?? "", text })));
  const builtBaseline = performance.now() - beganBaseline;
  const heldBaseline = memory() - beforeBaseline;
  const theirs = timed((query) => mini.search(query, { prefix: true, combineWith: "AND", boost: { title: 6 } }));

  const p95 = percentile(ours, 0.95);
  const row = (what: string, value: number, baseline: number) => ({
    what,
    value: milliseconds(value),
    baseline: milliseconds(baseline),
    ratio: times(value / baseline),
  });
  return [
    row(
      `search of 10,000 conversations at each letter, p95 (bound ${boundMs} ms: ${p95 <= boundMs ? "holds" : "is broken"}; baseline: MiniSearch)`,
      p95,
      percentile(theirs, 0.95),
    ),
    row("the same, median", percentile(ours, 0.5), percentile(theirs, 0.5)),
    row("its index built from the words that are kept", built, builtBaseline),
    { what: "its index in memory", value: megabytes(held), baseline: megabytes(heldBaseline), ratio: times(held / heldBaseline) },
  ];
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function memory(): number {
  collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;
