import type { Prompt } from "./prompt.ts";
import type { Question } from "./question.ts";
import { isTaskList, type Ranking } from "./ranking.ts";
import type { Passage, Segment } from "./segments.ts";
import { type Stretch, wordsOf } from "./select.ts";
import { stem, weightOf } from "./terms.ts";

/** Words that ask about a page as a whole and name nothing on it. */
const wordsOfWholes = new Set(
  "don doesn isn didn remember recall takeaway take away understand confused lost stuck learn know matter important short simple simply simpler again point idea thing part key main essential essence gist recap overview summary summarise summarize sum up get"
    .split(" ")
    .map(stem),
);

/** How long a lesson takes. */
const timetable = /^\s*\d+ minutes\b/i;

/** Longest overview, in words. */
const most = { words: 190, opening: 60, selected: 120 };

/**
 * What an attached page says in short, for a question that names nothing on it ("Summarise this page", "What should I remember?", "I don't
 * get it"): the selected passage or the beginning of the page, then its key points, or else the first sentence of each section. Null for any
 * other question.
 */
export function overview(prompt: Prompt, question: Question, ranking: Ranking): Stretch[] | null {
  const names = [...question.terms.keys()].filter((term) => weightOf(term) >= 1 && !wordsOfWholes.has(term));
  if (question.section !== null || names.length > 0 || question.leans) return null;
  const shown = question.kind === "formula" ? formulasOf(prompt, ranking) : [];
  return shown.length > 0 ? shown : attachedInShort(prompt, ranking);
}

/** The first formulas of an attached page, each with the sentence before it. */
function formulasOf({ passages }: Prompt, { byPassage }: Ranking): Stretch[] {
  const attached = passages.filter(({ isAttached }) => isAttached);
  const stretches = attached.flatMap((passage) => {
    const own = byPassage.get(passage) ?? [];
    const at = own.findIndex(({ kind }) => kind === "formula");
    return at < 0 ? [] : (stretch(passage, own.slice(Math.max(0, at - 1), at + 1)) ?? []);
  });
  return stretches.slice(0, 3);
}

/** What an attached page or the selection on it says in short; null if nothing is attached. */
export function attachedInShort(prompt: Prompt, ranking: Ranking): Stretch[] | null {
  const attached = prompt.passages.filter(({ isAttached }) => isAttached);
  if (attached.length === 0) return null;
  const segmentsOf = (passage: Passage): Segment[] => ranking.byPassage.get(passage) ?? [];
  const selected = attached.filter(({ isSelected }) => isSelected);
  if (selected.length > 0) return aroundSelection(attached, selected, segmentsOf);
  const keyPoints = attached.filter(({ kind }) => kind === "key-points");
  const prose = attached.filter((passage) => passage.kind === "prose" && !isTaskList(passage) && !timetable.test(passage.text));
  const opening = prose.slice(0, 3).flatMap((passage) => stretch(passage, sentences(segmentsOf(passage))) ?? []);
  const rest =
    keyPoints.length > 0
      ? keyPoints.flatMap((passage) => stretch(passage, segmentsOf(passage)) ?? [])
      : firstOfEachSection(prose.slice(1), segmentsOf);
  return [...within(opening.slice(0, 1), most.opening), ...within(rest, most.words)];
}

/** A selected passage, and what else stands under its heading. */
function aroundSelection(
  attached: readonly Passage[],
  selected: readonly Passage[],
  segmentsOf: (passage: Passage) => Segment[],
): Stretch[] {
  const headings = new Set(selected.map(({ title }) => title));
  const near = attached.filter((passage) => headings.has(passage.title) && passage.kind !== "exercise" && passage.kind !== "solution");
  const stretches = (passages: readonly Passage[]): Stretch[] => passages.flatMap((passage) => stretch(passage, segmentsOf(passage)) ?? []);
  const before = near.filter(
    (passage) => !selected.includes(passage) && attached.indexOf(passage) < attached.indexOf(selected[0] ?? passage),
  );
  return [
    ...within(stretches(before.slice(-1)), most.opening),
    ...within(stretches(selected), most.selected),
    ...within(stretches(near.filter((passage) => !selected.includes(passage) && !before.includes(passage)).slice(0, 2)), most.opening),
  ];
}

const sentences = (segments: readonly Segment[]): Segment[] =>
  segments.filter(({ kind, text }) => kind === "sentence" && !text.endsWith("?"));

function stretch(passage: Passage, segments: Segment[]): Stretch | null {
  return segments.length > 0 ? { passage, segments, announced: new Map() } : null;
}

function firstOfEachSection(passages: readonly Passage[], segmentsOf: (passage: Passage) => Segment[]): Stretch[] {
  const titles = new Set<string>();
  return passages.flatMap((passage) => {
    if (titles.has(passage.title)) return [];
    titles.add(passage.title);
    return stretch(passage, sentences(segmentsOf(passage)).slice(0, 1)) ?? [];
  });
}

/** The beginning of these stretches, up to a number of words; a sentence that announces what no longer fits is left out. */
function within(stretches: readonly Stretch[], words: number): Stretch[] {
  let left = words;
  return stretches.flatMap((one) => {
    const kept: Segment[] = [];
    for (const segment of one.segments) {
      left -= wordsOf(segment.text);
      if (left < 0 && kept.length > 0) break;
      kept.push(segment);
    }
    while (kept.length > 1 && kept.length < one.segments.length && kept.at(-1)?.text.endsWith(":")) kept.pop();
    return left < -words ? [] : [{ ...one, segments: kept }];
  });
}
