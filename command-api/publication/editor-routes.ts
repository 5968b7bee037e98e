import { createHash } from "node:crypto";
import { promisify } from "node:util";
import type { Config } from "@colloquy/infra/config.ts";
import { readInTime } from "@colloquy/infra/http/json-body.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import type { GeneratedAnswer, GivenAnswer } from "@colloquy/projections/questions/queries.ts";
import { isOwner } from "@colloquy/schemas/accounts/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/publication.ts";
import express, { type Router } from "express";
import { AssetRefused, takeAsset } from "./assets.ts";
import type { Published } from "./decider.ts";
import { generatedQuestions } from "./generated-questions.ts";
import type { Publication } from "./handlers.ts";
import { questionBank } from "./question-bank.ts";

interface Needs {
  config: Pick<Config, "PUBLICATION_EDITOR_COURSE_IDS" | "PUBLIC_OBJECT_STORE_COURSE_IDS" | "development">;
  publication: Publication;
  objectStore: Pick<ObjectStore, "put">;
  /** How many learners have an open tutoring session on these sources. */
  countTutored(courseId: string, sourceIds: readonly string[]): Promise<number>;
  /** What learners answered to a course's questions. */
  answersOf(courseId: string): Promise<readonly GivenAnswer[]>;
  /** What they answered to questions that models wrote. */
  generatedAnswersOf(courseId: string): Promise<readonly GeneratedAnswer[]>;
}

/** Routes of the course editor. */
export function editorRoutes({ config, publication, objectStore, countTutored, answersOf, generatedAnswersOf }: Needs): Router {
  const readAsset = promisify(express.raw({ limit: bounds.course.assetBytes, type: () => true }));

  /** The live revision of a course that may be edited. @throws {ProblemError} */
  async function editable(courseId: string): Promise<Published> {
    requireListed(config, courseId);
    const live = await publication.live(courseId);
    if (!live) throw new ProblemError("not_found");
    if (live.origin !== "object-store") throw new ProblemError("course_not_editable");
    return live;
  }

  /** A revision with its course. @throws {ProblemError} `unavailable` if parts of it are missing */
  async function readWhole(revision: Published) {
    const written = await publication.read(revision);
    if (!written) throw new ProblemError("unavailable", { detail: "Parts of this revision are missing from the object store." });
    return written;
  }

  return serve([
    route(contracts.readEditorSession, async ({ account, query: { course: courseId } }) => {
      const owner = isOwner(account);
      const live = owner && isListed(config, courseId) ? await publication.live(courseId) : null;
      const base = live?.origin === "object-store" ? { sequence: live.sequence, revisionId: live.revisionId } : null;
      return { owner, editable: base !== null, courseId, ...(base && { base }) };
    }),

    route(contracts.readCourseSource, async ({ query: { course: courseId, revision } }) => {
      const live = await editable(courseId);
      // Only revisions that the stream names are read, never a key that a caller made up.
      const asked = revision === undefined ? live : (await publication.history(courseId)).find(({ revisionId }) => revisionId === revision);
      if (!asked) throw new ProblemError("not_found");
      const written = await publication.read(asked);
      // A lost older revision does not come back on a retry; an editor continues with the published one.
      if (!written)
        throw new ProblemError(asked.revisionId === live.revisionId ? "unavailable" : "not_found", {
          detail: "Parts of this revision are missing from the object store.",
        });
      const { course, sequence, revisionId } = written;
      return { course, sequence, revisionId };
    }),

    route(contracts.readCourseHistory, async ({ query: { course: courseId } }) => {
      await editable(courseId);
      const published = (await publication.history(courseId)).toReversed().slice(0, bounds.publication.history);
      const revisions = published.map(({ sequence, revisionId, at, publishedBy }) => ({ sequence, revisionId, at, publishedBy }));
      return { courseId, revisions };
    }),

    route(contracts.readQuestionBank, async ({ query: { course: courseId } }) => {
      const [{ course, sequence }, answers, generated] = await Promise.all([
        editable(courseId).then(readWhole),
        answersOf(courseId),
        generatedAnswersOf(courseId),
      ]);
      return { courseId, sequence, questions: questionBank(course, answers), generated: generatedQuestions(course, generated) };
    }),

    route(contracts.countTutoredLearners, async ({ body: { courseId, changed } }) => {
      await editable(courseId);
      const count = await countTutored(
        courseId,
        [...new Set(changed)].map((entityId) => sourceIdOf(courseId, entityId)),
      );
      return { learners: count > 0 && count < bounds.publication.learnersCounted ? ("some" as const) : count };
    }),

    route(contracts.publishCourse, async ({ account: { accountId }, body, requestId: correlationId }) => {
      const { requestId, courseId, base, course, renamedIds, aliases } = body;
      await editable(courseId);
      const { sequence, revisionId, position } = await publication.publishCourse({
        requestId,
        courseId,
        base,
        course,
        renamedIds,
        aliases,
        accountId,
        correlationId,
        origin: "object-store",
        readAsset: () => Promise.resolve(null),
      });
      return { sequence, revisionId, position };
    }),

    route(contracts.uploadCourseAsset, async ({ query: { course: courseId }, parameters: { sha256 }, request, response }) => {
      await editable(courseId);
      await readInTime(response, bounds.course.assetBytes, readAsset(request, response));
      const { asset, bytes } = picture(sha256, request.body);
      await objectStore.put(courseKeys.asset(courseId, asset.sha256), bytes, { ifNoneMatch: true });
      return { sha256: asset.sha256, bytes: asset.bytes, type: asset.type };
    }),
  ]);
}

/** A sanitised picture. @throws {ProblemError} for bytes that do not match their hash or are no picture */
function picture(sha256: string, body: unknown): ReturnType<typeof takeAsset> {
  const given = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (createHash("sha256").update(given).digest("hex") !== sha256)
    throw new ProblemError("invalid_request", { detail: "The bytes do not match the hash in the address. Upload the picture again." });
  try {
    return takeAsset("The picture", given);
  } catch (error) {
    if (error instanceof AssetRefused) throw new ProblemError("invalid_request", { detail: `${error.message}.`, cause: error });
    throw error;
  }
}

type Lists = Pick<Config, "PUBLICATION_EDITOR_COURSE_IDS" | "PUBLIC_OBJECT_STORE_COURSE_IDS" | "development">;

/** Whether both lists contain a course. A list that is not set contains every course in development and none in production. */
function isListed(config: Lists, courseId: string): boolean {
  const { PUBLICATION_EDITOR_COURSE_IDS: editor, PUBLIC_OBJECT_STORE_COURSE_IDS: stored, development } = config;
  return [editor, stored].every((list) => (list ? list.includes(courseId) : development));
}

/** @throws {ProblemError} `course_not_editable`, also for a course that does not exist */
function requireListed(config: Lists, courseId: string): void {
  if (!isListed(config, courseId)) throw new ProblemError("course_not_editable");
}
