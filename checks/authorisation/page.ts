import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { actorNames, actors, apartActors, apartNames } from "./actors.ts";
import { apart } from "./apart.ts";
import type { Row } from "./row.ts";
import { alike, table } from "./table.ts";

/** Where the page stands. */
export const pageFile = fileURLToPath(new URL("../../docs/authorisation.md", import.meta.url));

/** What the statuses of the table mean. */
const meanings = `- **200, 303**: let in. **400** let in, too: the example's body is empty, and only who may send one is told that it is not valid. **409** let in: the example names an old version, or a lease that is over.
- **401**: sign in. **403**: known, and not allowed. **404**: there is nothing here, whether it exists or not.`;

const described = (all: Record<string, string>): string =>
  Object.entries(all)
    .map(([name, what]) => `- **${name}**: ${what}`)
    .join("\n");

/** A table, with a line more where it is looked at what there is afterwards. */
function tableOf<Who extends string>(names: readonly Who[], rows: Record<string, Row<Who>>): { text: string; cells: number } {
  const line = (what: string, answers: Record<Who, number>): string => `| ${what} | ${names.map((who) => answers[who]).join(" | ")} |`;
  const lines = Object.entries(rows).flatMap(([route, { answers, afterwards }]) => [
    line(`\`${route}\``, answers),
    ...(afterwards ? [line(`what the learner reads there afterwards`, afterwards.answers)] : []),
  ]);
  return {
    text: [`| route | ${names.join(" | ")} |`, `|---|${names.map(() => "---").join("|")}|`, ...lines].join("\n"),
    cells: lines.length * names.length,
  };
}

/** docs/authorisation.md, from the tables that the test asks cell by cell. */
export function authorisationPage(): string {
  const [routes, others] = [tableOf(actorNames, table), tableOf(apartNames, apart)];
  return `# Who may do what

Every route of the services, asked by each of ${actorNames.length} kinds of caller, and everything that is answered apart from them by each of ${apartNames.length}: ${Object.keys(table).length} and ${Object.keys(apart).length} routes,
${routes.cells + others.cells} cells. The page is written by \`npm run docs:authorisation\` from \`checks/authorisation/table.ts\` and \`apart.ts\`; \`npx mocha checks/authorisation\` starts
the whole program and asks each cell. A route without a row fails that test.

${meanings}

## Pages and API

${described(actors)}

Every owner is an owner of every course that may be edited here, so there is no column for another owner. What a page of a site may ask that
the installation allows (\`EMBED_ORIGINS\`): docs/embedding.md.

${routes.text}

A row whose address names something answers the learner whose it is otherwise than another one, or the test fails. These do not:

${described(Object.fromEntries(Object.entries(alike).map(([route, why]) => [`\`${route}\``, why])))}

## Apart from them

The connector for assistants, the embedded identity provider and the fonts of the front door's own pages: no cookie counts there.
Of the provider, **400** says that nothing in the request tells who asks for what; it listens to nothing else.

${described(apartActors)}

${others.text}
`;
}

if (import.meta.main) writeFileSync(pageFile, authorisationPage());
