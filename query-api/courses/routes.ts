import type { Config } from "@colloquy/infra/config.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import compression from "compression";
import { type RequestHandler, Router } from "express";
import { embedRoutes } from "../embed/routes.ts";
import { appRoutes } from "../pages/app.ts";
import { assetRoutes } from "../pages/assets.ts";
import { readBuiltUi } from "../pages/built-ui.ts";
import { offlineRoutes, withoutOffline } from "../pages/offline.ts";
import { shellPages } from "../pages/routes.ts";
import { courseApi, type References, type WaitForCourses } from "./api.ts";
import { coursePages, notFoundPage, type ProgressOf } from "./pages.ts";
import { topicRenderer } from "./render-topic.ts";
import type { CourseRevisions } from "./revisions.ts";

interface Needs {
  config: Pick<Config, "OIDC_ISSUER" | "development" | "EMBED_ORIGINS" | "EXPLAINER_COURSE_IDS" | "OFFLINE_READING" | "publicUrl">;
  log: Logger;
  catalogue: CourseCatalogue;
  library: References;
  revisions: CourseRevisions;
  /** Middleware that waits for the tables of the read models. */
  readModels: RequestHandler;
  waitForCourses: WaitForCourses;
  progressOf: ProgressOf;
  annotates: (accountId: string) => Promise<boolean>;
  /** The manifest of the build; by default read from `ui/dist`. */
  built?: BuiltUi;
}

/**
 * Routes for reading: course pages, shells, files of the build, the public API. Needs the `session` middleware before it, and must come
 * after all other routers, because its last one answers every unknown page.
 */
export function readingRoutes({
  config,
  log,
  catalogue,
  revisions,
  library,
  readModels,
  waitForCourses: hold,
  progressOf,
  annotates,
  built: made = readBuiltUi(),
}: Needs): Router[] {
  const built = config.OFFLINE_READING === "on" ? made : withoutOffline(made);
  return [
    assetRoutes(built),
    appRoutes(),
    Router().use(compression({ threshold: 1_024, filter: worthCompressing })),
    shellPages(config, built),
    offlineRoutes(built),
    embedRoutes({ config, catalogue, built }),
    coursePages({ built, log, catalogue, revisions, readModels, progressOf, annotates, renderTopic: topicRenderer() }),
    courseApi({ revisions, catalogue, library, waitForCourses: hold }),
    notFoundPage(built),
  ];
}

/** Streams are not compressed, because compression would delay their frames. */
const worthCompressing: compression.CompressionFilter = (request, response) =>
  !/event-stream|ndjson/.test(String(response.getHeader("content-type"))) && compression.filter(request, response);
