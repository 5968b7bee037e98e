import type { Passage } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { capital, isLabel, predicateLabel, trimmed } from "./labels.ts";
import type { Line } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { titleOf } from "./points.ts";
import { type Candidate, candidate, placeOf, unread } from "./scene.ts";

/** Scenes that set two things side by side: halves of a sentence, neighbouring definitions, entries of a list, columns of a table. */
export function contrastScenes(lines: readonly Line[], passages: readonly Passage[]): Candidate[] {
  return [
    ...lines.flatMap((line) => halves(line, passages)),
    ...lines.flatMap((line, index) => neighbours(line, lines[index + 1], passages)),
    ...passages.flatMap((passage) => [...signs(passage, passages), ...columns(passage, passages)]),
  ].filter(
    ({ content: { left, right } }) => left && right && areApart([left.title, right.title]) && areApart([...left.points, ...right.points]),
  );
}

/** Whether no two say the same in other signs. */
const areApart = (texts: readonly string[]): boolean =>
  new Set(
    texts.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim(),
    ),
  ).size === texts.length;

interface Side {
  title: string;
  points: string[];
}

const subjectOf =
  /^((?:(?:the|an?|its|their|our)\s+)?(?:[\p{L}\p{N}’'-]+\s+){0,3}?[\p{L}\p{N}’'>|<*-]+)\s+((?:is|are|means?|has|have|keeps?|sends?|holds?|gives?|takes?|says?|shows?|works?|adds?|appends?|overwrites?|sorts?|matches|prints?|lists?|removes?|creates?|copies|moves?)\b.+)$/iu;

function sideOf(text: string): Side | null {
  const found = subjectOf.exec(
    text
      .replace(/^(?:and|but|while|whereas)\s+/i, "")
      .replace(/\.$/, "")
      .trim(),
  );
  const [, subject = "", predicate = ""] = found ?? [];
  const label = predicate ? predicateLabel(predicate) : null;
  if (!label || /^(?:it|this|that|they|there|which|what|you|we|one|its|these|those|he|she|none|nothing|not)\b/i.test(subject)) return null;
  const title = subject.replace(/^(?:the|an?|its|their|our)\s+/i, "");
  return isLabel(title, 1) ? { title: capital(title), points: [label] } : null;
}

/** "Spanning means …; independence means …" */
function halves(line: Line, passages: readonly Passage[]): Candidate[] {
  const parts = line.said.split(/;\s+|,\s+(?=(?:while|whereas)\b)/);
  if (parts.length !== 2) return [];
  return compared(
    parts.map((part) => sideOf(part)),
    [line],
    passages,
  );
}

/** "Its storage strength is how … Its retrieval strength is how …" */
function neighbours(line: Line, next: Line | undefined, passages: readonly Passage[]): Candidate[] {
  if (!next || next.passage !== line.passage || next.order > line.order + 1 || line.words + next.words > 36) return [];
  const sides = [sideOf(line.said), sideOf(next.said)];
  const [one, other] = sides.map((side) => (side ? terms(side.title) : []));
  // Two things of one kind: "storage strength" and "retrieval strength".
  const isOneKind = one !== undefined && one.length > 1 && one.length === other?.length && one.at(-1) === other.at(-1);
  const related = isOneKind || /\b(?:both|difference|whereas|contrast|instead|on the other hand)\b/i.test(`${line.said} ${next.said}`);
  return related ? compared(sides, [line, next], passages) : [];
}

function compared(sides: readonly (Side | null)[], lines: readonly Line[], passages: readonly Passage[]): Candidate[] {
  const [left, right] = sides;
  const [first] = lines;
  if (!left || !right || !first || left.title.toLowerCase() === right.title.toLowerCase()) return [];
  if (overlap(terms(left.points.join(" ")), terms(right.points.join(" "))) > 0.8) return [];
  return [
    candidate({
      layout: "compare",
      heading: titleOf(first.passage),
      content: { left, right },
      narration: lines.map(({ said }) => said).join(" "),
      quotes: lines.map(({ passage, quote }) => ({ passage, quote })),
      at: placeOf(passages, first.passage, first.order),
      says: lines.map(({ fact }) => fact.text),
    }),
  ];
}

/** "Positive: … Negative: …" */
const opposite: Readonly<Record<string, string>> = {
  positive: "negative",
  before: "after",
  weak: "strong",
  true: "false",
  blocked: "mixed",
};

function signs(passage: Passage, passages: readonly Passage[]): Candidate[] {
  const rows = passage.text.split("\n").map((row) => /^(\p{Lu}[\p{L} ]{2,24}):\s+(.+\.)$/u.exec(row.trim()));
  return rows.flatMap((found, index): Candidate[] => {
    const next = rows[index + 1];
    const [, name = "", text = ""] = found ?? [];
    const [, otherName = "", otherText = ""] = next ?? [];
    if (!found || !next || opposite[name.toLowerCase()] !== otherName.toLowerCase()) return [];
    const first = (value: string) => spoken(/^.*?\.(?=\s|$)/.exec(value)?.[0] ?? value);
    const [one, other] = [first(text), first(otherText)];
    if (one === null || other === null) return [];
    const points = [one, other].map((said) => {
      const parts = said.replace(/\.$/, "").split(/\s+and\s+(?=(?:the|an?|is|are)?\s*\p{L}+\s)|,\s+/u);
      return parts.map((part) => (isLabel(part) ? part : trimmed(part))).flatMap((label) => (label ? capital(label) : []));
    });
    if (points.some((list) => list.length === 0)) return [];
    const narration = `${name}: ${one} ${otherName}: ${other}`;
    if (wordsOf(narration) > 34) return [];
    return [
      candidate({
        layout: "compare",
        heading: titleOf(passage),
        narration,
        content: { left: { title: name, points: points[0] ?? [] }, right: { title: otherName, points: points[1] ?? [] } },
        quotes: [found[0], next[0]].map((quote) => ({ passage, quote: quote.slice(0, 300) })),
        at: placeOf(passages, passage, index),
        says: [one, other],
      }),
    ];
  });
}

/** The first and the last column of a table of few words. */
function columns(passage: Passage, passages: readonly Passage[]): Candidate[] {
  if (passage.kind !== "table") return [];
  const lines = passage.text.split("\n");
  const rows = lines.filter((line) => line.includes("\t")).map((line) => line.split("\t").map((cell) => spoken(cell.trim())));
  const caption = lines[0]?.includes("\t") ? "" : (lines[0] ?? "").trim();
  const [header, ...body] = rows;
  if (!header || body.length < 2 || !caption) return [];
  const fits = (cells: (string | null)[]) => [cells[0], cells.at(-1)].every((cell) => cell && wordsOf(cell) <= 8 && cell.length <= 60);
  const chosen = body.filter(fits).slice(0, 4);
  if (!fits(header) || chosen.length < Math.min(3, body.length)) return [];
  const side = (cells: (string | null)[][], at: 0 | -1): Side => {
    const [title = "", ...points] = cells.map((row) => row.at(at) ?? "");
    return { title, points };
  };
  const said = `Here is a comparison: ${caption.charAt(0).toLowerCase()}${caption.slice(1).replace(/\.?$/, ".")}`;
  const quote = lines.find((line) => line.includes("\t") && line !== lines[1]) ?? "";
  if (quote.length > 300 || wordsOf(said) > 24) return [];
  const showing = (some: typeof chosen): Candidate =>
    candidate({
      layout: "compare",
      heading: passage.trail.at(-1) ?? "",
      narration: said,
      content: { left: side([header, ...some], 0), right: side([header, ...some], -1) },
      quotes: [{ passage, quote: quote.replace(/\s+/g, " ").trim() }],
      at: placeOf(passages, passage, 0),
      says: [caption],
    });
  // As many rows as can be read.
  const ways = [0, 1, 2]
    .map((less) => chosen.slice(0, chosen.length - less))
    .filter((kept) => kept.length > 1)
    .map(showing);
  const read = ways.find((one) => unread(one) === 0);
  return read ? [read] : [];
}
