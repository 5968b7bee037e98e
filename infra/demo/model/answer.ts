import { markdownOf } from "./markdown.ts";
import { overview } from "./overview.ts";
import type { Prompt } from "./prompt.ts";
import { type Question, readQuestion } from "./question.ts";
import { ofFoundCourses, type Ranking, rank } from "./ranking.ts";
import type { Passage, Segment } from "./segments.ts";
import { choose, nearest, type Stretch, verdictOf, wordsOf } from "./select.ts";
import { smallTalk } from "./small-talk.ts";
import { terms, weightOf } from "./terms.ts";

/** Longest text an answer takes from the passages, in words. */
const limits = { words: 170, sentences: 8 };

/** The list of follow-up questions that the instructions ask for, empty: the course does not answer the question. */
const noFollowUps = "\n\n<follow-ups>\n</follow-ups>";

/**
 * The demonstration model's answer in Markdown: sentences of the passages, each followed by its marker (`[s1]`), and a
 * few words of its own that claim nothing. The same prompt always gives the same answer.
 */
export function answer(prompt: Prompt): string {
  const talk = smallTalk(prompt.question);
  if (talk !== null) return talk;
  if (!prompt.question) return "Ask a question about the course.";
  if (!prompt.passages.length)
    return "No passage of a published course was found for this, so I cannot answer it. Try the words the course itself uses, or attach a page.";

  const question = readQuestion(prompt);
  const passages = question.kind === "compare" ? prompt.passages : ofFoundCourses(prompt.passages);
  const ranking = rank(passages, question);
  const whole = overview(prompt, question, ranking);
  if (whole && whole.length > 0) return whole.map(written).join("\n\n");
  const verdict = verdictOf(ranking, question);
  // Its words are not the course's, but the search found what is close in meaning.
  const isByMeaning = verdict === "unanswered" && !question.leans && passages.some(isCloseAndFirst);
  if (verdict === "unanswered" && !isByMeaning) return notAnswered(ranking, question);

  const said = prompt.history.findLast((turn) => turn.role === "assistant")?.text ?? "";
  const stretches =
    isByMeaning || (verdict === "partly" && !question.leans)
      ? nearest(ranking, limits)
      : question.kind === "compare" && question.sides.length === 2
        ? bothSides(prompt, question, ranking)
        : choose(ranking, question, limits, said);
  if (!stretches.length) return question.more ? "The passages found for this say nothing more about it." : notAnswered(ranking, question);
  const body = stretches.map(written).join("\n\n");
  const lead = isByMeaning || verdict === "partly" ? "What the course says that comes closest:\n\n" : "";
  return `${lead}${body}${furtherReading(ranking, question, stretches)}${lead && noFollowUps}`;
}

const isCloseAndFirst = ({ isClose, foundAt = Number.POSITIVE_INFINITY }: Passage): boolean => isClose === true && foundAt < 3;

/** For a comparison: what is said of both together, or of each by itself. */
function bothSides(prompt: Prompt, question: Question, ranking: Ranking): Stretch[] {
  const together = choose(ranking, question, { words: 90, sentences: 4 });
  const covered = (side: readonly string[]) =>
    together.some((stretch) =>
      stretch.segments.some((segment) => segment.kind !== "code" && side.every((term) => segment.terms.includes(term))),
    );
  const said = together.flatMap((stretch) => stretch.segments).reduce((sum, segment) => sum + wordsOf(segment.text), 0);
  const missing = question.sides.filter((side) => said < 45 || !covered(side));
  const chosen = new Set(together.flatMap((stretch) => stretch.segments));
  const added: Stretch[] = [];
  for (const side of missing) {
    const alone: Question = { ...question, kind: "definition", terms: new Map(side.map((term) => [term, 1])), focus: side, sides: [] };
    for (const stretch of choose(rank(prompt.passages, alone), alone, { words: 50, sentences: 2 })) {
      const fresh = stretch.segments.filter(
        (segment) => ![...chosen].some((other) => other.raw === segment.raw && other.passage === segment.passage),
      );
      if (fresh.length) added.push({ ...stretch, segments: fresh });
    }
  }
  return [...together, ...added];
}

/** One passage's share of an answer, as Markdown. Markers stand after sentences, never inside code or formulas. */
export function written({ passage, segments, announced }: Stretch): string {
  const marker = `[${passage.id}]`;
  const parts: string[] = [];
  let sentences: string[] = [];
  const flush = () => {
    if (sentences.length) parts.push(sentences.join(" "));
    sentences = [];
  };
  let items: string[] = [];
  const flushItems = () => {
    if (items.length) parts.push(items.join("\n"));
    items = [];
  };
  for (const [index, segment] of segments.entries()) {
    if (segment.kind !== "item") flushItems();
    if (segment.kind === "sentence") {
      const next = announced.get(segment);
      const leads = next !== undefined || ["code", "formula", "table", "item"].includes(segments[index + 1]?.kind ?? "");
      sentences.push(cited(segment, next ? `${marker}[${next.passage.id}]` : marker, leads));
      if (next) {
        flush();
        parts.push(block(next));
      }
      continue;
    }
    flush();
    if (segment.kind === "item") items.push(`- ${cited(segment, marker, false)}`);
    else {
      // A block cannot carry a marker itself: the words before it do.
      if (index === 0 || segments[index - 1]?.kind !== "sentence") parts.push(`From the course: ${marker}`);
      parts.push(block(segment));
    }
  }
  flush();
  flushItems();
  return parts.join("\n\n");
}

/** A sentence and its marker. A colon stays when what it announces follows, and becomes a full stop when not. */
function cited({ text, passage }: Segment, marker: string, announces: boolean): string {
  const words = passage.isMarkdown ? text : markdownOf(text);
  if (!words.endsWith(":")) return `${words} ${marker}`;
  return announces ? `${words.slice(0, -1)} ${marker}:` : `${words.slice(0, -1)}. ${marker}`;
}

function block(segment: Segment): string {
  if (segment.kind !== "code") return segment.text;
  const longest = Math.max(2, ...[...segment.text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${segment.language ?? ""}\n${segment.text}\n${fence}`;
}

/** Share of a question's weight that a section must have to be offered: one word in common ("best", "world") is none. */
const leastNear = 0.3;

/** Sections worth a look: they have enough of the question, and a word itself of what it is about; words of asking and relatives are none. */
function nearby(ranking: Ranking, question: Question): Passage[] {
  const about = [...question.terms.keys()].filter((term) => weightOf(term) >= 1);
  return ranking.passages
    .filter(({ passage, coverage }) => {
      if (coverage < leastNear) return false;
      const own = new Set([...terms(passage.title), ...(ranking.byPassage.get(passage) ?? []).flatMap((segment) => segment.terms)]);
      return about.some((term) => own.has(term));
    })
    .map(({ passage }) => passage);
}

/** The sections that come nearest, so that a question without an answer still leads somewhere. */
function notAnswered(ranking: Ranking, question: Question): string {
  const sections = sectionsOf(nearby(ranking, question));
  const near = sections.slice(0, 3).map(({ name, id }) => `- ${name} [${id}]`);
  const plain = "The passages of the course that were found do not answer this.";
  return near.length ? `${plain} The nearest sections are:\n\n${near.join("\n")}${noFollowUps}` : plain;
}

/** What else the passages cover, in one line. */
function furtherReading(ranking: Ranking, question: Question, stretches: readonly Stretch[]): string {
  const used = new Set(stretches.map((stretch) => stretch.passage));
  const usedNames = new Set(sectionsOf([...used]).map((section) => section.name));
  const others = sectionsOf(nearby(ranking, question).filter((passage) => !used.has(passage)));
  const names = others.filter((section) => !usedNames.has(section.name)).slice(0, 3);
  return names.length ? `\n\nThe course says more under ${names.map(({ name, id }) => `*${name}* [${id}]`).join(", ")}.` : "";
}

function sectionsOf(passages: readonly Passage[]): { name: string; id: string }[] {
  const seen = new Map<string, string>();
  for (const passage of passages) {
    const name = (passage.title || passage.trail.at(-1) || "").replace(/[*_[\]]/g, "").trim();
    // Many sections are called so: the name leads nowhere.
    if (/^(?:solutions?|exercises?|key ?points|objectives|questions|prerequisites?|note|tip)$/i.test(name)) continue;
    if (name && wordsOf(name) <= 16 && !seen.has(name)) seen.set(name, passage.id);
  }
  return [...seen].map(([name, id]) => ({ name, id }));
}
