import { isSameToken, type Token } from "./tokens.ts";
import { conditional, connective, contrary, isModal, isPronoun, negations, quantityOf, subordinating } from "./words.ts";

/** How a sentence differs from one of its source; `reworded` may be as true, everything else likely is not. */
export type Difference = "contrary" | "opposite" | "quantity" | "number" | "order" | "condition" | "foreign" | "partial" | "reworded";

export interface Comparison {
  /** `isSure`: also a free paraphrase would hardly differ so, unless it claims something else. */
  differences: { kind: Difference; words: [said: string, held: string]; isSure: boolean }[];
  /** The share of significant words that the source sentence has, 0 to 1. */
  coverage: number;
  /** The share of significant words that are the source's own, or stand in the place of one: its opposite, or another number. */
  closeness: number;
  /** The share of its words that follow each other in the source as they do here, three or more in a row, 0 to 1. */
  copied: number;
}

/** What a sentence is compared with. */
export interface Reference {
  tokens: readonly Token[];
  /** Words that its pronouns may refer to: of the heading and of the sentence before. */
  named: readonly Token[];
}

/** Compares a narrated sentence with one of a source. Pure. */
export function compareSentences(said: readonly Token[], { tokens: held, named }: Reference): Comparison {
  const { ofSaid, ofHeld } = aligned(said, held);
  const added = said.filter((_, index) => !ofSaid.has(index));
  const cut = cutFrom(held, ofHeld);
  const removed = held.filter((_, index) => !ofHeld.has(index) && !cut.has(index));
  const carrying = said.filter(isSignificant);
  const covered = carrying.filter((token) => held.some((other) => isSameToken(token, other))).length;
  const coverage = carrying.length === 0 ? 1 : covered / carrying.length;
  const differences: Comparison["differences"] = [];
  const differs = (kind: Difference, one = "", other = "", isSure = true) => differences.push({ kind, words: [one, other], isSure });

  const copied = copiedShare(said, held);
  // Other words in another order or number are what a paraphrase is made of.
  const isFollowed = coverage === 1 || copied >= copiedMostly;
  const opposed = added.flatMap((one) => {
    const other = removed.find((token) => contrary(one.text, token.text));
    return other ? [[one.text, other.text] as const] : [];
  });
  const [addedNot, removedNot] = [added, removed].map((tokens) => tokens.filter(({ kind }) => kind === "negation").length);
  const turns = (addedNot ?? 0) - (removedNot ?? 0);
  // "not invertible" for "singular": two negations cancel.
  const isTurnedTwice = Math.abs(turns) === 1 && opposed.length === 1 && !opposed[0]?.some((word) => negations.has(word));
  if (!isTurnedTwice) {
    if (turns !== 0 || ((addedNot ?? 0) > 0 && (removedNot ?? 0) > 0 && !isAlike(added, removed)))
      // Two negations may cancel: "if not A, then not B".
      differs("contrary", "", "", turns % 2 !== 0 && (isAnchored(said, ofSaid) || isAnchored(held, ofHeld)));
    for (const [one, other] of opposed) differs("opposite", one, other);
  }
  quantities(added, removed, (one, other, isSure = true) => differs("quantity", one, other, isSure && isFollowed));
  for (const { kind, text } of added)
    if (kind === "number" && !held.some((other) => other.kind === "number" && other.text === text)) differs("number", text);
  const numbers = (tokens: readonly Token[]) => tokens.filter(({ kind }) => kind === "number").length;
  const unplaced = Math.max(
    0,
    added.filter((one) => one.kind === "number" && !held.some((other) => isSameToken(one, other))).length - numbers(removed),
  );
  const moved = added.filter((one) => (isSignificant(one) || one.kind === "symbol") && removed.some((other) => isSameToken(one, other)));
  if (moved.length > 0) differs(isClauseMoved(said, held, ofSaid) ? "reworded" : "order", moved[0]?.text, "", isFollowed);
  const lost = condition(said, held, ofHeld, added);
  if (lost) differs("condition", "", lost);
  const stands = removed.some(({ text }) => isPronoun(text)) ? named : [];
  const opposites = new Set(opposed.map(([one]) => one));
  const foreign = added.filter(
    (one) => one.kind === "content" && !opposites.has(one.text) && ![...held, ...stands].some((other) => isSameToken(one, other)),
  );
  if (foreign.length > 0) {
    // One word in the place of another.
    const isSwapped = foreign.length === 1 && removed.filter(({ kind }) => kind === "content").length === 1;
    differs("foreign", foreign.map(({ text }) => text).join(", "), "", isSwapped || (foreign.length === 1 && isFollowed));
  }
  const whole = held.filter((token, index) => isSignificant(token) && !cut.has(index)).length;
  if (carrying.length > 0 && covered < whole * 0.5) differs("partial", "", "", false);
  const changed = [...added, ...removed].some((token) => isSignificant(token) || token.kind === "symbol" || token.kind === "quantity");
  if (differences.length === 0 && changed) differs("reworded");
  const strange = foreign.length + unplaced;
  const closeness = carrying.length === 0 ? 1 : 1 - strange / carrying.length;
  return { differences, coverage, closeness, copied };
}

/** The share of copied words from which on a sentence follows its source word by word. */
export const copiedMostly = 0.5;

/** Whether a negation that only one side has stands beside a word that both have. */
const isAnchored = (tokens: readonly Token[], kept: ReadonlySet<number>): boolean =>
  tokens.some(({ kind }, index) => {
    if (kind !== "negation" || kept.has(index)) return false;
    const after = tokens.findIndex((token, at) => at > index && isSignificant(token));
    const before = tokens.slice(0, index).findLastIndex(isSignificant);
    return kept.has(after === -1 ? before : after);
  });

/** Words in a row from which on they count as copied. */
const copiedRun = 3;

function copiedShare(said: readonly Token[], held: readonly Token[]): number {
  const copied = new Set<number>();
  for (const start of said.keys())
    for (const from of held.keys()) {
      let length = 0;
      for (; said[start + length] && held[from + length]; length += 1)
        if (!isSameToken(said[start + length] as Token, held[from + length] as Token)) break;
      if (length >= copiedRun && said.slice(start, start + length).some(isSignificant))
        for (let index = start; index < start + length; index += 1) copied.add(index);
    }
  return said.length === 0 ? 0 : copied.size / said.length;
}

export const isSignificant = ({ kind }: Token): boolean => kind === "content" || kind === "number";

/** Whether both have the same negations in other words and the same context. */
const isAlike = (added: readonly Token[], removed: readonly Token[]): boolean =>
  !added.some((one) => isSignificant(one) && removed.some((other) => isSameToken(one, other)));

function quantities(
  added: readonly Token[],
  removed: readonly Token[],
  differs: (one?: string, other?: string, isSure?: boolean) => void,
): void {
  const count = (tokens: readonly Token[], kind: string) => tokens.filter(({ text }) => quantityOf(text) === kind);
  for (const kind of ["all", "some", "only"] as const) {
    const more = count(added, kind);
    const less = count(removed, kind);
    if (more.length > less.length && kind !== "some") differs(more[0]?.text, removed.find(({ text }) => quantityOf(text) !== null)?.text);
    if (less.length > more.length && kind !== "all")
      differs(added.find(({ text }) => quantityOf(text) !== null)?.text, less[0]?.text, !less.every(({ text }) => isModal(text)));
  }
}

/** Longest common subsequence by weight: the tokens that both have in the same order. */
function aligned(said: readonly Token[], held: readonly Token[]): { ofSaid: ReadonlySet<number>; ofHeld: ReadonlySet<number> } {
  const width = held.length + 1;
  const best = new Float64Array((said.length + 1) * width);
  const at = (row: number, column: number): number => best[row * width + column] ?? 0;
  // Words that are adjacent on both sides belong together.
  const worth = (row: number, column: number): number => {
    const [next, after] = [said[row + 1], held[column + 1]];
    return Math.min(said[row]?.weight ?? 0, held[column]?.weight ?? 0) + (next && after && isSameToken(next, after) ? 0.2 : 0);
  };
  for (let row = said.length - 1; row >= 0; row -= 1)
    for (let column = held.length - 1; column >= 0; column -= 1) {
      const [one, other] = [said[row], held[column]] as [Token, Token];
      const taken = isSameToken(one, other) ? worth(row, column) + at(row + 1, column + 1) : 0;
      best[row * width + column] = Math.max(taken, at(row + 1, column), at(row, column + 1));
    }
  const ofSaid = new Set<number>();
  const ofHeld = new Set<number>();
  for (let row = 0, column = 0; row < said.length && column < held.length; ) {
    const [one, other] = [said[row], held[column]] as [Token, Token];
    if (isSameToken(one, other) && at(row, column) === worth(row, column) + at(row + 1, column + 1)) {
      ofSaid.add(row);
      ofHeld.add(column);
      row += 1;
      column += 1;
    } else if (at(row, column) === at(row + 1, column)) row += 1;
    else column += 1;
  }
  return { ofSaid, ofHeld };
}

/** What a narration may leave out: whole clauses between punctuation, and connectives. */
function cutFrom(held: readonly Token[], kept: ReadonlySet<number>): ReadonlySet<number> {
  const cut = new Set<number>();
  for (let from = 0; from < held.length; from += 1) {
    if (kept.has(from)) continue;
    let to = from;
    while (to + 1 < held.length && !kept.has(to + 1)) to += 1;
    const run = held.slice(from, to + 1);
    const begins = from === 0 || held[from]?.opens;
    const ends = to === held.length - 1 || held[to + 1]?.opens;
    // "…, and the map cannot be undone": what joins a clause to the one before goes with that.
    const tail = held.slice(run.findLastIndex(({ opens }, index) => opens || from + index === 0) + from, to + 1);
    const isWayIn = connective.test(tail.map(({ text }) => text).join(" "));
    // "It is wrong to think that, …": what is cut off in front may turn the rest round.
    const denies =
      from === 0 &&
      run.some(({ kind, text }) => kind === "negation" || /^(?:wrong|false|mistake|myth|falsch|fehler|irrtum|خطأ|خاطئ)$/.test(text));
    if (begins && (ends || isWayIn) && !denies) for (let index = from; index <= to; index += 1) cut.add(index);
    from = to;
  }
  return cut;
}

/** The first words of a condition that was left out. */
function condition(said: readonly Token[], held: readonly Token[], kept: ReadonlySet<number>, added: readonly Token[]): string | null {
  for (const [index, { opens }] of held.entries()) {
    if (kept.has(index) || (index > 0 && !kept.has(index - 1) && !opens)) continue;
    const rest = held.slice(index);
    const words = rest.slice(0, 5).map(({ text }) => text);
    const holds = rest.find(isSignificant);
    const ends = rest.findIndex((token, at) => at > 0 && token.opens);
    const clause = rest.slice(0, ends === -1 ? rest.length : ends).filter(isSignificant);
    // Said in other words, a condition keeps some of its own.
    if (clause.filter((one) => said.some((other) => isSameToken(one, other))).length >= 2) continue;
    if (conditional.test(words.join(" ")) && !(holds && added.some((one) => isSameToken(one, holds)))) return words.join(" ");
  }
  return null;
}

/** Whether what stands elsewhere is a whole clause: three words or more that follow each other on both sides. */
function isClauseMoved(said: readonly Token[], held: readonly Token[], ofSaid: ReadonlySet<number>): boolean {
  const run = said.flatMap((token, index) => (!ofSaid.has(index) && held.some((other) => isSameToken(token, other)) ? index : []));
  const [first = 0] = run;
  const last = run.at(-1) ?? 0;
  const between = said.slice(first, last + 1);
  if (between.filter(isSignificant).length < 2 || between.some((token, index) => isSignificant(token) && ofSaid.has(first + index)))
    return false;
  const words = between.filter((token) => isSignificant(token) || token.kind === "negation");
  // In its source it has to be a clause, too: "not A rather than B" is another thing than "not B rather than A".
  return held.some((token, start) => {
    if (!words[0] || !isSameToken(words[0], token)) return false;
    const rest = held.slice(start).filter((one) => isSignificant(one) || one.kind === "negation");
    const before = held.slice(Math.max(0, start - 2), start + 1);
    const isClause = start < 3 || before.some(({ opens, text }) => opens || subordinating.test(text));
    return isClause && words.every((word, step) => rest[step] && isSameToken(word, rest[step] as Token));
  });
}
