import { holdsCode } from "../markdown.ts";
import type { Passage } from "../segments.ts";
import { wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { capital, isBalanced, noted, setInFormulas } from "./labels.ts";
import type { Line } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { headingOf, titleOf } from "./points.ts";
import { type Candidate, candidate, placeOf } from "./scene.ts";

/** Longer labels only repeat on screen what is said. */
const longest = { words: 8, characters: 56 };

/**
 * Cards that say what something is or does: its name, and the whole of what the course says of it. Only of what the topic names in its
 * headings, its key points or its code: a subject that a sentence merely happens to have ("the list") means nothing by itself.
 */
export function definitionScenes(lines: readonly Line[], passages: readonly Passage[]): Candidate[] {
  const named = new Set(
    passages.flatMap(({ kind, title, trail, text }) => terms([title, ...trail, kind === "key-points" ? text : ""].join(" "))),
  );
  const code = passages.flatMap(({ kind, text }) => (kind === "code" ? [text] : [])).join("\n");
  const isNamed = (subject: string): boolean =>
    terms(subject).length > 0 && (terms(subject).every((term) => named.has(term)) || isCodeIn(subject, code));
  // Of a page of code, “Elements are indexed …” says nothing of which elements.
  const isVague = (subject: string): boolean =>
    passages.some((passage) => passage.code) && /^\p{L}+s$/u.test(subject) && !isCodeIn(subject, code);
  return lines.flatMap((line): Candidate[] => {
    const { subject, predicate } = line.fact;
    const card = {
      layout: "points" as const,
      narration: line.said,
      quotes: [{ passage: line.passage, quote: line.quote }],
      at: placeOf(passages, line.passage, line.order),
      says: [line.fact.text],
      whole: true,
    };
    const name = / (?:is|are) called [^;:,]+\.$/u.test(line.said) ? noted(line.said.slice(0, -1)) : null;
    if (name) return [candidate({ ...card, heading: titleOf(line.passage), content: { points: [name] } })];
    const text = predicate === null ? null : wholeOf(predicate);
    const heading = headingOf(line);
    if (subject === null || text === null || heading === titleOf(line.passage) || !isNamed(subject) || isVague(subject)) return [];
    return [candidate({ ...card, heading, content: { points: [text] } })];
  });
}

const isCodeIn = (subject: string, code: string): boolean =>
  (holdsCode(subject) || /^\p{Ll}\S*$/u.test(subject)) && code.includes(subject.replaceAll("`", ""));

/** The whole of what is said of a subject, as it can stand under its name; null where it is too long or hangs on other words. */
function wholeOf(predicate: string): string | null {
  const said = spoken(predicate)?.replace(/[.!]["'”’)]*$/, "") ?? "";
  const noun = /^(?:is|are|means?|refers? to|stands? for|denotes?)\s+(?:called\s+)?(?:(?:an?|the)\s+)?(.+)$/iu.exec(said)?.[1];
  const text = noun ?? said;
  if (wordsOf(text) < 3 || wordsOf(text) > longest.words || text.length > longest.characters) return null;
  if (/^(?:not|n['’]t|also|never|no|only|as|very|most|often|usually|then|called|can|must|may|should)\b/iu.test(text)) return null;
  if (/\b(?:this|these|those|they|it|you|we|also|again|here|follows?)\b|\bones?$|[:;?]|\.\s/iu.test(text)) return null;
  return isBalanced(text) && !setInFormulas.test(text) ? capital(text) : null;
}
