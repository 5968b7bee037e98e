import type { GeneratedTeachingStep } from "@colloquy/schemas/generation/tutor.ts";
import { z } from "zod";
import { written } from "../answer.ts";
import { factsOf, isLesson, standsAlone } from "../facts.ts";
import { translatorOf } from "../language.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { type Question, readQuestion } from "../question.ts";
import { rank } from "../ranking.ts";
import type { Passage } from "../segments.ts";
import { choose, type Stretch } from "../select.ts";
import { focusOf, objectivesOf } from "./objectives.ts";

const limits = { words: 190, sentences: 9 };

/** Passages that teach: no notes to teachers, overviews of questions and times, tasks, or what a program printed without a word on it. */
const lessons = (passages: readonly Passage[]): Passage[] => passages.filter((passage) => isLesson(passage));

/** What a lesson on the prompt's objectives says: sentences of the passages in focus, or of all; another angle says other ones. */
function lesson(prompt: Prompt, angle: number): Stretch[] {
  const objectives = objectivesOf(prompt)
    .map((objective) => objective.text)
    .join(" ");
  const asked: Question = { ...readQuestion({ ...prompt, question: `Summarise ${objectives || prompt.question}` }), kind: "summary" };
  const focus = lessons(focusOf(prompt));
  const all = lessons(prompt.passages);
  const ranking = rank(focus.length > 0 ? focus : all, asked);
  const translator = translatorOf(prompt);
  let said = "";
  let stretches: Stretch[] = [];
  for (let turn = 1; turn <= angle; turn += 1) {
    // What one angle has said, the next leaves out; when nothing else is left in focus, the whole is looked at, then the first again.
    const fresh = choose(ranking, { ...asked, leans: turn > 1 }, limits, said);
    const wider = fresh.length > 0 ? fresh : choose(rank(all, asked), { ...asked, leans: true }, limits, said);
    stretches = wider.length > 0 ? wider : choose(ranking, asked, limits);
    said += written(stretches, translator);
  }
  return stretches;
}

/** In the course's order: a lesson is read from its beginning. */
const inOrder = (prompt: Prompt, stretches: readonly Stretch[]): string =>
  written(
    stretches.toSorted((a, b) => prompt.passages.indexOf(a.passage) - prompt.passages.indexOf(b.passage)),
    translatorOf(prompt),
  );

const step = z.object({ title: z.string(), angle: z.int().min(1).max(20) });

/** The step a prompt asks to be taught in running text, from the course's own sentences; null when it asks for none. */
export function teachingText(prompt: Prompt): string | null {
  const asked = step.safeParse(taggedJson(prompt, "teach"));
  if (!asked.success) return null;
  const stretches = lesson(prompt, asked.data.angle);
  return stretches.length > 0 ? inOrder(prompt, stretches) : null;
}

/** One step taught with the course's own sentences, and what to keep of it. */
export function makeTeachingStep(prompt: Prompt): GeneratedTeachingStep | null {
  const stretches = lesson(prompt, 1);
  const [first] = stretches;
  if (!first) return null;
  const used = prompt.passages.filter((passage) => stretches.some((stretch) => stretch.passage === passage));
  const facts = factsOf(used);
  const points = (facts.some((fact) => standsAlone(fact)) ? facts.filter((fact) => standsAlone(fact)) : facts)
    .slice(0, 3)
    .map((fact) => fact.text);
  const fallback = first.segments.find((segment) => segment.kind === "sentence" || segment.kind === "item")?.text ?? first.passage.title;
  return {
    title: (first.passage.title || first.passage.trail.at(-1) || "This step").slice(0, 200),
    markdown: inOrder(prompt, stretches).slice(0, 4_000),
    keyPoints: points.length ? points : [fallback.slice(0, 600)],
    passages: used.slice(0, 6).map((passage) => passage.id),
  };
}
