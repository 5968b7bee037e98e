import SearchableMap from "minisearch/SearchableMap";
import { type Field, fields, inverseDocumentFrequency, type TermCounts, weights } from "./scoring.ts";

/** The occurrences of one term: pairs of a slot and its packed counts, so that 50,000 passages need no objects of their own. */
interface Term {
  postings: number[];
  /** Slots with the term in their heading or text. */
  documents: number;
}

/** An inverted index over passages, which are numbered by slots. */
export interface TermIndex {
  add(slot: number, counted: TermCounts): void;
  remove(slot: number, counted: TermCounts): void;
  /** How many passages contain a term in their heading or text. */
  documentFrequency(term: string): number;
  meanLength(field: Field): number;
  readonly passages: number;
  /** Terms of headings and texts with a similar spelling. */
  similar(term: string): string[];
  /**
   * The slots with the highest scores for some terms, by BM25F alone.
   * @param shares the weight of each term
   * @param priors the weight of each slot, 0 to leave it out
   */
  best(shares: ReadonlyMap<string, number>, priors: Float32Array, count: number): number[];
}

/** Bits of a packed count by field, 31 in all: a small integer. */
const bits: Record<Field, number> = { title: 4, heading: 6, text: 11, nearby: 10 };
/** Occurrences read for one search, at most: the most frequent terms are left out first. They decide least. */
const maxRead = 200_000;
/** Share of a word's letters that may differ in a similar spelling, and letters at most. The first letter is the same. */
const misspelling = { share: 0.2, letters: 2 };

export function createTermIndex(): TermIndex {
  const dictionary = new SearchableMap<Term>();
  const totals: Record<Field, number> = { title: 0, heading: 0, text: 0, nearby: 0 };
  let lengths = new Uint16Array(0);
  let scores = new Float32Array(0);
  let passages = 0;

  function reserve(slots: number): void {
    if (scores.length >= slots) return;
    const size = Math.max(1024, slots, scores.length * 2);
    const longer = new Uint16Array(size * fields.length);
    longer.set(lengths);
    lengths = longer;
    scores = new Float32Array(size);
  }

  function pack(term: string, counted: TermCounts): number {
    let packed = 0;
    for (const field of fields) {
      const most = 2 ** bits[field] - 1;
      packed = packed * 2 ** bits[field] + Math.min(counted.fields[field].get(term) ?? 0, most);
    }
    return packed;
  }
  const termsOf = (counted: TermCounts): Set<string> => new Set(fields.flatMap((field) => [...counted.fields[field].keys()]));
  const names = (counted: TermCounts, term: string): boolean => counted.fields.heading.has(term) || counted.fields.text.has(term);
  const documentFrequency = (term: string): number => dictionary.get(term)?.documents ?? 0;

  return {
    add(slot, counted) {
      reserve(slot + 1);
      passages += 1;
      for (const [at, field] of fields.entries()) {
        totals[field] += counted.lengths[field];
        lengths[slot * fields.length + at] = counted.lengths[field];
      }
      for (const term of termsOf(counted)) {
        let known = dictionary.get(term);
        if (!known) {
          known = { postings: [], documents: 0 };
          dictionary.set(term, known);
        }
        known.postings.push(slot, pack(term, counted));
        if (names(counted, term)) known.documents += 1;
      }
    },

    remove(slot, counted) {
      passages -= 1;
      for (const field of fields) totals[field] -= counted.lengths[field];
      for (const term of termsOf(counted)) {
        const known = dictionary.get(term);
        if (!known) continue;
        if (names(counted, term)) known.documents -= 1;
        const { postings } = known;
        for (let at = 0; at < postings.length; at += 2)
          if (postings[at] === slot) {
            const [lastSlot = 0, lastCounts = 0] = postings.slice(-2);
            postings[at] = lastSlot;
            postings[at + 1] = lastCounts;
            postings.length -= 2;
            break;
          }
        if (postings.length === 0) dictionary.delete(term);
      }
    },

    documentFrequency,
    meanLength: (field) => totals[field] / passages,
    get passages() {
      return passages;
    },

    similar(term) {
      const distance = Math.min(misspelling.letters, Math.round(term.length * misspelling.share));
      if (distance === 0) return [];
      const [first = ""] = term;
      const near = dictionary.atPrefix(first).fuzzyGet(term.slice(first.length), distance);
      return [...near].flatMap(([rest, [known]]) => (known.documents > 0 && first + rest !== term ? [first + rest] : []));
    },

    best(shares, priors, count) {
      const rarestFirst = [...shares]
        .flatMap(([term, share]) => {
          const known = dictionary.get(term);
          return known ? [{ share, ...known }] : [];
        })
        .sort((a, b) => a.postings.length - b.postings.length);
      const [titleMean, headingMean, textMean, nearbyMean] = fields.map((field) => totals[field] / passages || 1) as [
        number,
        number,
        number,
        number,
      ];
      const { fields: weight, lengths: b, k1 } = weights;
      const touched: number[] = [];
      let read = 0;
      for (const { share, postings, documents } of rarestFirst) {
        read += postings.length / 2;
        if (read > maxRead && touched.length > 0) break;
        const factor = share * inverseDocumentFrequency(documents, passages) * (k1 + 1);
        for (let at = 0; at < postings.length; at += 2) {
          const slot = postings[at] as number;
          const packed = postings[at + 1] as number;
          if (priors[slot] === 0) continue;
          const title = packed >>> 27;
          const heading = (packed >>> 21) & 63;
          const text = (packed >>> 10) & 2047;
          const nearby = packed & 1023;
          const place = slot * 4;
          let frequency = 0;
          if (title > 0) frequency += (weight.title * title) / (1 - b.title + (b.title * (lengths[place] as number)) / titleMean);
          if (heading > 0)
            frequency += (weight.heading * heading) / (1 - b.heading + (b.heading * (lengths[place + 1] as number)) / headingMean);
          if (text > 0) frequency += (weight.text * text) / (1 - b.text + (b.text * (lengths[place + 2] as number)) / textMean);
          if (nearby > 0) frequency += (weight.nearby * nearby) / (1 - b.nearby + (b.nearby * (lengths[place + 3] as number)) / nearbyMean);
          if (scores[slot] === 0) touched.push(slot);
          scores[slot] = (scores[slot] as number) + (factor * frequency) / (frequency + k1);
        }
      }
      const found = bestOf(touched, (slot) => (scores[slot] as number) * (priors[slot] as number), count);
      for (const slot of touched) scores[slot] = 0;
      return found;
    },
  };
}

/** The slots with the highest values above 0, highest first; equal values in the order of slots. */
export function bestOf(slots: readonly number[], worthOf: (slot: number) => number, count: number): number[] {
  const heap: { slot: number; value: number }[] = [];
  const isWorse = (a: { slot: number; value: number }, b: { slot: number; value: number }): boolean =>
    a.value < b.value || (a.value === b.value && a.slot > b.slot);
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        const [one, other] = [heap[child], heap[worst]];
        if (one && other && isWorse(one, other)) worst = child;
      }
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst] as (typeof heap)[number], heap[at] as (typeof heap)[number]];
      at = worst;
    }
  };
  for (const slot of slots) {
    const value = worthOf(slot);
    if (!(value > 0)) continue;
    const candidate = { slot, value };
    if (heap.length < count) {
      heap.push(candidate);
      if (heap.length === count) for (let at = count >> 1; at >= 0; at -= 1) sink(at);
    } else if (heap[0] && isWorse(heap[0], candidate)) {
      heap[0] = candidate;
      sink(0);
    }
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1)).map(({ slot }) => slot);
}
