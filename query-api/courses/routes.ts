import type { Config } from "@colloquy/infra/config.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import compression from "compression";
import { type RequestHandler, Router } from "express";
import { embedRoutes } from "../embed/routes.ts";
import { readBuiltUi } from "../pages/built-ui.ts";
import { offlineRoutes, withoutOffline } from "../pages/offline.ts";
import { shellPages } from "../pages/routes.ts";
import { courseApi, type HoldBack, type References } from "./api.ts";
import { assetRoutes } from "./assets.ts";
import { coursePages, notFoundPage, type ProgressOf } from "./pages.ts";
import { topicRenderer } from "./render-topic.ts";
import type { CourseRevisions } from "./revisions.ts";

interface Needs {
  config: Pick<Config, "OIDC_ISSUER" | "development" | "EMBED_ORIGINS" | "EXPLAINER_COURSE_IDS" | "OFFLINE_READING" | "publicUrl">;
  log: Logger;
  catalogue: CourseCatalogue;
  library: References;
  revisions: CourseRevisions;
  /** Lets a request through once the read models can be read. */
  readable: RequestHandler;
  hold: HoldBack;
  progressOf: ProgressOf;
  annotates: (accountId: string) => Promise<boolean>;
  /** What the build made; read from `ui/dist` unless given. */
  built?: BuiltUi;
}

/**
 * Everything that is read of courses: pages, shells, files of the build, the public API. Needs the `session` middleware before it and
 * comes after all other routers, because its last one answers every page nobody knows.
 */
export function readingRoutes({
  config,
  log,
  catalogue,
  revisions,
  library,
  readable,
  hold,
  progressOf,
  annotates,
  built: made = readBuiltUi(),
}: Needs): Router[] {
  const built = config.OFFLINE_READING === "on" ? made : withoutOffline(made);
  return [
    assetRoutes(built),
    Router().use(compression({ threshold: 1_024, filter: worthCompressing })),
    shellPages(config, built),
    offlineRoutes(built),
    embedRoutes({ config, catalogue, built }),
    coursePages({ built, log, catalogue, revisions, readable, progressOf, annotates, renderTopic: topicRenderer() }),
    courseApi({ revisions, catalogue, library, hold }),
    notFoundPage(built),
  ];
}

/** Streams are sent as they come: compressing would hold their pieces back. */
const worthCompressing: compression.CompressionFilter = (request, response) =>
  !/event-stream|ndjson/.test(String(response.getHeader("content-type"))) && compression.filter(request, response);
