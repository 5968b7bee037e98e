import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { actorNames, actors } from "./actors.ts";
import { table } from "./table.ts";

/** Where the page stands. */
export const pageFile = fileURLToPath(new URL("../../docs/authorisation.md", import.meta.url));

/** What the statuses of the table mean. */
const meanings = `- **200, 303**: let in. **400** let in, too: the example's body is empty, and only who may send one is told that it is not valid. **409** let in: the example names an old version.
- **401**: sign in. **403**: known, and not allowed. **404**: there is nothing here, whether it exists or not.`;

/** docs/authorisation.md, from the table that the test asks cell by cell. */
export function authorisationPage(): string {
  const rows = Object.entries(table).map(
    ([route, { answers }]) => `| \`${route}\` | ${actorNames.map((actor) => answers[actor]).join(" | ")} |`,
  );
  return `# Who may do what

Every route of the services, asked by each of ${actorNames.length} kinds of caller: ${rows.length} routes, ${rows.length * actorNames.length} cells. The page is written by
\`npm run docs:authorisation\` from \`checks/authorisation/table.ts\`; \`npx mocha checks/authorisation\` starts the whole program and asks each cell. A route
without a row fails that test.

${actorNames.map((actor) => `- **${actor}**: ${actors[actor]}`).join("\n")}

${meanings}

Every owner is an owner of every course that may be edited here, so there is no column for another owner. Pages of other sites that an installation
allows (\`EMBED_ORIGINS\`) reach more: docs/embedding.md.

| route | ${actorNames.join(" | ")} |
|---|${actorNames.map(() => "---").join("|")}|
${rows.join("\n")}
`;
}

if (import.meta.main) writeFileSync(pageFile, authorisationPage());
