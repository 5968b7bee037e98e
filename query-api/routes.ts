import type { Config } from "@colloquy/infra/config.ts";
import { demonstrationFilms } from "@colloquy/infra/demo/films.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { runningEventStore } from "@colloquy/infra/event-store/embedded/running.ts";
import { aliveRoutes } from "@colloquy/infra/http/alive.ts";
import { gatherMetrics, metricsRoutes } from "@colloquy/infra/http/metrics.ts";
import { rateLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import type { EndedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { learnerPseudonyms } from "@colloquy/infra/identity/pseudonyms.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import type { ProbedObjectStore } from "@colloquy/infra/object-store/open.ts";
import { serviceAddress } from "@colloquy/infra/service-address.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { AuditTables } from "@colloquy/projections/audit/queries.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import type { ConversationTables } from "@colloquy/projections/conversations/queries.ts";
import type { CourseCatalogue, CourseTables } from "@colloquy/projections/courses/queries.ts";
import type { ExplainerTables } from "@colloquy/projections/explainers/queries.ts";
import { courseProgress, type ProgressTables } from "@colloquy/projections/learner/queries.ts";
import { type PassageLibrary, revisionChanges } from "@colloquy/projections/passages/queries.ts";
import type { ReviewTables } from "@colloquy/projections/review/queries.ts";
import { hasAnnotations, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import type { TutorTables } from "@colloquy/projections/tutor/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { type RequestHandler, Router } from "express";
import type { Kysely } from "kysely";
import { archiveRoutes } from "./accounts/archive.ts";
import { meRoutes } from "./accounts/me.ts";
import { annotationsRoutes } from "./annotations/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { conversationsRoutes } from "./conversations/routes.ts";
import { courseRevisions } from "./courses/revisions.ts";
import { readingRoutes } from "./courses/routes.ts";
import { jobTail } from "./explainers/job-tail.ts";
import { explainerReadRoutes } from "./explainers/routes.ts";
import { apiPageRoutes, openApiRoutes } from "./pages/api-page.ts";
import { requireReadModels, waitForProjection } from "./read-your-writes.ts";
import { dependenciesOf } from "./readiness/dependencies.ts";
import { readyRoutes } from "./readiness/routes.ts";
import { liveCourses } from "./review/live-course.ts";
import { accountCards, reviewRoutes } from "./review/routes.ts";
import type { LiveTail } from "./sync/live-tail.ts";
import { syncRoutes } from "./sync/routes.ts";
import { tutorSessionRoutes } from "./tutor/routes.ts";

export type QueryTables = AuditTables &
  CheckpointTables &
  ConversationTables &
  CourseTables &
  ExplainerTables &
  ProgressTables &
  ReviewTables &
  SyncTables &
  TutorTables;

interface Needs {
  config: Config;
  log: Logger;
  store: EventStore;
  database: Kysely<QueryTables>;
  objectStore: ProbedObjectStore;
  catalogue: CourseCatalogue;
  library: PassageLibrary;
  tail: LiveTail;
  ended: EndedSessions;
  /** Ends every live stream. */
  signal: AbortSignal;
  /** The manifest of the build; by default read from `ui/dist`. */
  built?: BuiltUi;
  /** Requests per account and minute. */
  perMinute?: number;
}

/** All routes of this service, in order. */
export function queryRoutes({
  config,
  log,
  store,
  database,
  objectStore,
  catalogue,
  library,
  tail,
  ended,
  signal,
  built,
  perMinute = bounds.queries.perMinute,
}: Needs): Router[] {
  const relay = config.KAFKA_BROKERS?.length ? serviceAddress(config, "RELAY") : null;
  const embeddedStore = (): string | null => {
    const port = runningEventStore(config.DATA_DIR)?.statusPort;
    return port === undefined ? null : `http://127.0.0.1:${port}`;
  };
  /** Services whose metrics are included in `/metrics` of the front door. */
  const services = () => [
    { service: "front-door", address: serviceAddress(config, "FRONT_DOOR_STATUS") },
    { service: "event-store", address: embeddedStore() },
    { service: "command-api", address: serviceAddress(config, "COMMAND_API") },
    { service: "projections", address: serviceAddress(config, "PROJECTIONS") },
    { service: "relay", address: relay },
  ];
  const readModels = requireReadModels(database, [
    "audit",
    "conversations",
    "courses",
    "explainers",
    "progress",
    "review",
    "sync",
    "tutor",
  ]);
  const signer = openLedgerSigner(config);
  const revisions = courseRevisions({ catalogue, objectStore });
  const annotates = (accountId: string) => hasAnnotations(database, accountId);
  const cards = accountCards({ database, courses: liveCourses({ revisions, objectStore, library }) });
  return [
    aliveRoutes(),
    readyRoutes({
      store,
      database,
      dependencies: dependenciesOf(config, objectStore, catalogue),
      ...(relay !== null && { relay }),
      commandApi: serviceAddress(config, "COMMAND_API"),
    }),
    metricsRoutes(config, (authorization) => gatherMetrics(services(), authorization)),
    openApiRoutes(),
    Router().use(session(config, ended)),
    Router().use("/api", limitPerAccount(perMinute)),
    meRoutes(),
    apiPageRoutes(...(built ? [built] : [])),
    // Pages wait for the read models by themselves; shells and files of the build need none.
    Router().use("/api", readModels),
    conversationsRoutes({ database }),
    tutorSessionRoutes({
      database,
      store,
      catalogue,
      signer,
      publicUrl: config.publicUrl,
      changes: revisionChanges(objectStore),
    }),
    explainerReadRoutes({
      config,
      log,
      store,
      database,
      objectStore,
      catalogue,
      library,
      signal,
      written: demonstrationFilms,
      tail: jobTail({ store, log, signal }),
    }),
    auditRoutes({ database, store, signer, pseudonymOf: learnerPseudonyms(config) }),
    reviewRoutes({ database, cards }),
    archiveRoutes({ database, cards, store, signer, publicUrl: config.publicUrl }),
    annotationsRoutes({ annotates }),
    syncRoutes({ database, store, tail, log, signal }),
    ...readingRoutes({
      config,
      log,
      catalogue,
      revisions,
      library,
      readModels,
      waitForCourses: (after) => waitForProjection(database, "courses", after),
      progressOf: (accountId, courseId) => courseProgress(database, accountId, courseId),
      annotates,
      ...(built && { built }),
    }),
  ];
}

/** Limits the requests of a signed-in account; some routes have stricter limits of their own. */
function limitPerAccount(perMinute: number): RequestHandler {
  const limit = rateLimitPerAccount({ points: perMinute, seconds: 60 });
  return async (request, _response, next) => {
    if (request.account) await limit(request.account.accountId);
    next();
  };
}
