import { type Config, offersExplainers } from "@colloquy/infra/config.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import {
  correctionsOfCourse,
  type ExplainerTables,
  getExplainerJob,
  listExplainerJobs,
  storyboardsSince,
  waitingFilms,
} from "@colloquy/projections/explainers/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { correctionsQuery } from "@colloquy/schemas/explainers/corrections.ts";
import { artifactOfQuery, explainerJobsQuery, explainerOfferQuery } from "@colloquy/schemas/explainers/job.ts";
import { aheadOf } from "@colloquy/schemas/explainers/place-in-queue.ts";
import { id, noQuery, readQuery, versioned } from "@colloquy/schemas/payload.ts";
import { type Request, Router } from "express";
import type { Kysely } from "kysely";
import { z } from "zod";
import { waitForProjection } from "../read-your-writes.ts";
import { artifactCheck, sendArtifact } from "./artifact.ts";
import { type EventsNeeds, jobEvents } from "./events.ts";

interface Needs extends EventsNeeds {
  config: Pick<Config, "EXPLAINER_COURSE_IDS" | "EXPLAINER_VOICES">;
  database: Kysely<ExplainerTables> & ReadModels;
  objectStore: Pick<ObjectStore, "stream">;
  catalogue: Pick<CourseCatalogue, "get">;
  now?: () => Date;
}

const root = "/api/visual-explainers";
const parameters = z.object({ jobId: id });

/** An account's own films; those of others are not found. For owners also the corrections of a course's films. */
export function explainerReadRoutes({ config, database, objectStore, catalogue, now = () => new Date(), ...streaming }: Needs): Router {
  const events = jobEvents({ aheadOf: async (jobId) => aheadOf(jobId, await waitingFilms(database)), ...streaming });
  const checkArtifact = artifactCheck(objectStore, () => now().getTime());
  const router = Router();

  const jobOf = async (request: Request, accountId: string) => {
    const named = parameters.safeParse(request.params);
    const found = named.success ? await getExplainerJob(database, accountId, named.data.jobId) : null;
    if (!found) throw new ProblemError("not_found");
    return found;
  };

  router.get(`${root}/offer`, async (request, response) => {
    const { accountId } = requireAccount(request);
    const { courseId } = parse(explainerOfferQuery, request.query);
    const offered = offersExplainers(config, courseId) && (await catalogue.get(courseId)) !== null;
    const drawn = await storyboardsSince(database, accountId, `${now().toISOString().slice(0, 10)}T00:00:00.000Z`);
    const voices = config.EXPLAINER_VOICES === "on";
    const body = versioned({ offered, left: Math.max(0, bounds.explainer.perDay - drawn), voices });
    response.set("cache-control", "private, no-store").json(body);
  });

  router.get(`${root}/jobs`, async (request, response) => {
    const { accountId } = requireAccount(request);
    const { after, ...query } = parse(explainerJobsQuery, request.query);
    await waitForProjection(database, "explainers", after);
    response.set("cache-control", "private, no-store").json(versioned({ jobs: await listExplainerJobs(database, accountId, query) }));
  });

  router.get(`${root}/corrections`, async (request, response) => {
    const account = requireAccount(request);
    if (!account.roles.includes("owner")) throw new ProblemError("not_owner");
    const { courseId, after } = parse(correctionsQuery, request.query);
    await waitForProjection(database, "explainers", after);
    response.set("cache-control", "private, no-store").json(versioned({ corrections: await correctionsOfCourse(database, courseId) }));
  });

  router.get(`${root}/jobs/:jobId`, async (request, response) => {
    const { accountId } = requireAccount(request);
    const { after } = parse(readQuery, request.query);
    await waitForProjection(database, "explainers", after);
    response.set("cache-control", "private, no-store").json(versioned(await jobOf(request, accountId)));
  });

  router.get(`${root}/jobs/:jobId/events`, async (request, response) => {
    const { accountId } = requireAccount(request);
    parse(noQuery, request.query);
    const named = parameters.safeParse(request.params);
    if (!named.success) throw new ProblemError("not_found");
    await events(request, response, accountId, named.data.jobId);
  });

  router.get(`${root}/jobs/:jobId/artifact`, async (request, response) => {
    const { accountId } = requireAccount(request);
    const { kind, render } = parse(artifactOfQuery, request.query);
    const { job } = await jobOf(request, accountId);
    const film = render === undefined ? job.films.at(-1) : job.films.find(({ renderId }) => renderId === render);
    const artifact = film?.artifacts.find((one) => one.kind === kind);
    if (!artifact) throw new ProblemError("not_found");
    await sendArtifact(request, response, objectStore, artifact, checkArtifact);
  });

  return router;
}
