import type { Block, Topic } from "./authored.ts";
import type { ParsedBlock, Question } from "./blocks.ts";
import { type CourseError, type Remark, remark } from "./remarks.ts";

/** Checks that questions name an objective of their topic, and blocks of the course: a block stays named when it moves to another topic. */
export function checkQuestions(topics: readonly Topic[], parsed: ReadonlyMap<string, ParsedBlock>): CourseError[] {
  const errors: CourseError[] = [];
  const citable = new Set(topics.flatMap(({ blocks }) => blocks.flatMap(({ id, type }) => (type === "core.question" ? [] : id))));
  for (const [t, topic] of topics.entries())
    for (const [b, block] of topic.blocks.entries()) {
      const understood = parsed.get(block.id);
      if (understood?.type !== "core.question") continue;
      const at = (key: string, wrong: Remark): CourseError => ({ path: `topics.${t}.blocks.${b}.source:${lineOf(block, key)}`, ...wrong });
      const objective = wrongObjective(understood.data, topic);
      if (objective) errors.push(at("objective", objective));
      for (const id of understood.data.about)
        if (!citable.has(id)) errors.push(at("about", remark("question-about", { id, form: "`about`" })));
    }
  return errors;
}

function wrongObjective({ objective, place }: Question, { objectives }: Topic): Remark | null {
  const ids = objectives.map(({ id }) => id).join(", ");
  if (objective === undefined)
    return objectives.length > 1 && place !== "self-check" ? remark("question-objectives", { form: "`objective: …`", ids }) : null;
  return objectives.some(({ id }) => id === objective) ? null : remark("question-objective", { id: objective, ids: ids || "–" });
}

/** The line of a header's key, from 1; the first line if it has none. */
function lineOf({ source }: Block, key: string): number {
  return Math.max(source.split(/\r\n?|\n/).findIndex((line) => line.startsWith(`${key}:`)) + 1, 1);
}
