import type { GeneratedTeachingStep } from "@colloquy/schemas/generation/teaching-step.ts";
import { written } from "../answer.ts";
import { factsOf, standsAlone } from "../facts.ts";
import type { Prompt } from "../prompt.ts";
import { readQuestion } from "../question.ts";
import { rank } from "../ranking.ts";
import { choose } from "../select.ts";
import { objectivesOf } from "./objectives.ts";

/** One step taught with the course's own sentences, and what to keep of it. */
export function makeTeachingStep(prompt: Prompt): GeneratedTeachingStep | null {
  const objectives = objectivesOf(prompt)
    .map((objective) => objective.text)
    .join(" ");
  const asked = readQuestion({ ...prompt, question: `Summarise ${objectives || prompt.question}` });
  const ranking = rank(prompt.passages, { ...asked, kind: "summary" });
  const stretches = choose(ranking, { ...asked, kind: "summary" }, { words: 190, sentences: 9 });
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
    // In the course's order: a lesson is read from its beginning.
    markdown: stretches
      .toSorted((a, b) => prompt.passages.indexOf(a.passage) - prompt.passages.indexOf(b.passage))
      .map(written)
      .join("\n\n")
      .slice(0, 4_000),
    keyPoints: points.length ? points : [fallback.slice(0, 600)],
    passages: used.slice(0, 6).map((passage) => passage.id),
  };
}
