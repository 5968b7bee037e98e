import { route, serve } from "@colloquy/infra/http/route.ts";
import type { ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import { type ReviewTables, type StudiedSession, studiedSessions } from "@colloquy/projections/review/queries.ts";
import { readReview } from "@colloquy/schemas/contracts/review.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { Router } from "express";
import type { Kysely } from "kysely";
import { waitForProjection } from "../read-your-writes.ts";
import { cardsOf, type FormerTopics } from "./cards.ts";
import type { LiveCourse, LiveCourses } from "./live-course.ts";

/** All cards of an account, with the text of the live revisions. */
export type AccountCards = (accountId: string) => Promise<ReturnType<typeof cardsOf>>;

export function accountCards({ database, courses }: { database: Kysely<ReviewTables>; courses: LiveCourses }): AccountCards {
  return async (accountId) => {
    const sessions = await studiedSessions(database, accountId);
    const live = new Map<string, LiveCourse | null>();
    for (const { courseId } of sessions) if (!live.has(courseId)) live.set(courseId, await courses.live(courseId));
    return cardsOf(sessions, live, await formerTopics(sessions, courses));
  };
}

/** Taught topics from revisions that are no longer live. */
async function formerTopics(sessions: readonly StudiedSession[], courses: LiveCourses): Promise<FormerTopics> {
  const read = new Map<string, ReadonlyMap<string, Topic>>();
  for (const { courseId, courseRevisionId, objectives } of sessions)
    for (const revisionId of [courseRevisionId, ...objectives.map(({ taughtOn }) => taughtOn)]) {
      const key = `${courseId} ${revisionId}`;
      if (revisionId !== undefined && !read.has(key)) read.set(key, await courses.formerTopics(courseId, revisionId));
    }
  return (courseId, revisionId, topicId) => read.get(`${courseId} ${revisionId}`)?.get(topicId);
}

/** The account's own cards. Their key points were taught and their questions answered before. */
export function reviewRoutes({ database, cards }: { database: ReadModels; cards: AccountCards }): Router {
  return serve([
    route(readReview, async ({ account: { accountId }, query: { after } }) => {
      await waitForProjection(database, "review", after);
      return cards(accountId);
    }),
  ]);
}
