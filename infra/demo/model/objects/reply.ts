import { z } from "zod";
import { answer, written } from "../answer.ts";
import { isLesson } from "../facts.ts";
import { translatorOf } from "../language.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { type Question, readQuestion } from "../question.ts";
import { rank } from "../ranking.ts";
import { type Passage, segmentsOf } from "../segments.ts";
import { choose, type Stretch, verdictOf } from "../select.ts";
import { smallTalk } from "../small-talk.ts";
import { terms, weightOf } from "../terms.ts";
import { openQuestionOf, withoutAnswers } from "./open-question.ts";
import { exampleText, isShownIn, lengthOf, nothingElse, wholeOf } from "./teaching-step.ts";

const limits = { words: 110, sentences: 5 };
/** Share of what the best passage says of the question from which another one is about it, too. */
const alsoAbout = 0.5;
/** What the question rests on is shown whole up to so many words. */
const wholeWords = 160;

/** Words of asking back; a question that has no others is about the open question or the lesson. */
const wordsOfAsking = new Set(
  (
    "why how what what's come so but and or is are was am does do did can could not isn't don't dont doesn't doesnt didn't can't cant no that that's this it it's the " +
    "mean means meant give show tell help me my i i'm im you a an another one once more again else still really please get see know follow understand explain " +
    "make makes sense step steps point points part line lost stuck confused clear unclear example examples in of to for about other words different differently way simpler further time " +
    "schritt punkt teil zeile sehe nachvollziehen warum wieso weshalb wie was und oder aber das dies dieses es ist heißt bedeutet meint gemeint ein eins eine andere anderen anders anderes weiteres beispiel beispiele bitte " +
    "noch mal nochmal einmal mehr genauer einfacher nicht kein keine gar ich bin du sie mir dazu davon darüber mit auf weise worten kannst können könnten gib geben zeig zeigen sag sagen " +
    "erklär erkläre erklären verstehe verstanden unklar klar verwirrt komme weiß " +
    "خطوة الخطوة جزء سطر أرى لماذا لم لا ليس كيف ما ماذا من هل هذا هذه ذلك هو هي يعني معنى تعني تقصد أعطني أعطيني أعط أرني أخبرني قل لي مثال مثالا أمثلة آخر أخرى أكثر المزيد مزيدا مرة ثانية " +
    "فضلك لو سمحت أن يمكنك يمكن تشرح اشرح اشرحه اشرحها شرح توضيح وضح أفهم فهمت أعرف واضح غير بطريقة بكلمات أنا تائه عن في"
  ).split(" "),
);
/** A step of what was shown, by its number; the digits may be Arabic. */
const namedStep = /(?:^|\s)(?:steps?|points?|schritt|punkt|(?:ال)?خطوة)\s+(\p{Nd}{1,2})(?=\s|$)/u;
const isNumber = (word: string): boolean => /^\p{Nd}{1,2}$/u.test(word);
const isAsking = (word: string): boolean => wordsOfAsking.has(word) || isNumber(word);
const westernDigits = (digits: string): string => digits.replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
const wordsOfExamples = /^(?:examples?|beispiele?|مثالا?|أمثلة)$/u;

/** The words of a question with one apostrophe, and without the Arabic signs of vowels, which may be left out. */
const wordsOf = (question: string): string[] =>
  question
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\u064B-\u0652]/g, "")
    .match(/[\p{L}\p{M}\p{N}]+(?:'\p{L}+)?/gu) ?? [];

/** An entry of a numbered list, and the one that it leads to. */
function stepOf(passage: Passage, number: string): Stretch | null {
  const segments = segmentsOf(passage);
  const at = segments.findIndex(({ kind, raw }) => kind === "item" && /^\s*(\d{1,2})[.)]\s/.exec(raw)?.[1] === number);
  return at === -1 ? null : { passage, segments: segments.slice(at, at + 2), announced: new Map() };
}

/**
 * The answer to a learner who asks back: from the passages that the open question or the lesson rests on, or from the rest of the page;
 * null for another prompt. Where these say nothing about it, the sign for that.
 */
export function replyText(prompt: Prompt): string | null {
  const about = z.array(z.string()).safeParse(taggedJson(prompt, "about"));
  if (!about.success) return null;
  const translator = translatorOf(prompt);
  const talk = smallTalk(prompt.question, translator);
  if (talk !== null) return talk;
  const open = openQuestionOf(prompt);
  const passages = open ? withoutAnswers(prompt.passages, open) : prompt.passages;
  const words = wordsOf(prompt.question);
  if (words.length === 0 || !words.every(isAsking)) {
    const asked = readQuestion({ ...prompt, history: [] });
    const isAbout = [...asked.terms.keys()].some((term) => weightOf(term) >= 1);
    if (!isAbout) return nothingElse;
    // Where nothing answers, the nearest sections are named; without such the course is not about it.
    const said = answer({ ...prompt, passages });
    return verdictOf(rank(passages, asked), asked) !== "unanswered" || /\[s\d+\]/.test(said) ? said : nothingElse;
  }
  const read = prompt.history.flatMap(({ role, text }) => (role === "assistant" ? [text] : []));
  const objective = z.string().safeParse(taggedJson(prompt, "objective")).data ?? "";
  const focus = passages.filter(({ id }) => about.data.includes(id));
  const subject = (text: string): Question => ({
    ...readQuestion({ ...prompt, history: [], question: `Summarise ${text}` }),
    kind: "summary",
    leans: true,
  });
  const asked = subject(`${objective} ${open?.question ?? ""}`);
  if (words.some((word) => wordsOfExamples.test(word))) {
    const pages = new Set(focus.map(({ trail }) => trail.join("\n")));
    const own = passages.filter(({ trail }) => pages.has(trail.join("\n")));
    const example = (among: Passage[]) => exampleText({ ...prompt, passages: among }, { asked, shown: read });
    return example(own) ?? example(passages) ?? nothingElse;
  }
  const [, number] = namedStep.exec(words.join(" ")) ?? [];
  const entry = number === undefined ? undefined : focus.map((passage) => stepOf(passage, westernDigits(number))).find(Boolean);
  if (entry) return written([entry], translator);
  const known = new Set(terms(`${objective} ${open?.question ?? ""}`));
  const isOnIt = (passage: Passage): boolean => segmentsOf(passage).some((segment) => segment.terms.some((term) => known.has(term)));
  const fresh = (among: readonly Passage[]) => among.filter((one) => isLesson(one) && isOnIt(one) && !isShownIn(one, read));
  // What the question or the lesson rests on, then the rest of the page.
  const lessons = passages.filter(isLesson);
  const ofPage = lessons.filter(({ isAttached }) => isAttached);
  const ranked = rank(ofPage.length > 0 ? ofPage : lessons, subject(objective)).passages;
  const near = ranked.filter(({ score }) => score >= alsoAbout * (ranked[0]?.score ?? 0)).map(({ passage }) => passage);
  const told = fresh(focus).length > 0 ? fresh(focus) : fresh(near).slice(0, 1);
  if (told.length === 0) return nothingElse;
  const stretches = lengthOf(told) <= wholeWords ? told.map(wholeOf) : choose(rank(told, asked), asked, limits);
  return written(
    stretches.toSorted((one, other) => passages.indexOf(one.passage) - passages.indexOf(other.passage)),
    translator,
  );
}
