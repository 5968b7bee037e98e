import type { Passage } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { capital, isLabel, trimmed } from "./labels.ts";
import type { Line } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { type Candidate, candidate, placeOf } from "./scene.ts";

/** What a scene is about: its subject where that is short, else what it stands under. */
export function headingOf({ fact, passage }: Pick<Line, "fact" | "passage">): string {
  const subject = fact.subject === null ? null : spoken(fact.subject);
  if (subject !== null && wordsOf(subject) <= 4 && subject.length <= 40 && !/^(?:a|an|each|every|any|no|all|one)\b/i.test(subject)) {
    const bare = subject.replace(/^the\s+(?=\S)/i, "");
    // A sentence that begins in small letters begins with a name of code.
    if (/^[^\p{Lu}]/u.test(fact.text)) return bare;
    return bare.includes(" ") || /^[\p{Ll}`$*]/u.test(bare) || subject.startsWith("The ") ? capital(subject) : bare;
  }
  return titleOf(passage);
}

/** What a passage stands under; the name of a formula is for referring to it, and says nothing. */
export function titleOf({ title, trail, kind }: Passage): string {
  const place = trail.at(-1) ?? "";
  const named = kind === "math" && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(title) ? place : title || place;
  return (spoken(named) ?? place).replace(/[.:]$/, "").slice(0, 80);
}

export function distinctLabels(labels: readonly string[]): string[] {
  const kept: string[] = [];
  for (const label of labels)
    if (
      !kept.some(
        (one) => one.toLowerCase().includes(label.toLowerCase()) || label.toLowerCase().includes(one.toLowerCase()) || alike(one, label),
      )
    )
      kept.push(label);
  return kept;
}

const alike = (a: string, b: string): boolean => overlap(a.toLowerCase().split(/\W+/), b.toLowerCase().split(/\W+/)) > 0.7;

/** The entries of a list: lines of a passage that begin with what they are about. */
const entry = /^(\p{Lu}[^.:;!?$`]{2,44})[.:]\s+(\S.{8,})$/u;
const order =
  /^(?:read|close|look|come|write|take|put|say|begin|start|go|choose|find|compute|check|draw|compare|solve|ask|try|add|multiply|divide|turn|make|set|open|run|type|save|explain|invent|plan|keep)\b/i;

/** Scenes of lists: what the entries are called as points, or steps one after the other. */
export function listScenes(passages: readonly Passage[]): Candidate[] {
  return passages.flatMap((passage): Candidate[] => {
    if (/^(?:exercise|solution|objectives|code|table|figure)$/.test(passage.kind ?? "")) return [];
    const rows = passage.text.split("\n").map((row) => row.trim());
    const found: Candidate[] = [];
    for (let from = 0; from < rows.length; ) {
      const heads = run(rows, from, (row) => entry.test(row));
      const steps = run(rows, from, (row) => order.test(row) && wordsOf(row) <= 16 && /\.$/.test(row));
      if (heads.length >= 3) found.push(...entryScene(passage, rows, from, heads, passages));
      else if (steps.length >= 3 && steps.length <= 6) found.push(...stepScene(passage, steps, from, passages));
      from += Math.max(1, heads.length >= 3 ? heads.length : steps.length >= 3 ? steps.length : 1);
    }
    return found;
  });
}

function run(rows: readonly string[], from: number, fits: (row: string) => boolean): string[] {
  let to = from;
  while (to < rows.length && fits(rows[to] ?? "")) to += 1;
  return rows.slice(from, to);
}

function entryScene(
  passage: Passage,
  rows: readonly string[],
  from: number,
  heads: readonly string[],
  passages: readonly Passage[],
): Candidate[] {
  const names = heads.map((row) => entry.exec(row)?.[1]?.trim() ?? "").slice(0, 5);
  if (!names.every((name) => isLabel(name, 1))) return [];
  const before = rows[from - 1] ?? "";
  const opening = /(?:^|[.!?]\s+)([^.!?]{12,110})[:.]$/.exec(before)?.[1]?.replace(/,\s*so that.*$/, "");
  const first = entry.exec(heads[0] ?? "")?.[2] ?? "";
  if (!opening || /\b(?:below|following|these|here)\b/i.test(opening)) return [];
  const said = spoken(`${opening.replace(/[,:]$/, "")}: ${joinNames(names.map(lowerFirst))}.`);
  const quote = heads[0] ?? "";
  if (said === null || wordsOf(said) > 34 || quote.length > 300 || first === "") return [];
  return [
    candidate({
      layout: "points",
      heading: titleOf(passage),
      content: { points: names },
      narration: said,
      quotes: [{ passage, quote }],
      at: placeOf(passages, passage, from),
      says: [opening],
    }),
  ];
}

function stepScene(passage: Passage, steps: readonly string[], from: number, passages: readonly Passage[]): Candidate[] {
  const labels = steps.map((row) => {
    const first = (row.split(/[.;]/)[0] ?? "").trim();
    const short = isLabel(first, 1) ? first : (trimmed(first) ?? first.split(",")[0] ?? "");
    return isLabel(short, 1) ? capital(short) : null;
  });
  if (labels.some((label) => label === null)) return [];
  const narration: string[] = [];
  for (const step of steps) {
    const said = spoken((/^[^.]+\./.exec(step)?.[0] ?? step).trim());
    if (said === null) return [];
    narration.push(said);
  }
  const text = narration.join(" ");
  if (wordsOf(text) > 38) return [];
  const nodes = labels.map((label, index) => ({ key: `n${index + 1}`, label: label ?? "", cue: "" }));
  const edges = nodes.slice(1).map(({ key }, index) => ({ from: `n${index + 1}`, to: key, label: "", cue: "", quote: "" }));
  return [
    candidate({
      layout: "diagram",
      heading: titleOf(passage),
      content: { diagram: "flow", nodes, edges },
      narration: text,
      quotes: [{ passage, quote: steps[0] ?? "" }],
      at: placeOf(passages, passage, from),
      says: [...steps],
    }),
  ];
}

const lowerFirst = (text: string): string => (/^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);
const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")}${names.length > 2 ? "," : ""} and ${names.at(-1)}`;
