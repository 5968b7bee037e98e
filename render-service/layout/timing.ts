import { type Speech, saidWords } from "@colloquy/schemas/explainers/timing.ts";

/** A word as it is compared with others, and when it is spoken, in milliseconds of the scene. */
export interface SpokenWord {
  stem: string;
  at: number;
}

/** A thing comes a little before its word, so that the eye is there when the ear is. */
const leadMs = 200;
/** So long the last thing of a scene is to be seen at least. */
const restMs = 900;
/** Things that come one after the other are told apart by at least so much. */
const gapMs = 260;
/** The first thing comes at the latest so long after the narration began. */
const emptyMs = 500;

/** The words of a text as they are compared: without case, accents and the Arabic article. */
export const wordsIn = (text: string): string[] =>
  (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) =>
    word
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "")
      .replace(/^ال(?=\p{L}{3})/u, ""),
  );

/** Words are the same when one begins with the other, or long ones begin alike: inflections should not hide them. */
export function sameWord(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short === long) return true;
  if (short.length < 4 || long.length - short.length > 3) return false;
  const begin = short.length < 6 ? short.length : Math.max(5, long.length - 3);
  return long.slice(0, begin) === short.slice(0, begin);
}

/** When each word is spoken. */
export const spokenWords = (narration: string, speech: Speech): SpokenWord[] =>
  saidWords(narration, speech).flatMap(({ text, ms }) => wordsIn(text).map((stem) => ({ stem, at: ms })));

/** How well a label fits each place of the narration: how many of its words come soon from there on. */
function fits(label: string, words: readonly SpokenWord[]): number[] {
  const all = [...new Set(wordsIn(label))];
  const telling = all.some((word) => word.length > 3) ? all.filter((word) => word.length > 3) : all;
  return words.map(({ stem }, index) => {
    if (!telling.some((word) => sameWord(word, stem))) return 0;
    const near = words.slice(index, index + telling.length * 2 + 2);
    return telling.filter((word) => near.some((candidate) => sameWord(word, candidate.stem))).length;
  });
}

/** For each label the place where it is spoken of, or none, so that places follow one another and as many words as can be are met. */
function placesOf(labels: readonly string[], words: readonly SpokenWord[]): (number | undefined)[] {
  // best[i][j]: the most words met by the labels from i on, in the narration from j on.
  const scores = labels.map((label) => fits(label, words));
  const best: number[][] = [...labels, ""].map(() => Array.from({ length: words.length + 1 }, () => 0));
  const at = (label: number, word: number) => best[label]?.[word] ?? 0;
  const taken = (label: number, word: number) => (scores[label]?.[word] ?? 0) + at(label + 1, word + 1);
  for (let label = labels.length - 1; label >= 0; label--) {
    for (let word = words.length; word >= 0; word--) {
      const here = (scores[label]?.[word] ?? 0) > 0 ? taken(label, word) : 0;
      const row = best[label];
      if (row) row[word] = Math.max(here, word < words.length ? at(label, word + 1) : 0, at(label + 1, word));
    }
  }
  let from = 0;
  return labels.map((_, label) => {
    for (let word = from; word < words.length; word++) {
      if ((scores[label]?.[word] ?? 0) > 0 && taken(label, word) === at(label, from)) {
        from = word + 1;
        return word;
      }
    }
    return undefined;
  });
}

/** When words of the narration are spoken, in milliseconds, a little early; undefined where they are not in it. Pure. */
export function spokenAt(cue: string, { narration, speech, durationMs }: Order): number | undefined {
  const at = narration.indexOf(cue);
  if (at < 0) return undefined;
  const word = saidWords(narration, speech).find((word) => word.at + word.text.length > at);
  return early(word?.ms ?? speech.to, durationMs);
}

/** When a map's matrix comes beside a plane: at the map's cue, or when its name is said before. Pure. */
export function matrixAt(cueMs: number, name: string, { narration, speech, durationMs }: Order): number {
  const said = saidWords(narration, speech).find(({ text, at }) => text === name && !isArticle(text, narration.slice(0, at)));
  return said ? Math.min(cueMs, early(said.ms, durationMs)) : cueMs;
}

/** An article at the beginning of a sentence has the form of the name "A". */
const isArticle = (word: string, before: string): boolean => word === "A" && /(?:^|[.!?])\s*$/.test(before);

const early = (ms: number, durationMs: number): number => Math.round(Math.max(0, Math.min(ms - leadMs, durationMs - restMs)));

interface Order {
  narration: string;
  speech: Speech;
  durationMs: number;
}

/**
 * When each of several labels is to come, in milliseconds: when the narration speaks of it; those it never names come evenly between
 * their neighbours. They come in their order, and early enough to be read. Pure.
 */
export function reveals(labels: readonly string[], { narration, speech, durationMs }: Order): number[] {
  const words = spokenWords(narration, speech);
  const last = Math.max(0, Math.min(speech.to, durationMs - restMs));
  const found = placesOf(labels, words).map((place) => {
    const at = place === undefined ? undefined : words[place]?.at;
    return at === undefined ? undefined : Math.min(last, Math.max(0, at - leadMs));
  });
  const times = found.map((at, index) => {
    if (at !== undefined) return at;
    let before = index - 1;
    while (before >= 0 && found[before] === undefined) before -= 1;
    let next = index + 1;
    while (next < found.length && found[next] === undefined) next += 1;
    const from = before < 0 ? speech.from - ((last - speech.from) / (labels.length + 1)) * 0.5 : (found[before] ?? 0);
    const to = found[next] ?? last + (last - from) / (next - before);
    return from + ((to - from) * (index - before)) / (next - before);
  });
  // A picture does not stay empty, whatever is said first.
  return spaced(
    times.map((at, index) => (index === 0 ? Math.min(at, speech.from + emptyMs) : at)),
    last,
  );
}

/** The same times with a gap between each and the next, none after `last`. */
function spaced(times: readonly number[], last: number): number[] {
  const gap = Math.min(gapMs, last / Math.max(1, times.length));
  const forward: number[] = [];
  for (const at of times) forward.push(Math.max(at, (forward.at(-1) ?? -gap) + gap));
  for (let index = forward.length - 1, latest = last; index >= 0; index--, latest -= gap) {
    forward[index] = Math.max(0, Math.min(forward[index] ?? 0, latest));
  }
  return forward.map(Math.round);
}
