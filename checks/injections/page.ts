import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { corpus } from "./corpus/corpus.ts";
import { entryPoints } from "./corpus/injection.ts";

export const pageFile = fileURLToPath(new URL("../../docs/reports/injections.md", import.meta.url));

/** docs/reports/injections.md, made from the corpus that the test tries text by text. */
export function injectionsPage(): string {
  const count = corpus.reduce((sum, { injections }) => sum + injections.length, 0);
  const rows = corpus.map(
    ({ enters, name, mustNot, injections }) =>
      `| ${entryPoints[enters]} | ${name} | ${injections.length} | \`${injections[0]?.id}\` … | ${mustNot} |`,
  );
  return `# Prompt injections

Written by \`npm run docs:injections\` from \`checks/injections/corpus/\`: ${count} hostile texts that try to make a model, or a reader of its answer, do something else. \`npx mocha checks/injections\` starts the whole program, imports a course that contains them, connects a model that obeys them, and tries each one. [Checks](../build/checks.md#prompt-injection) says what this proves and what it does not.

| arrives by | what it is | texts | ids | must not |
|---|---|---|---|---|
${rows.join("\n")}

Texts of the course are also given to the tutor (questions, plan, verification, lesson, check, grading), to quizzes, to films and their review, and to an assistant that searches and reads. Each case is also tried with an honest model, so that a refusal means something.
`;
}

if (import.meta.main) writeFileSync(pageFile, injectionsPage());
