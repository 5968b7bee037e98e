import { type Config, offersExplainers } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import {
  correctionsOfCourse,
  type ExplainerTables,
  getExplainerJob,
  listExplainerJobs,
  type OfferedFilm,
  offeredFilms,
  storyboardsSince,
  waitingFilms,
} from "@colloquy/projections/explainers/queries.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { fontNamed } from "@colloquy/render-service/fonts/files.ts";
import * as contracts from "@colloquy/schemas/contracts/explainers.ts";
import type { HandmadeBoard } from "@colloquy/schemas/explainers/handmade.ts";
import { aheadOf } from "@colloquy/schemas/explainers/place-in-queue.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { Router } from "express";
import type { Kysely } from "kysely";
import { waitForProjection } from "../read-your-writes.ts";
import { artifactCheck, sendArtifact } from "./artifact.ts";
import { type EventsNeeds, jobEvents } from "./events.ts";

interface Needs extends EventsNeeds {
  config: Pick<Config, "EXPLAINER_COURSE_IDS" | "EXPLAINER_VOICES">;
  database: Kysely<ExplainerTables> & ReadModels;
  objectStore: Pick<ObjectStore, "stream">;
  catalogue: Pick<CourseCatalogue, "get">;
  library: Pick<PassageLibrary, "resolve">;
  /** Films that were written by hand. */
  written?(): Promise<readonly HandmadeBoard[]>;
  now?: () => Date;
}

/** An account's own films; those of others are not found. For owners also the corrections of a course's films. */
export function explainerReadRoutes({
  config,
  database,
  objectStore,
  catalogue,
  library,
  written = async () => [],
  now = () => new Date(),
  ...streaming
}: Needs): Router {
  const streamEvents = jobEvents({ aheadOf: async (jobId) => aheadOf(jobId, await waitingFilms(database)), ...streaming });
  const checkArtifact = artifactCheck(objectStore, () => now().getTime());

  /** Whether the page still says everything that a film quotes: a film of an older version is not shown to anybody. */
  const isCurrent = async ({ href, quotes }: OfferedFilm): Promise<boolean> => {
    const found = await library.resolve({ href });
    const text = withoutSpace((found?.passages ?? []).map((passage) => passage.text).join("\n"));
    return quotes.every((quote) => text.includes(withoutSpace(quote)));
  };

  const jobOf = async (accountId: string, jobId: string) => {
    const found = await getExplainerJob(database, accountId, jobId);
    if (!found) throw new ProblemError("not_found");
    return found;
  };

  return serve([
    route(contracts.readFilmFont, ({ parameters: { font }, response }) => {
      const bytes = fontNamed(font);
      if (!bytes) throw new ProblemError("not_found");
      response.type("font/woff2").send(bytes);
      return sent;
    }),
    route(contracts.readExplainerOffer, async ({ account: { accountId, roles }, query: { courseId } }) => {
      const offered = offersExplainers(config, courseId) && (await catalogue.get(courseId)) !== null;
      const drawn = await storyboardsSince(database, accountId, `${now().toISOString().slice(0, 10)}T00:00:00.000Z`);
      const films = await offeredFilms(database, courseId);
      const current = await Promise.all(films.map(isCurrent));
      const shown = films
        .filter((_, index) => current[index])
        .map(({ filmId, topicId, emphasis, title }) => ({ filmId, topicId, emphasis, title }));
      const byHand = (await written())
        .filter((film) => film.courseId === courseId)
        .map(({ topicId, emphasis, title }) => ({ topicId, emphasis, title }));
      return {
        offered,
        left: Math.max(0, filmBounds.perDay - drawn),
        voices: config.EXPLAINER_VOICES === "on",
        prepared: [...shown, ...byHand],
        ...(roles.includes("owner") && { mayOffer: true }),
      };
    }),
    route(contracts.listExplainerJobs, async ({ account: { accountId }, query: { after, ...query } }) => {
      await waitForProjection(database, "explainers", after);
      return { jobs: await listExplainerJobs(database, accountId, query) };
    }),
    route(contracts.listCorrections, async ({ query: { courseId, after } }) => {
      await waitForProjection(database, "explainers", after);
      return { corrections: await correctionsOfCourse(database, courseId) };
    }),
    route(contracts.readExplainerJob, async ({ account: { accountId }, parameters: { jobId }, query: { after } }) => {
      await waitForProjection(database, "explainers", after);
      return jobOf(accountId, jobId);
    }),
    route(contracts.streamJobEvents, async ({ account: { accountId }, parameters: { jobId }, request, response }) => {
      await streamEvents(request, response, accountId, jobId);
      return sent;
    }),
    route(contracts.readArtifact, async ({ account: { accountId }, parameters: { jobId }, query: { kind, render }, request, response }) => {
      const { job } = await jobOf(accountId, jobId);
      const film = render === undefined ? job.films.at(-1) : job.films.find(({ renderId }) => renderId === render);
      const artifact = film?.artifacts.find((one) => one.kind === kind);
      if (!artifact) throw new ProblemError("not_found");
      await sendArtifact(request, response, objectStore, artifact, checkArtifact);
      return sent;
    }),
  ]);
}

const withoutSpace = (text: string): string => text.replace(/\s+/gu, "");
