import type { Translator } from "@colloquy/messages/translator.ts";
import { writeFence } from "@colloquy/schemas/courses/parsers/source.ts";
import type { Language } from "@colloquy/schemas/languages.ts";
import { compares, isDirect } from "./direct.ts";
import { languagesApart, translatorOf } from "./language.ts";
import { markdownOf } from "./markdown.ts";
import { attachedInShort, overview } from "./overview.ts";
import type { Prompt } from "./prompt.ts";
import { type Question, readQuestion } from "./question.ts";
import { ofFoundCourses, type Ranking, rank } from "./ranking.ts";
import { type Passage, type Segment, segmentsOf } from "./segments.ts";
import { bare, choose, nearest, type Stretch, sectionNamed, verdictOf, wordsOf } from "./select.ts";
import { smallTalk } from "./small-talk.ts";
import { terms, weightOf } from "./terms.ts";

/** Longest text an answer takes from the passages, in words. */
const limits = { words: 170, sentences: 8 };
/** The same of an answer that only comes close, or says something again. */
const shortLimits = { words: 110, sentences: 5 };

/** Fewest words of an answer that only comes close. */
const leastClose = 12;
const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.flatMap(({ segments }) => segments).reduce((sum, { text }) => sum + wordsOf(text), 0);

/** The list of follow-up questions that the instructions ask for, empty: the course does not answer the question. */
const noFollowUps = "\n\n<follow-ups>\n</follow-ups>";

/**
 * The demonstration model's answer in Markdown: sentences of the passages, each followed by its marker (`[s1]`), and a
 * few words of its own that claim nothing. The same prompt always gives the same answer.
 */
export function answer(prompt: Prompt): string {
  const translator = translatorOf(prompt);
  const { msg } = translator;
  const talk = smallTalk(prompt.question, translator);
  if (talk !== null) return talk;
  if (!prompt.question) return msg("demoModel.askSomething");
  if (!prompt.passages.length) return msg("demoModel.nothingFound");

  const question = readQuestion(prompt);
  const answers = prompt.history.flatMap(({ role, text }) => (role === "assistant" ? [text] : []));
  const said = answers.join("\n");
  const about = question.isVague ? onPagesOf(prompt.passages, answers) : lookedAt(prompt);
  const passages = question.kind === "compare" ? about : ofFoundCourses(about);
  const ranking = rank(passages, question);
  const whole = overview(prompt, question, ranking);
  if (whole && whole.length > 0) {
    const isInShort = /^(?:summary|section|definition|rephrase|formula|other)$/.test(question.kind);
    return `${isInShort ? "" : `${msg("demoModel.closest")}\n\n`}${written(whole, translator)}`;
  }
  if (question.kind === "rephrase") {
    const elsewhere = choose(ranking, question, shortLimits, said);
    if (elsewhere.length > 0) return `${msg("demoModel.elsewhere")}\n\n${written(elsewhere, translator)}`;
    return passages.length > 0 ? msg("demoModel.notElsewhere") : msg("demoModel.unanswered");
  }
  const verdict = areSidesKnown(passages, question) ? "answered" : verdictOf(ranking, question);
  // Its words are not the course's, but the search found what is close in meaning.
  const isPage = passages.length > 0 && passages.every(({ isAttached }) => isAttached);
  const isByMeaning = verdict === "unanswered" && !question.leans && (isPage || passages.some(isCloseAndFirst));
  if (verdict === "unanswered" && !isByMeaning) return notAnswered(prompt, ranking, question, translator);

  const isUnsure = isByMeaning || verdict === "partly";
  let stretches =
    isUnsure && !question.leans
      ? nearest(ranking, question, limits)
      : question.kind === "compare" && question.sides.length === 2
        ? bothSides(prompt, question, ranking)
        : choose(ranking, question, limits, said);
  if (!stretches.length && isPage) stretches = attachedInShort(prompt, ranking) ?? [];
  if (!stretches.length) return question.more ? msg("demoModel.nothingMore") : notAnswered(prompt, ranking, question, translator);
  const section =
    /^(?:howto|why|compare|other)$/.test(question.kind) && !question.leans ? sectionNamed(ranking, question, shortLimits) : null;
  // A glossary entry compares nothing; the solution of an exercise that names both sides does.
  const isBesideIt =
    question.kind === "compare"
      ? section?.[0]?.passage.kind === "solution" && hedgeOf(stretches, question, ranking) !== null
      : isUnsure || !section?.some(({ passage }) => passage === stretches[0]?.passage);
  if (section && isBesideIt) return `${written(section, translator)}${furtherReading(ranking, question, section, translator)}`;
  const lead = isUnsure ? "demoModel.closest" : hedgeOf(stretches, question, ranking);
  if (lead === "demoModel.closest" && !isUnsure) {
    const near = nearest(ranking, question, shortLimits);
    stretches = choose(ranking, question, shortLimits, said);
    // A sentence beside the point says less than the passage that was found.
    if (lengthOf(stretches) < leastClose && lengthOf(near) > lengthOf(stretches)) stretches = near;
  }
  const apart = lead === "demoModel.closest" ? languagesApart(prompt) : null;
  const opening = apart ? `${otherLanguage(apart, translator)}\n\n${msg("demoModel.closest")}\n\n` : lead ? `${msg(lead)}\n\n` : "";
  return `${opening}${written(stretches, translator)}${furtherReading(ranking, question, stretches, translator)}${lead ? noFollowUps : ""}`;
}

const isCloseAndFirst = ({ isClose, foundAt = Number.POSITIVE_INFINITY }: Passage): boolean => isClose === true && foundAt < 3;

/** The passages that a question is about: of what is attached alone if it points there ("here", "it") and at nothing said before. */
function lookedAt({ passages, question, history }: Prompt): Passage[] {
  const attached = passages.filter(({ isAttached }) => isAttached);
  const points = history.length === 0 && /\b(?:here|this|these|it|its|they|them|their|above)\b/i.test(question);
  return points && attached.length > 0 ? attached : passages;
}

/** The passages of the pages that the newest answer with quotations quoted; none if there is none. */
function onPagesOf(passages: readonly Passage[], answers: readonly string[]): Passage[] {
  const pageOf = ({ trail }: Passage): string => trail.join("\n");
  for (const said of answers.toReversed()) {
    const quoted = bare(said);
    const isQuoted = (passage: Passage): boolean =>
      segmentsOf(passage).some(
        ({ kind, text }) => kind !== "code" && wordsOf(text) > 3 && quoted.includes(bare(text).replace(/[.:]$/, "")),
      );
    const pages = new Set(passages.filter(isQuoted).map(pageOf));
    if (pages.size > 0) return passages.filter((passage) => pages.has(pageOf(passage)));
  }
  return [];
}

/** What to say before an answer that does not begin with what was asked for; null if it does. */
function hedgeOf(stretches: readonly Stretch[], question: Question, ranking: Ranking): "demoModel.closest" | "demoModel.ofEach" | null {
  if (question.kind === "summary" || question.kind === "section" || question.more) return null;
  const segments = stretches.flatMap((stretch) => stretch.segments);
  if (question.kind === "compare" && question.sides.length === 2) {
    return segments.some((segment) => compares(segment, question)) ? null : "demoModel.ofEach";
  }
  const [first] = stretches;
  const own = first && ranking.byPassage.get(first.passage);
  return first?.segments.some((segment) => isDirect(segment, question, own ?? [])) ? null : "demoModel.closest";
}

/** One side of a comparison as a question of its own. */
const ofSide = (question: Question, side: string[]): Question => ({
  ...question,
  kind: "definition",
  terms: new Map(side.map((term) => [term, 1])),
  focus: side,
  sides: [],
});

/** Whether the passages say something of each side of a comparison. */
function areSidesKnown(passages: readonly Passage[], question: Question): boolean {
  if (question.kind !== "compare" || question.sides.length !== 2) return false;
  return question.sides.map((side) => ofSide(question, side)).every((alone) => verdictOf(rank(passages, alone), alone) === "answered");
}

/** For a comparison: what is said of both together, or else of each by itself. */
function bothSides(prompt: Prompt, question: Question, ranking: Ranking): Stretch[] {
  const together = choose(ranking, question, shortLimits);
  if (together.some(({ segments }) => segments.some((segment) => compares(segment, question)))) return together;
  const each = question.sides.map((side) => {
    const alone = ofSide(question, side);
    const most = { words: 60, sentences: 2 };
    const near = choose(rank(ofFoundCourses(prompt.passages), alone), alone, most);
    return (near.length > 0 ? near : choose(rank(prompt.passages, alone), alone, most)).slice(0, 1);
  });
  if (each.some((stretches) => stretches.length === 0)) return together;
  const said = new Set<string>();
  return each.flat().flatMap((stretch) => {
    const segments = stretch.segments.filter(({ passage, order }) => !said.has(`${passage.id} ${order}`));
    for (const { passage, order } of segments) said.add(`${passage.id} ${order}`);
    return segments.length > 0 ? [{ ...stretch, segments }] : [];
  });
}

/** A part of an answer: a paragraph, the entries of a list, or a block. */
type Part = { kind: "text" | "block"; text: string } | { kind: "list"; entries: string[] };

/** Stretches as Markdown. Markers stand after sentences, never inside code or formulas. */
export function written(stretches: readonly Stretch[], translator: Translator): string {
  const parts: Part[] = [];
  for (const [index, stretch] of stretches.entries())
    addParts(parts, stretch, { translator, before: stretches[index - 1], after: stretches[index + 1] });
  let sign = "-";
  return parts
    .map((part, index) => {
      if (part.kind !== "list") return part.text;
      // Markdown joins lists that follow each other unless their marks differ.
      sign = parts[index - 1]?.kind === "list" && sign === "-" ? "*" : "-";
      return part.entries.map((entry) => entry.replace(/^ *(?! |\d{1,2}[.)] )/, (indent) => `${indent}${sign} `)).join("\n");
    })
    .join("\n\n");
}

/** What prompts say above code that is not input. */
const codeLabels: Partial<Record<string, "rendering.output" | "rendering.errorMessage">> = {
  "Output:": "rendering.output",
  "Error message:": "rendering.errorMessage",
};

/** What belongs to the words before it. */
const isLed = (segment: Segment | undefined): boolean => segment !== undefined && segment.kind !== "sentence";
const standsBehind = (one: Stretch | undefined, other: Stretch | undefined): boolean =>
  one !== undefined && other !== undefined && one.passage.follows === other.passage.id;

/** Adds one passage's share of an answer, between those before and after it. */
function addParts(
  parts: Part[],
  stretch: Stretch,
  { translator: { msg }, before: previous, after }: { translator: Translator; before: Stretch | undefined; after: Stretch | undefined },
): void {
  const { passage, segments, announced } = stretch;
  const marker = `[${passage.id}]`;
  let sentences: string[] = [];
  let entries: string[] = [];
  // A long list is several passages.
  let goesOn = standsBehind(stretch, previous) && previous?.segments.at(-1)?.kind === "item" && segments[0]?.kind === "item";
  const flush = () => {
    if (sentences.length) parts.push({ kind: "text", text: sentences.join(" ") });
    const before = parts.at(-1);
    // An entry by itself is no list.
    if (entries.length > 0 && goesOn && before?.kind === "list") before.entries.push(...entries);
    else if (entries.length > 1) parts.push({ kind: "list", entries });
    else if (entries.length > 0) parts.push({ kind: "text", text: entries.join("\n").replace(/^\d{1,2}[.)] /, "") });
    sentences = [];
    entries = [];
    goesOn = false;
  };
  /** A block cannot carry a marker itself: the words before it do, of which it is the next thing on the page, or a word on where it is from. */
  const markBlock = (isBehindBefore: boolean): void => {
    const words = parts.findLast(({ kind }) => kind !== "block");
    if (!isBehindBefore || words?.kind !== "text") parts.push({ kind: "text", text: `${msg("demoModel.fromTheCourse")} ${marker}` });
    else if (!words.text.replace(/:$/, "").endsWith(marker)) words.text = words.text.replace(/:?$/, (colon) => marker + colon);
  };
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1];
    if (before && before.paragraph !== segment.paragraph) flush();
    if (segment.kind === "sentence") {
      const next = announced.get(segment);
      const following = segments[index + 1] ?? (standsBehind(after, stretch) ? after?.segments[0] : undefined);
      const leads = next !== undefined || isLed(following);
      const label = passage.kind === "code" && codeLabels[segment.text];
      const said = label ? { ...segment, text: `${msg(label)}:` } : segment;
      const words = cited(said, next ? `${marker}[${next.passage.id}]` : marker, leads);
      // A long entry has sentences of its own.
      if (entries.length > 0) entries.push(`${entries.pop()} ${words}`);
      else sentences.push(words);
      if (next) {
        flush();
        parts.push({ kind: "block", text: block(next) });
      }
    } else if (segment.kind === "item") {
      if (sentences.length > 0) flush();
      const number = /^\s*(\d{1,2}[.)])\s/.exec(segment.raw)?.[1];
      const indent = segment.isNested && entries.length > 0 ? "    " : "";
      entries.push(`${indent}${number ? `${number} ` : ""}${cited(segment, marker, segments[index + 1]?.isNested ?? false)}`);
    } else {
      flush();
      if (before?.kind !== "sentence") markBlock(before !== undefined || standsBehind(stretch, previous));
      parts.push({ kind: "block", text: block(segment) });
    }
  }
  flush();
}

/** A sentence and its marker. A colon stays when what it announces follows, and becomes a full stop when not. */
function cited({ text, passage }: Segment, marker: string, announces: boolean): string {
  const words = passage.isMarkdown ? text : markdownOf(text);
  if (!words.endsWith(":")) return `${words} ${marker}`;
  return announces ? `${words.slice(0, -1)} ${marker}:` : `${words.slice(0, -1)}. ${marker}`;
}

function block(segment: Segment): string {
  return segment.kind === "code" ? writeFence(segment.text, segment.language ?? "") : segment.text;
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

/** Says that the question is in another language than the course. */
const otherLanguage = (apart: { question: Language; course: Language }, { msg, languageName }: Translator): string =>
  msg("demoModel.otherLanguage", { question: languageName(apart.question), course: languageName(apart.course) });

/** The sections that come nearest, so that a question without an answer still leads somewhere. */
function notAnswered(prompt: Prompt, ranking: Ranking, question: Question, translator: Translator): string {
  const apart = languagesApart(prompt);
  if (apart) return otherLanguage(apart, translator);
  const { msg } = translator;
  const sections = sectionsOf(nearby(ranking, question));
  const near = sections.slice(0, 3).map(({ name, id }) => `- ${name} [${id}]`);
  const plain = msg("demoModel.unanswered");
  return near.length ? `${plain} ${msg("demoModel.nearestSections")}\n\n${near.join("\n")}${noFollowUps}` : plain;
}

/** What else the passages cover, in one line. */
function furtherReading(ranking: Ranking, question: Question, stretches: readonly Stretch[], { msg, list }: Translator): string {
  const used = new Set(stretches.map((stretch) => stretch.passage));
  const usedNames = new Set(sectionsOf([...used]).map((section) => section.name));
  const others = sectionsOf(nearby(ranking, question).filter((passage) => !used.has(passage)));
  const names = others.filter((section) => !usedNames.has(section.name)).slice(0, 3);
  const sections = list(names.map(({ name, id }) => `*${name}* [${id}]`));
  return names.length ? `\n\n${msg("demoModel.moreUnder", { sections })}` : "";
}

function sectionsOf(passages: readonly Passage[]): { name: string; id: string }[] {
  const seen = new Map<string, string>();
  for (const passage of passages) {
    // A solution has the title of its exercise.
    if (passage.kind === "solution") continue;
    const name = (passage.title || passage.trail.at(-1) || "").replace(/[*_[\]]/g, "").trim();
    // Many sections are called so: the name leads nowhere.
    if (/^(?:solutions?|exercises?|hints?|answers?|key ?points|objectives|questions?|prerequisites?|note|tip)$/i.test(name)) continue;
    if (name && wordsOf(name) <= 16 && !seen.has(name)) seen.set(name, passage.id);
  }
  return [...seen].map(([name, id]) => ({ name, id }));
}
