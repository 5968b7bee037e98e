import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { seeded, shuffled } from "../facts.ts";
import { type Item, itemsFrom } from "../items.ts";
import type { Passage } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { isBalanced, setInFormulas } from "./labels.ts";
import { type Line, summaryOf } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { distinctLabels, labelsOf, titleOf } from "./points.ts";
import { type Candidate, candidate } from "./scene.ts";
import { type FilmWords, filmWords, isEnglish } from "./words.ts";

/** Kinds of question that go with an emphasis, by how they begin elsewhere. */
const fitting: Record<Emphasis, RegExp> = {
  intuition: /^(?:Complete it|Why)/,
  "worked-example": /^(?:What does|Which (?:command|code|line)|What is the value|Complete it)/,
  "common-mistakes": /statements is wrong/,
  "exam-recap": /^(?:Which term|Of what|Which word|Complete it)/,
};

/** The closing question: on something the film said, else on its topic; its wrong choices are the topic's own. */
export function closing(said: readonly Candidate[], lines: readonly Line[], passages: readonly Passage[], of: Of): Candidate | null {
  const { emphasis, avoid } = of;
  const own = filmWords(of.language);
  const facts = new Set(said.flatMap(({ says }) => says));
  const narrated = terms(said.map(({ narration }) => narration).join(" "));
  const known = new Map(lines.map((line) => [line.fact.text, line]));
  const cited = new Set(said.flatMap(({ quotes }) => quotes.map(({ passage }) => passage)));
  const near = passages.filter((passage) => cited.has(passage));
  const others = passages.filter((passage) => !cited.has(passage) && passage.kind !== "code").slice(0, 14);
  const items = itemsFrom([...near, ...others], 14, "", near.length).flatMap((item): Asked[] => {
    const asked = askedOf(item, own, of.title, summaryOf(passages)?.said ?? "");
    return asked && !avoid.includes(asked.question) ? [asked] : [];
  });
  const best = items
    .map((asked) => ({ asked, worth: worth(asked, facts, narrated) + (fitting[emphasis].test(asked.item.prompt) ? 0.7 : 0) }))
    .toSorted((a, b) => b.worth - a.worth)[0]?.asked;
  // A word left out asks for little more than reading on.
  const isWeak = !best || /Which word belongs in the gap/.test(best.item.prompt);
  const other = isWeak ? (recalled(said, lines, of) ?? (best ? null : ofSection(said, lines, of))) : null;
  if (!best || other) return other;
  const { item, question, choices } = best;
  const line = known.get(item.text);
  const quote = line?.quote ?? quoteIn(item);
  if (quote === null) return null;
  const explanation = own.explanation(line?.said ?? spoken(item.text) ?? item.text.replace(/`/g, "")).slice(0, 600);
  return candidate({
    layout: "question",
    heading: "",
    narration: forWrong.test(item.prompt) ? own.asksForWrong : own.asks[emphasis],
    at: Number.MAX_SAFE_INTEGER,
    says: [item.text],
    content: { question, choices: shuffled(choices, seeded(question)), explanation },
    quotes: [{ passage: item.passage, quote }],
  });
}

/** Which of several things was said of something: the others are what the topic says of other things. */
function recalled(said: readonly Candidate[], lines: readonly Line[], { emphasis, avoid, language }: Of): Candidate | null {
  const words = filmWords(language);
  for (const { layout, heading, content, says, quotes, narration } of said) {
    const [right] = content.points ?? [];
    const [first] = quotes;
    const question = words.recalled(heading);
    // What a scene merely stands under is nothing that something was said of.
    if (!right || !first || layout !== "points" || heading === titleOf(first.passage) || wordsOf(heading) > 5 || avoid.includes(question))
      continue;
    const [own, asked] = [terms(`${heading} ${narration}`), terms(heading)];
    // The film or its topic may well say more of it than one thing.
    const isOfIt = ({ said: text }: Line): boolean => asked.every((term) => terms(text).includes(term));
    const wrong = distinctLabels([
      right,
      ...lines.flatMap((line) =>
        says.includes(line.fact.text) || isOfIt(line) || overlap(line.fact.segment.terms, own) > 0.3 ? [] : (labelsOf(line)[0] ?? []),
      ),
    ]).slice(1, 4);
    if (wrong.length < 2) continue;
    const choices = [{ text: right, correct: true }, ...wrong.map((text) => ({ text, correct: false }))];
    return candidate({
      layout: "question",
      heading: "",
      narration: words.asks[emphasis],
      at: Number.MAX_SAFE_INTEGER,
      says,
      content: { question, choices: shuffled(choices, seeded(question)), explanation: words.explanation(narration).slice(0, 600) },
      quotes: [first],
    });
  }
  return null;
}

/**
 * Which of some sentences the film said under a heading: the others stand under other ones. For courses in a language whose sentences
 * this model cannot take apart.
 */
function ofSection(said: readonly Candidate[], lines: readonly Line[], { title, emphasis, avoid, language }: Of): Candidate | null {
  if (isEnglish(language)) return null;
  const words = filmWords(language);
  const choiceOf = ({ said: text }: Line): string[] =>
    text.length <= 112 && isBalanced(text) && !setInFormulas.test(text) ? [text.replace(/\.$/, "")] : [];
  const fits = (text: string, heading: string): boolean => !text.toLowerCase().includes(heading.toLowerCase());
  for (const { says, quotes, layout } of said) {
    const line = lines.find(({ fact }) => says.includes(fact.text));
    const heading = line && titleOf(line.passage);
    const question = heading ? words.recalled(heading) : "";
    if (!line || !heading || layout === "title" || heading === title || wordsOf(heading) > 5 || avoid.includes(question)) continue;
    const [right] = choiceOf(line);
    const others = lines.filter(({ passage }) => passage.kind === "prose" && titleOf(passage) !== heading).flatMap(choiceOf);
    const wrong = distinctLabels(
      shuffled(
        others.filter((text) => fits(text, heading)),
        seeded(question),
      ),
    ).slice(0, 3);
    if (!right || !fits(right, heading) || wrong.length < 2 || wrong.includes(right)) continue;
    const choices = [{ text: right, correct: true }, ...wrong.map((text) => ({ text, correct: false }))];
    return candidate({
      layout: "question",
      heading: "",
      narration: words.asks[emphasis],
      at: Number.MAX_SAFE_INTEGER,
      says,
      content: { question, choices: shuffled(choices, seeded(question)), explanation: words.explanation(line.said).slice(0, 600) },
      quotes: quotes.slice(0, 1),
    });
  }
  return null;
}

/** The film that is asked about. */
interface Of {
  title: string;
  emphasis: Emphasis;
  language: string;
  /** What is not to be asked. */
  avoid: readonly string[];
}

interface Asked {
  item: Item;
  question: string;
  choices: { text: string; correct: boolean }[];
}

/** An item as a film can ask it: short, in plain words, with three or four choices that fit on screen. */
function askedOf(item: Item, own: FilmWords, title: string, opening: string): Asked | null {
  if (item.kind !== "single") return null;
  // What statements are about stands in a list there; a film names its topic.
  const verdict = /^Which of these statements is (true|wrong)\?/.exec(item.prompt)?.[1];
  const asked = own.questions.reduce((prompt, [begins, words]) => prompt.replace(begins, words), item.prompt);
  const question = verdict ? own.statement(title, verdict === "true") : spoken(asked);
  const right = item.choices.find(({ correct }) => correct);
  const wrong = item.choices.filter(({ correct }) => !correct);
  const texts = [right, ...wrong].flatMap((choice) => (choice ? [{ correct: choice.correct, text: plain(choice.text) }] : []));
  if (!question || setInFormulas.test(question) || question.length > 190 || texts.some(({ text }) => text === null)) return null;
  const fitting = texts
    .filter(
      ({ text, correct }) =>
        correct || !(unlikely.test(text ?? "") || interchangeable.test(text ?? "") || saysTheSame(text, texts[0]?.text)),
    )
    // A statement is a whole sentence, and not what the film began with.
    .filter(({ text }) => !verdict || !(fragment.test(text ?? "") || opening.includes(text ?? "")))
    .flatMap(({ text, correct }) =>
      text !== null && text.length <= 112 && !setInFormulas.test(text) && isBalanced(text) ? [{ text, correct }] : [],
    )
    .slice(0, 4);
  if (fitting.length < 3 || !fitting[0]?.correct) return null;
  return { item, question, choices: fitting };
}

/** What is said of columns is often as true of rows: neither makes a wrong choice of the other. */
const interchangeable = /\brows?\b/i;

const forWrong = /^Which of these statements is wrong\?/;
const fragment = /^(?:not|whatever|what|which)\b|\b(?:this|that|it)$/i;

/** Whether one choice names the same as another in other words ("multiplying matrices", "matrix multiplication"): both would be right. */
function saysTheSame(one: string | null, other: string | null | undefined): boolean {
  const [mine, theirs] = [one, other].map((text) => terms(text ?? ""));
  const alike = (a: string, b: string): boolean => a.slice(0, 5) === b.slice(0, 5);
  return (
    (mine?.length ?? 0) > 0 && mine?.length === theirs?.length && (mine ?? []).every((term) => theirs?.some((its) => alike(term, its)))
  );
}

/** Beginnings of wrong choices that give themselves away. */
const unlikely = /^(?:more|most|less|if|when|it|this|that|there|what feels)\b/i;

const plain = (text: string): string | null => {
  const said = spoken(text);
  return said === null ? null : said.replace(/^…\s*/, "… ").replace(/(?<=\w)\.$/, "");
};

function worth({ item, question, choices }: Asked, facts: ReadonlySet<string>, narrated: readonly string[]): number {
  const lengths = choices.map(({ text }) => text.length);
  const even = 1 - (Math.max(...lengths) - Math.min(...lengths)) / 90;
  const gap = question.includes("____") ? -0.8 : 0;
  return (facts.has(item.text) ? 2 : 0) + overlap(terms(item.text), narrated) * 1.5 + even + gap + (choices.length - 3) * 0.3;
}

/** The item's own words in its passage, as they stand there. */
function quoteIn({ passage, text }: Item): string | null {
  const bare = text.replace(/`/g, "").replace(/\s+/g, " ").trim();
  const held = passage.text.replace(/\s+/g, " ");
  if (held.includes(text.slice(0, 300))) return text.slice(0, 300);
  if (held.includes(bare.slice(0, 300))) return bare.slice(0, 300);
  const line = passage.text.split("\n").find((row) => overlap(terms(row), terms(text)) > 0.7 && row.trim().length >= 8);
  return line ? line.trim().slice(0, 300) : null;
}
