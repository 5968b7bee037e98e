import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { ellipsis, withoutPrompt } from "@colloquy/schemas/explainers/trace.ts";
import { seeded, shuffled } from "../facts.ts";
import { type Item, itemsFrom } from "../items.ts";
import { type Passage, sentencesOf } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { kindOfCode, namesTold, type Printed, printedIn, programsIn, typedCommands } from "./code-names.ts";
import { showsMistake } from "./emphasis.ts";
import { ofGap, ofKeyPoint } from "./gap-questions.ts";
import { isBalanced, setInFormulas } from "./labels.ts";
import { type Line, summaryOf } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { distinctLabels, titleOf } from "./points.ts";
import { briefly, longRead, type Of, onSentence, questionScene, readIn } from "./question-scene.ts";
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
  const isTold = ({ text }: Item): boolean => facts.has(text) || overlap(terms(text), narrated) > 0.7;
  const near = passages.filter((passage) => cited.has(passage));
  const others = passages.filter((passage) => !cited.has(passage) && passage.kind !== "code").slice(0, 14);
  const isMistake = (scene: Candidate): number => Number(emphasis === "common-mistakes" && showsMistake(scene, of.language));
  const first = said.toSorted((one, other) => isMistake(other) - isMistake(one));
  const ofRun =
    ofOutput(first, passages, of) ??
    ofCommand(first, passages, of) ??
    ofGap(first, passages, of) ??
    ofError(first, passages, of) ??
    ofPrinting(first, passages, of) ??
    ofKeyPoint(first, passages, of);
  const ofCode = said.filter(({ layout }) => layout === "trace" || layout === "code");
  const isOfCode = passages.some(({ code }) => code) && ofCode.length >= said.length / 3;
  if (ofRun && isOfCode) return ofRun;
  const items = itemsNear(near, others, passages).flatMap((item): Asked[] => {
    const asked = askedOf(item, own, of.title, summaryOf(passages)?.said ?? "");
    // A statement about code with one word changed is as likely true.
    if (isOfCode && /^Which of these statements/.test(item.prompt)) return [];
    return asked && isTold(item) && !avoid.includes(asked.question) ? [asked] : [];
  });
  const best = items
    .map((asked) => ({ asked, worth: worth(asked, facts, narrated) + (fitting[emphasis].test(asked.item.prompt) ? 0.7 : 0) }))
    .toSorted((a, b) => b.worth - a.worth)[0]?.asked;
  if (!best) {
    return ofRun ?? ofName(first, namesTold(lines, passages), of) ?? ofLine(first, of) ?? ofSection(first, lines, of);
  }
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

const knownItems = new WeakMap<readonly Passage[], Map<string, readonly Item[]>>();
/** Items on passages and then on others of a page: films of a page cite the same passages again and again. */
function itemsNear(near: readonly Passage[], others: readonly Passage[], page: readonly Passage[]): readonly Item[] {
  const known = knownItems.get(page) ?? new Map<string, readonly Item[]>();
  knownItems.set(page, known);
  const key = near.map(({ id }) => id).join();
  const items = known.get(key) ?? itemsFrom([...near, ...others], 48, "", near.length);
  known.set(key, items);
  return items;
}

/** What a command of the film prints; the others are lines that the same program prints elsewhere on the page. */
function ofOutput(said: readonly Candidate[], passages: readonly Passage[], { emphasis, avoid, language }: Of): Candidate | null {
  const words = filmWords(language);
  const all = printedIn(passages);
  // A command that prints something else elsewhere on the page cannot be asked about.
  const onlyRuns = all.filter(({ command }) => all.filter((one) => one.command === command).length === 1);
  const programOf = ({ command }: Printed): string => programsIn(command)[0] ?? "";
  for (const scene of said) {
    const shown = onlyRuns.find(
      ({ command, output }) =>
        output.length === 1 &&
        (scene.content.code?.trim() === `$ ${command}\n${output[0]}` ||
          (scene.layout === "trace" && scene.content.start === "" && codeOf(scene) === command)),
    );
    const [right = ""] = shown?.output ?? [];
    if (!shown || right.length > 60) continue;
    const question = words.printedBy(shown.command);
    const others = all.flatMap((one) => (one !== shown && programOf(one) === programOf(shown) && one.output.length <= 6 ? one.output : []));
    const wrong = shuffled(
      [...new Set(others)].filter((line) => line !== right && line.length > 1 && line.length <= 60),
      seeded(question),
    ).slice(0, 3);
    if (wrong.length < 2 || question.length > 190 || avoid.includes(question)) continue;
    return questionScene({
      narration: words.asks[emphasis],
      question,
      right,
      wrong,
      explanation: words.printed(shown.command, right),
      says: scene.says,
      quotes: [
        right.length >= 6
          ? { passage: passages[passages.indexOf(shown.passage) + 1] ?? shown.passage, quote: right }
          : { passage: shown.passage, quote: shown.passage.text.slice(0, 300) },
      ],
    });
  }
  return null;
}

const codeOf = ({ content }: Candidate): string =>
  withoutPrompt(
    (content.code ?? "")
      .split("\n")
      .map((line) => line.trim())
      .join(" "),
  ).trim();

/** Which command a sentence of the film spoke of; the others are of the same program. */
function ofCommand(said: readonly Candidate[], passages: readonly Passage[], of: Of): Candidate | null {
  const words = filmWords(of.language);
  const all = [...typedCommands(passages)];
  const uses = (text: string, command: string): number =>
    text.split(new RegExp(`(?<![\\w-])${RegExp.escape(command)}(?![\\w-])`, "u")).length - 1;
  for (const scene of said) {
    const { narration, content } = scene;
    for (const sentence of sentencesOf(narration).map((text) => text.trim())) {
      const named = all.filter((command) => uses(sentence, command) > 0);
      const [right = ""] = named;
      const question = words.commandGap(sentence.replace(right, "____"));
      const [program = ""] = right.split(" ");
      const wrong = shuffled(
        all.filter((other) => other !== right && other.startsWith(`${program} `) && !narration.includes(other)),
        seeded(question),
      ).slice(0, 3);
      if (named.length !== 1 || uses(sentence, right) > 1 || !(content.code ?? "").includes(right) || wrong.length < 2) continue;
      const asked = onSentence(sentence, { question, right, wrong }, scene, of);
      if (asked) return asked;
    }
  }
  return null;
}

/** Which kind of error a message of the film was of; the others are kinds of the same page. */
function ofError(said: readonly Candidate[], passages: readonly Passage[], { emphasis, avoid, language }: Of): Candidate | null {
  const words = filmWords(language);
  const kinds = new Set(passages.flatMap(({ text }) => text.match(/\b\p{Lu}\p{L}+Error\b/gu) ?? []));
  for (const { content, says } of said) {
    const [, right = "", message = ""] = /^(\p{Lu}\p{L}+Error): (.{6,90})$/u.exec((content.printed ?? "").split("\n").at(-1) ?? "") ?? [];
    const passage = passages.find(({ text }) => text.includes(`${right}: ${message}`));
    const question = words.errorSaying(message);
    const wrong = shuffled(
      [...kinds].filter((kind) => kind !== right && !passages.some(({ text }) => text.includes(`${kind}: ${message}`))),
      seeded(question),
    ).slice(0, 3);
    if (right === "" || !passage || wrong.length < 2 || question.length > 190 || avoid.includes(question)) continue;
    return questionScene({
      narration: words.asks[emphasis],
      question,
      right,
      wrong,
      explanation: words.errorSaid(right, message),
      says,
      quotes: [{ passage, quote: `${right}: ${message}` }],
    });
  }
  return null;
}

/** Which code of the film printed a line; the others are code of the page that never prints it. */
function ofPrinting(said: readonly Candidate[], passages: readonly Passage[], { emphasis, avoid, language }: Of): Candidate | null {
  const words = filmWords(language);
  const all = printedIn(passages).filter(({ command }) => command.length <= 60);
  for (const scene of said) {
    const own = scene.layout === "trace" && scene.content.start === "" ? codeOf(scene) : "";
    const printed = (scene.content.printed ?? "")
      .split("\n")
      .map((text) => text.trim())
      .filter((text) => text !== "" && text !== ellipsis);
    const isOf = (output: readonly string[]): boolean => printed.length > 0 && printed.every((text) => output.includes(text));
    const run = all.find(({ command, output }) => command === own && isOf(output));
    const line = printed.filter((text) => /\p{L}{3}|^\S+$/u.test(text) && text.length >= 3 && text.length <= 70).at(-1) ?? "";
    const prints = ({ output }: Printed): boolean => output.some((text) => text.includes(line));
    // A text that the code has in quotes gives it away.
    const isGiven = [...own.matchAll(/(["'])(.{3,}?)\1/g)].some(([, , text = ""]) => line.includes(text.trim().replace(/:$/, "")));
    if (!run || line === "" || isGiven || all.some((one) => one.command !== own && prints(one))) continue;
    const question = words.printing(line);
    const shownFirst = said.map(codeOf);
    const others = all.filter((one) => !prints(one) && !one.command.includes(own) && !own.includes(one.command));
    const wrong = shuffled([...new Set(others.map(({ command }) => command))], seeded(question))
      .toSorted((a, b) => Number(shownFirst.includes(b)) - Number(shownFirst.includes(a)))
      .slice(0, 3);
    if (wrong.length < 2 || question.length > 190 || avoid.includes(question)) continue;
    return questionScene({
      narration: words.asks[emphasis],
      question,
      right: own,
      wrong,
      explanation: words.printed(own, line),
      says: scene.says,
      quotes: [run.passage, passages[passages.indexOf(run.passage) + 1] ?? run.passage].flatMap((passage, place) => {
        const quote = (place === 0 ? passage.text.trim().split("\n").at(-1) : line) ?? "";
        return quote.length >= 6 ? [{ passage, quote: quote.slice(0, 300) }] : [];
      }),
    });
  }
  return null;
}

/** Which name of code a sentence of the film spoke of, where that sentence says what it is or does; the others are those of other scenes. */
function ofName(said: readonly Candidate[], all: readonly string[], { emphasis, avoid, language }: Of): Candidate | null {
  const words = filmWords(language);
  for (const { names = [], narration, quotes, says } of said) {
    const [name = ""] = names;
    const sentence = sentencesOf(narration)[0]?.trim() ?? "";
    const question = words.nameGap(sentence.replace(name, "____"));
    const wrong = shuffled(
      all.filter((other) => shapeOf(other) === shapeOf(name) && !narration.includes(other)),
      seeded(question),
    ).slice(0, 3);
    if (names.length !== 1 || wrong.length < 2 || !tellsOf(name, sentence) || question.length > 190 || avoid.includes(question)) continue;
    return questionScene({
      narration: words.asks[emphasis],
      question,
      right: name,
      wrong,
      explanation: words.explanation(sentence),
      says,
      quotes: quotes.slice(0, 1),
    });
  }
  return null;
}

/** Which line of code a sentence of the film spoke of, its names left out; the others are lines of the film's other scenes. */
function ofLine(said: readonly Candidate[], { emphasis, avoid, language }: Of): Candidate | null {
  const words = filmWords(language);
  const linesIn = ({ content }: Candidate): string[] =>
    (content.code ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= 6 && line.length <= 60 && !/^(?:--|#\s|\/\/|import\b|open\b|variable\b)/.test(line));
  const codes = said.filter(({ layout }) => layout === "code");
  for (const scene of codes) {
    const { names = [], narration, quotes, says } = scene;
    const sentence = sentencesOf(narration)[0]?.trim() ?? "";
    const own = names.filter((name) => sentence.includes(name));
    const right = linesIn(scene).find((line) => own.length > 0 && own.some((name) => line.includes(name)));
    const question = words.lineOf(own.reduce((text, name) => text.replaceAll(name, "____"), sentence));
    const others = codes.flatMap((other) =>
      other === scene ? [] : (linesIn(other).find((line) => !own.some((name) => line.includes(name))) ?? []),
    );
    const wrong = shuffled(
      [...new Set(others)].filter((line) => line !== right),
      seeded(question),
    ).slice(0, 3);
    if (right === undefined || wrong.length < 2 || question.length > 190 || avoid.includes(question)) continue;
    return questionScene({
      narration: words.asks[emphasis],
      question,
      right,
      wrong,
      explanation: words.explanation(sentence),
      says,
      quotes,
    });
  }
  return null;
}

const shapeOf = (name: string): string =>
  /^-/.test(name) ? "option" : /^#/.test(name) ? "command" : /[._]/.test(name) ? "path" : /^\p{Lu}/u.test(name) ? "type" : "word";

/** Whether a sentence says what a name stands for: it is its subject, is called a command in it, or explained behind it. */
function tellsOf(name: string, sentence: string): boolean {
  const own = name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return (
    sentence.split(name).length === 2 &&
    new RegExp(
      `^(?:The )?${own} (?:\\p{Ll}+s|\\p{Ll}+ \\p{Ll}+s)\\b|${own} (?:${kindOfCode})\\b|\\b(?:${kindOfCode})(?: is)? ${own}\\b`,
      "u",
    ).test(sentence)
  );
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
    return questionScene({
      narration: words.asks[emphasis],
      question,
      right,
      wrong,
      explanation: words.explanation(line.said),
      says,
      quotes: quotes.slice(0, 1),
    });
  }
  return null;
}

interface Asked {
  item: Item;
  question: string;
  choices: { text: string; correct: boolean }[];
}

/** An item as a film can ask it: short, in plain words, with three or four choices that fit on screen. */
function askedOf(item: Item, own: FilmWords, title: string, opening: string): Asked | null {
  // A word left out asks for little more than reading on.
  if (item.kind !== "single" || /belongs in the gap/.test(item.prompt) || asksForAnyName(item)) return null;
  const key = item.choices.find(({ correct }) => correct)?.text ?? "";
  if (forWrong.test(item.prompt) && isDenied(key, item.text)) return null;
  // What statements are about stands in a list there; a film names its topic.
  const verdict = /^Which of these statements is (true|wrong)\?/.exec(item.prompt)?.[1];
  const asked = own.questions.reduce((prompt, [begins, words]) => prompt.replace(begins, words), item.prompt);
  const question = verdict ? own.statement(title, verdict === "true") : spoken(asked);
  const right = item.choices.find(({ correct }) => correct);
  // Statements that deny give themselves away among others, and others made by a mere "not" beside it are no better.
  if (verdict && denial.test(right?.text ?? "")) return null;
  const wrong = item.choices.filter(({ correct }) => !correct);
  const texts = [right, ...wrong].flatMap((choice) => (choice ? [{ correct: choice.correct, text: plain(choice.text) }] : []));
  if (!question || setInFormulas.test(question) || question.length > 190 || texts.some(({ text }) => text === null)) return null;
  const fitting = texts
    .filter(
      ({ text, correct }) =>
        correct || !(unlikely.test(text ?? "") || interchangeable.test(text ?? "") || saysTheSame(text, texts[0]?.text)),
    )
    // A statement is a whole sentence, and not what the film began with; one that a mere "not" made wrong gives itself away.
    .filter(
      ({ text }) => !verdict || !(fragment.test(text ?? "") || opening.includes(text ?? "") || isDenied(text ?? "", right?.text ?? "")),
    )
    .flatMap(({ text, correct }) =>
      text !== null && text.length <= 112 && !setInFormulas.test(text) && isBalanced(text) ? [{ text, correct }] : [],
    )
    .slice(0, 4);
  if (fitting.length < 3 || !fitting[0]?.correct) return null;
  return { item, question, choices: briefly(question, fitting) };
}

/** Whether a statement denies something, where the right one does not. */
const isDenied = (text: string, right: string): boolean => denial.test(text) && !denial.test(right);
const denial = /\b(?:not|cannot|never|no)\b|n['’]t\b/i;

/** Asks which of several things is described, and they are of all kinds: only names of code are alike enough to be mixed up. */
const asksForAnyName = ({ prompt, choices }: Item): boolean =>
  /^Which term does this describe/.test(prompt) &&
  !choices.every(({ text }) => /^`[^`]+`$/.test(text) || /^\p{Ll}[\p{Ll}\d_.-]*$/u.test(text));

/** What is said of columns is often as true of rows: neither makes a wrong choice of the other. */
const interchangeable = /\brows?\b/i;

const forWrong = /^Which of these statements is wrong\?/;
const fragment = /^(?:not|whatever|what|which|first|second|next|finally|also)\b|^\(|\b(?:this|that|it)$/i;

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
  const long = Math.max(0, readIn(question, choices) - longRead) / 4;
  return (facts.has(item.text) ? 2 : 0) + overlap(terms(item.text), narrated) * 1.5 + even + gap + (choices.length - 3) * 0.3 - long;
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
