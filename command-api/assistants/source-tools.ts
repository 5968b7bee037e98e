import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { PassageLibrary, RankedPassage, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import { listCourses, readSource, searchSources } from "@colloquy/schemas/assistants/tools.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import type { Source } from "@colloquy/schemas/courses/revision.ts";
import { type McpServer, requireScopes } from "@modelcontextprotocol/server";
import { escapeUntrusted } from "../grounding/untrusted-text.ts";
import type { ToolContext } from "./tool-context.ts";

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Finding and reading what is published: the same index, passages and addresses that Ask stands on. */
export function sourceTools(server: McpServer, { library, catalogue, runTool }: ToolContext): void {
  const scopeChallenge = requireScopes("sources:read");
  server.registerTool(
    "list_courses",
    {
      title: "List courses",
      description: "The published courses. A learner chooses one before a tutoring session; never guess it.",
      inputSchema: listCourses.input,
      outputSchema: listCourses.output,
      annotations: { title: "List courses", ...reads },
      scopeChallenge,
    },
    () => runTool("list_courses", async () => ({ courses: await listed(catalogue) })),
  );
  server.registerTool(
    "search_sources",
    {
      title: "Search the courses",
      description:
        "Finds the passages of the published courses that fit a question best, best first, each with the canonical address to cite it by.",
      inputSchema: searchSources.input,
      outputSchema: searchSources.output,
      scopeChallenge,
      annotations: { title: "Search the courses", ...reads },
    },
    ({ query, courseId, limit }) =>
      runTool("search_sources", async () => {
        const found = await library.search(query, { limit, ...(courseId !== undefined && { courseIds: [courseId] }) });
        return {
          results: found.map((passage) => ({
            ...placeOf(passage),
            heading: escapeUntrusted(passage.heading),
            text: escapeUntrusted(passage.text),
          })),
        };
      }),
  );
  server.registerTool(
    "read_source",
    {
      title: "Read a source",
      description:
        "The text of a place in a published course (a course, a collection, a topic or a block) by its canonical address, in reading order.",
      inputSchema: readSource.input,
      outputSchema: readSource.output,
      annotations: { title: "Read a source", ...reads },
      scopeChallenge,
    },
    ({ href, from }) => runTool("read_source", async () => readFrom(await resolved(library, href), from)),
  );
}

async function listed(catalogue: Pick<CourseCatalogue, "list">) {
  return (await catalogue.list()).map(({ courseId, revisionId, title, summary, language }) => ({
    courseId,
    revisionId,
    title: escapeUntrusted(title),
    summary: escapeUntrusted(summary),
    language,
    href: `/courses/${courseId}`,
  }));
}

/** What a canonical address leads to. @throws {ProblemError} `not_found` */
export async function resolved(library: PassageLibrary, href: string): Promise<ResolvedReference> {
  const found = await library.resolve({ href });
  if (!found) throw new ProblemError("not_found");
  return found;
}

/** The passages of a place from one on, as many as one answer holds, at least one. */
function readFrom(found: ResolvedReference, from: number) {
  const passages: { href: string; heading: string; role: string; text: string }[] = [];
  let length = 0;
  for (const { source, heading, role, text } of found.passages.slice(from)) {
    length += text.length;
    if (passages.length > 0 && length > connectorBounds.readCharacters) break;
    passages.push({ href: source.href, heading: escapeUntrusted(heading), role, text: escapeUntrusted(text) });
  }
  const next = from + passages.length;
  return { source: placeOf(found), passages, next: next < found.passages.length ? next : null };
}

function placeOf({ source, courseId, revisionId }: Pick<RankedPassage, "courseId" | "revisionId"> & { source: Source }) {
  const { sourceId, kind, href, title, trail } = source;
  return { sourceId, kind, href, title: escapeUntrusted(title), trail: trail.map(escapeUntrusted), courseId, revisionId };
}
