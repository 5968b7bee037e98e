import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { corpus } from "./corpus/corpus.ts";
import { doors } from "./corpus/injection.ts";

/** Where the page stands. */
export const pageFile = fileURLToPath(new URL("../../docs/injections.md", import.meta.url));

/** docs/injections.md, from the corpus that the test brings in one by one. */
export function injectionsPage(): string {
  const count = corpus.reduce((sum, { injections }) => sum + injections.length, 0);
  const rows = corpus.map(
    ({ enters, name, mustNot, injections }) =>
      `| ${doors[enters]} | ${name} | ${injections.length} | \`${injections[0]?.id}\` … | ${mustNot} |`,
  );
  return `# Prompt injections

${count} hostile texts that want a model, or whoever believes one, to do something else: written into a course, sent by a learner, answered by a
model, called by an assistant. \`npx mocha checks/injections\` starts the whole program, imports a course full of them, gives it a model that does
what they say, and brings each in; a failure names it. They stand in \`checks/injections/corpus/\`. This page is written by \`npm run docs:injections\`.

A model can always be talked into something. So nothing rests on it: a text reaches a model as marked material, without what its reader cannot
see, and what a model says is a proposal that the application holds against the course.

| comes in by | what | texts | ids | must not |
|---|---|---|---|---|
${rows.join("\n")}

The texts of the course are also brought before the tutor (questions, plan, verification, lesson, check, grading), quizzes, films and their review,
and before an assistant that searches, reads and asks for its brief. Each of those is also tried with an honest model, so that a refusal means something.

## What they found, mended since
- Marks in letters of no width, in full width or in Cyrillic look-alikes, orders in Unicode's tags and tokens of chat templates reached models in course texts, titles, questions and former answers (\`command-api/grounding/model-text.ts\`).
- A course's objective and a step's title stood in the request itself, outside of the marked material (\`command-api/tutor/proposals.ts\`).
- A picture in a model's answer could ask for any address of this site, and \`/auth/demo\` signed its reader in as somebody else (\`ui/rendering/markdown-rules.ts\`, \`infra/identity/routes.ts\`).
- A provider that says its caller's credential in an answer, or as a model's name, was passed on (\`command-api/model-gateway/without-credential.ts\`).
- An assistant's name could turn the words around it on the page that asks for consent; titles of courses were told to assistants as they were (\`infra/identity/access-tokens.ts\`, \`command-api/connector/source-tools.ts\`).

## What it does not show
- Whether a real model follows an order that stands in a passage: the model here follows all of them. It may still word an answer badly; its sources, quotes, keys and grades it cannot forge.
- A grader that believes a learner gives one answer too many; one such answer is never mastery, and the ledger says that a model graded it.
- Links to other sites that a model writes are shown as links out; whoever presses one tells that site so much as its address says.
- A pushed source that names a revision which cannot be read is kept as it came; only its own account sees it.
`;
}

if (import.meta.main) writeFileSync(pageFile, injectionsPage());
