import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { actorNames, actors, specialActorNames, specialActors } from "./actors.ts";
import type { Row } from "./row.ts";
import { specialRoutes } from "./special-routes.ts";
import { sameForEveryLearner, table } from "./table.ts";

/** Where the page stands. */
export const pageFile = fileURLToPath(new URL("../../docs/reports/authorisation.md", import.meta.url));

/** What the statuses of the table mean. */
const meanings = `- **200, 303**: allowed. **400** also means allowed: the example's body is empty, and only an authorised caller is told that it is invalid. **409** means allowed: the example names an old version or an expired lease.
- **401**: not signed in. **403**: signed in, but not allowed. **404**: not found for this caller, whether it exists or not.`;

const described = (all: Record<string, string>): string =>
  Object.entries(all)
    .map(([name, what]) => `- **${name}**: ${what}`)
    .join("\n");

/** A table; a row that checks the state afterwards has a second line. */
function tableOf<Who extends string>(names: readonly Who[], rows: Record<string, Row<Who>>): { text: string; cells: number } {
  const line = (what: string, answers: Record<Who, number>): string => `| ${what} | ${names.map((who) => answers[who]).join(" | ")} |`;
  const lines = Object.entries(rows).flatMap(([route, { answers, afterwards }]) => [
    line(`\`${route}\``, answers),
    ...(afterwards ? [line(`what the learner reads afterwards`, afterwards.answers)] : []),
  ]);
  return {
    text: [`| route | ${names.join(" | ")} |`, `|---|${names.map(() => "---").join("|")}|`, ...lines].join("\n"),
    cells: lines.length * names.length,
  };
}

/** docs/reports/authorisation.md, from the tables that the test asks cell by cell. */
export function authorisationPage(): string {
  const [routes, others] = [tableOf(actorNames, table), tableOf(specialActorNames, specialRoutes)];
  return `# Who may do what

Written by \`npm run docs:authorisation\` from \`checks/authorisation/table.ts\` and \`special-routes.ts\`. \`npx mocha checks/authorisation\` starts the whole program and requests every cell: ${Object.keys(table).length} routes for ${actorNames.length} kinds of caller, and ${Object.keys(specialRoutes).length} other routes for ${specialActorNames.length} kinds, ${routes.cells + others.cells} cells in all. A route without a row fails that test.

${meanings}

## Pages and API

${described(actors)}

Every owner may edit every editable course, so there is no column for another owner. [Embedding](../teach/embedding.md) describes what pages of allowed sites (\`EMBED_ORIGINS\`) may request.

${routes.text}

Every route whose address names a resource must answer its learner differently from another learner, or the test fails. The exceptions are:

${described(Object.fromEntries(Object.entries(sameForEveryLearner).map(([route, why]) => [`\`${route}\``, why])))}

## Other routes

The connector for assistants, the embedded identity provider and the fonts of the front door's own pages. No cookie counts there.
At the provider, **400** means that nothing in the request says who asks for what.

${described(specialActors)}

${others.text}
`;
}

if (import.meta.main) writeFileSync(pageFile, authorisationPage());
