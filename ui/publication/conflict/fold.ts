import { type Piece, wordDifference } from "./word-difference.ts";

/** Collapsed unchanged lines. */
export interface Fold {
  kind: "fold";
  text: string;
  lines: number;
}

/** Marks the first change, at the same place in each version. */
export interface FirstChange {
  kind: "first";
}

export type Shown = Piece | Fold | FirstChange;

/** Lines shown around a change. */
const context = 2;
/** Fewest rows to collapse, and characters per row when three versions are side by side. */
const leastRows = 4;
const rowLength = 40;

/** A value for each of the three versions; null if a version has no text. */
export interface Versions<Of> {
  base: Of | null;
  live: Of | null;
  draft: Of | null;
}

interface Stretch {
  from: number;
  to: number;
}

/**
 * Diffs two versions of a text against their base for a side-by-side view. Lines far from any change are collapsed, the same lines in each.
 */
export function foldedVersions({ base, live, draft }: Versions<string>): Versions<Shown[]> {
  const compare = (text: string | null): Piece[] | null => (text === null ? null : wordDifference(base ?? text, text));
  const sides = { base: compare(base), live: compare(live), draft: compare(draft) };
  const changes = base === null ? [] : [sides.live, sides.draft].flatMap((pieces) => changesOf(pieces ?? []));
  const first = Math.min(...changes.map(({ from }) => from));
  const folds = changes.length ? foldsOf(base ?? "", changes) : [];
  const shown = (pieces: Piece[] | null): Shown[] | null => pieces && shownOf(pieces, folds, first);
  return { base: shown(sides.base), live: shown(sides.live), draft: shown(sides.draft) };
}

/** The ranges of the base that a version changed. */
function changesOf(pieces: readonly Piece[]): Stretch[] {
  let at = 0;
  return pieces.flatMap(({ kind, text }) => {
    const from = at;
    if (kind !== "added") at += text.length;
    return kind === "same" ? [] : [{ from, to: at }];
  });
}

/** The ranges of whole lines that are far enough from every change, and long enough, to collapse. */
function foldsOf(base: string, changes: readonly Stretch[]): (Stretch & { lines: number })[] {
  const lines = base.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let from = 0;
  const placed: Stretch[] = [];
  for (const line of lines) {
    const to = from + line.length;
    placed.push({ from, to });
    from = to;
  }
  const near = new Set<number>();
  for (const { from, to } of changes) {
    const begin = placed.findLastIndex((line) => line.from <= from);
    const last = placed.findLastIndex((line) => line.from <= to);
    for (let line = begin - context; line <= last + context; line++) near.add(line);
  }
  const folds: (Stretch & { lines: number; rows: number })[] = [];
  for (const [index, { from, to }] of placed.entries()) {
    if (near.has(index)) continue;
    const rows = Math.max(1, Math.ceil((to - from) / rowLength));
    const before = folds.at(-1);
    if (before?.to === from) {
      before.to = to;
      before.lines++;
      before.rows += rows;
    } else folds.push({ from, to, lines: 1, rows });
  }
  return folds.filter(({ rows }) => rows >= leastRows);
}

function shownOf(pieces: readonly Piece[], folds: readonly (Stretch & { lines: number })[], first: number): Shown[] {
  const shown: Shown[] = [];
  let at = 0;
  let marked = first === Number.POSITIVE_INFINITY;
  const mark = (): void => {
    if (marked || at < first) return;
    shown.push({ kind: "first" });
    marked = true;
  };
  for (const piece of pieces) {
    const begin = at;
    const end = piece.kind === "added" ? at : at + piece.text.length;
    const cuts = piece.kind === "same" ? [first, ...folds.flatMap(({ from, to }) => [from, to])] : [];
    const within = cuts.filter((cut) => cut > begin && cut < end).toSorted((one, other) => one - other);
    for (const cut of [...new Set(within), end]) {
      mark();
      const text = piece.kind === "added" ? piece.text : piece.text.slice(at - begin, cut - begin);
      const fold = piece.kind === "same" && folds.find(({ from, to }) => from === at && to === cut);
      shown.push(fold ? { kind: "fold", text, lines: fold.lines } : { kind: piece.kind, text });
      at = cut;
    }
  }
  mark();
  return shown;
}
