import { emphases } from "@colloquy/schemas/explainers/storyboard.ts";
import { type GeneratedStoryboard, generatedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { z } from "zod";
import { draftStoryboard } from "../film/board.ts";
import { withCodeFacts } from "../film/code-names.ts";
import { diagramsIn } from "../film/diagrams.ts";
import { picturesIn } from "../film/figures.ts";
import { type Prompt, taggedJson } from "../prompt.ts";

const topicTag = z.object({
  title: z.string(),
  course: z.string(),
  language: z.string().default("en"),
  emphasis: z.enum(emphases),
  whole: z.boolean().default(false),
});
const refusedTag = z.object({
  scenes: z.array(z.object({ narration: z.string(), question: z.string().optional(), code: z.string().optional() })),
});
const foundTag = z.array(z.object({ scene: z.int().min(0) }));

/** A film on the topic of a prompt in the course's own words; another one where a first was refused. */
export function makeStoryboard(prompt: Prompt): GeneratedStoryboard | null {
  const told = topicTag.safeParse(taggedJson(prompt, "topic"));
  const [first] = prompt.passages;
  const title = first?.trail.at(-1) || first?.title || "The course";
  const topic = told.success
    ? told.data
    : { title, course: first?.trail[0] ?? "", language: "en", emphasis: "intuition" as const, whole: false };
  const language = codeLanguageOf(topic.course, prompt);
  const wanted = { topic, language, diagrams: diagramsIn(prompt), pictures: picturesIn(prompt) };
  const passages = withCodeFacts(prompt);
  const other = draftStoryboard(passages, { ...wanted, avoid: refusedIn(prompt) });
  const board = other.refusal ? draftStoryboard(passages, { ...wanted, avoid: [] }) : other;
  const parsed = generatedStoryboard.safeParse(board);
  return parsed.success ? parsed.data : { title: board.title, refusal: "What this topic shows does not fit on a screen.", scenes: [] };
}

/** What was said, asked and shown as code in the scenes of an earlier try that something was found with; all of it when that was the whole. */
function refusedIn(prompt: Prompt): string[] {
  const refused = refusedTag.safeParse(taggedJson(prompt, "proposal"));
  const found = foundTag.safeParse(taggedJson(prompt, "found"));
  if (!refused.success || !found.success) return [];
  const numbers = new Set(found.data.map(({ scene }) => scene));
  return refused.data.scenes.flatMap(({ narration, question = "", code = "" }, index) =>
    numbers.has(index + 1) ? [narration, question, code].filter(Boolean) : [],
  );
}

/** The language of code that stands without its name. */
function codeLanguageOf(course: string, { passages }: Prompt): string {
  const code = passages.flatMap(({ kind, text }) => (kind === "code" ? text : [])).join("\n");
  if (/\blean\b/i.test(course) || /^(?:example|theorem|#check|#eval)\b/m.test(code)) return "lean";
  if (/^\s*(?:import|from) \w+|^\s*def \w+\(.*\):/m.test(code)) return "python";
  return /^\s*\$ /m.test(code) ? "bash" : "";
}
