import { bounds } from "@colloquy/schemas/bounds.ts";
import { courseOfHref } from "@colloquy/schemas/payload.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { contentWords } from "../grounding/quote.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";

/**
 * Follow-up questions: headings of passages that were retrieved but not cited, so the course can answer each of them. If the answer cites
 * any course, only from cited courses. Made without a model.
 */
export function followUps(
  passages: readonly TurnPassage[],
  citations: readonly Citation[],
  request: { message: string; history: readonly { text: string }[] },
): string[] {
  const used = new Set(citations.map((citation) => citation.sourceId));
  const usedHeadings = new Set(passages.filter((passage) => used.has(passage.sourceId)).map((passage) => passage.heading));
  const courses = new Set(citations.map((citation) => courseOfHref(citation.href)));
  const asked = new Set([request.message, ...request.history.map((entry) => entry.text)].map(normal));
  const prompts: string[] = [];
  for (const passage of passages) {
    if (courses.size > 0 && !courses.has(passage.courseId)) continue;
    const heading = passage.heading.replace(/[`*_]/g, "").trim();
    if (!rolesWithTitle.has(passage.role) || usedHeadings.has(passage.heading) || contentWords(heading).length === 0) continue;
    usedHeadings.add(passage.heading);
    const prompt = heading.endsWith("?") ? heading : `What does the course say about “${heading}”?`;
    if (prompt.length > bounds.followUps.length || asked.has(normal(prompt))) continue;
    prompts.push(prompt);
    if (prompts.length === bounds.followUps.count) break;
  }
  return prompts;
}

/** Roles whose heading is a title: no labels of formulas, no solutions. */
const rolesWithTitle = new Set<TurnPassage["role"]>(["prose", "callout", "key-points", "exercise", "objectives"]);

const normal = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
