import { z } from "zod";
import { answer, written } from "../answer.ts";
import { isLesson } from "../facts.ts";
import { translatorOf } from "../language.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { type Question, readQuestion } from "../question.ts";
import { rank } from "../ranking.ts";
import { segmentsOf } from "../segments.ts";
import { choose, verdictOf } from "../select.ts";
import { smallTalk } from "../small-talk.ts";
import { terms, weightOf } from "../terms.ts";
import { exampleText, isShownIn, lengthOf, nothingElse, wholeOf } from "./teaching-step.ts";

const limits = { words: 110, sentences: 5 };
/** What the question rests on is shown whole up to so many words. */
const wholeWords = 160;

const asksForExample = /\b(?:examples?|beispiele?)\b|مثال/iu;
/** Words of asking back; what has no others is about the open question, or about the lesson. */
const asksBack =
  /^(?:(?:why|how|what|come|so|but|is|are|was|does|do|did|not|that|this|it|mean|means|meant|give|show|me|an?|another|one|more|please|i|you|can|could|don't|dont|understand|get|see|follow|explain|again|example|examples|warum|wieso|und|wie|was|das|ein|beispiel|bitte|noch|nicht|ich|verstehe|heißt|لماذا|مثال)(?:[\s,.?!…]+|$))+$/iu;

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
  if (!asksBack.test(prompt.question.trim())) {
    const asked = readQuestion({ ...prompt, history: [] });
    const isAbout = [...asked.terms.keys()].some((term) => weightOf(term) >= 1);
    return isAbout && verdictOf(rank(prompt.passages, asked), asked) === "answered" ? answer(prompt) : nothingElse;
  }
  const read = prompt.history.flatMap(({ role, text }) => (role === "assistant" ? [text] : []));
  const objective = z.string().safeParse(taggedJson(prompt, "objective")).data ?? "";
  const open = z.object({ question: z.string() }).safeParse(taggedJson(prompt, "open")).data?.question ?? "";
  const focus = prompt.passages.filter(({ id }) => about.data.includes(id));
  const subject = readQuestion({ ...prompt, history: [], question: `Summarise ${objective} ${open}` });
  const asked: Question = { ...subject, kind: "summary", leans: true };
  if (asksForExample.test(prompt.question)) {
    const pages = new Set(focus.map(({ trail }) => trail.join("\n")));
    const passages = prompt.passages.filter(({ trail }) => pages.has(trail.join("\n")));
    return exampleText({ ...prompt, passages }, { asked, shown: read }) ?? nothingElse;
  }
  const fresh = focus.filter((passage) => isLesson(passage) && !isShownIn(passage, read));
  const known = new Set(terms(`${objective} ${open}`));
  const isOnIt = fresh.some((passage) => segmentsOf(passage).some((segment) => segment.terms.some((term) => known.has(term))));
  if (!isOnIt) return nothingElse;
  const stretches = lengthOf(fresh) <= wholeWords ? fresh.map(wholeOf) : choose(rank(fresh, asked), asked, limits);
  return written(
    stretches.toSorted((a, b) => prompt.passages.indexOf(a.passage) - prompt.passages.indexOf(b.passage)),
    translator,
  );
}
