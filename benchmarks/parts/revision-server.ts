import { createServer } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { openPort } from "@colloquy/infra/http/listen.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { courseApi } from "@colloquy/query-api/courses/api.ts";
import { revisionCheck, revisionTag } from "@colloquy/query-api/courses/revision-check.ts";
import type { CourseRevisions } from "@colloquy/query-api/courses/revisions.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";

/** A server for the benchmark of the revision check: `check` as the query service answers, `usual` without its memory, `bare` nothing but an answer. */
const revision = { courseId: "bench-course", sequence: 7, revisionId: "a".repeat(64) };
const etag = revisionTag(revision);
const config = readConfig({ LOG_LEVEL: "silent" });
const log = createLog("benchmark", config);
const catalogue = { get: async () => revision as CourseListing, list: async () => [] };
const kind = process.argv[2];

async function serve(): Promise<number> {
  if (kind === "bare") {
    const headers = { etag, "cache-control": "public, no-cache", "x-content-type-options": "nosniff" };
    const server = createServer((_request, response) => response.writeHead(304, headers).end());
    return openPort(server, 0, { onError: (error) => console.error(error) });
  }
  const revisions = { live: async () => ({ listing: revision }) } as unknown as CourseRevisions;
  const library = { references: async () => [], resolve: async () => null };
  const routers = [courseApi({ revisions, catalogue, library, hold: async () => undefined })];
  const { port } = await listen(createApp({ config, log, routers }), 0, log, kind === "check" ? revisionCheck(catalogue) : undefined);
  return port;
}

process.send?.({ port: await serve(), etag });
process.once("disconnect", () => process.exit(0));
