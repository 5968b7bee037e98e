import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { publishedLibrary } from "./ask-evaluation/library.ts";
import { evaluator, type Outcome } from "./ask-evaluation/measure.ts";
import { lastTurn, questionSets, readQuestions } from "./ask-evaluation/questions.ts";
import { tableOf } from "./ask-evaluation/report.ts";

/**
 * `npm run eval:ask [-- --missing]`: what the model reads when learners ask, measured with hand-written questions on published courses.
 * `--missing` lists what did not reach the model, of the tuning set only: held-out questions are not looked at.
 */
const { values } = parseArgs({ options: { missing: { type: "boolean", default: false } } });
// Kept, because vectors of texts that are known need not be made again.
const folder = fileURLToPath(new URL("../node_modules/.cache/colloquy/ask-evaluation", import.meta.url));
mkdirSync(folder, { recursive: true });
const evaluation = await publishedLibrary(folder);
try {
  const measured = evaluator(evaluation);
  const isPresent = (id: string): boolean => evaluation.courses.some(({ courseId }) => courseId === id);
  const outcomes: Outcome[] = [];
  for (const question of questionSets.flatMap(readQuestions)) if (isPresent(question.courseId)) outcomes.push(await measured(question));
  const passages = evaluation.courses.reduce((sum, course) => sum + course.passages.length, 0);
  console.log(`${outcomes.length} questions on ${evaluation.courses.length} courses with ${passages} passages\n`);
  for (const line of tableOf(outcomes)) console.log(line);
  if (values.missing)
    for (const { question, missing, ranking } of outcomes) {
      if (question.set !== "tuning" || (missing.length === 0 && (ranking?.recall ?? 1) === 1)) continue;
      const asked = question.turns.map(({ text }) => text).join(" > ");
      console.log(`\n${question.kind}, ${question.attached ?? question.courseId}: ${asked} (recall ${ranking?.recall.toFixed(2) ?? "–"})`);
      const answering = lastTurn(question).relevant.filter(({ grade }) => grade === 2).length;
      for (const phrase of missing) console.log(`  missing, of ${answering}: ${phrase}`);
    }
} finally {
  await evaluation.close();
}
