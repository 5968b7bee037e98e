import type { Kysely } from "kysely";
import type { ProgressTables } from "./tables.ts";

export type { ProgressTables } from "./tables.ts";

/** How far a reader has read a topic. */
export interface TopicProgress {
  /** 0 to 1. */
  place: number;
  finished: boolean;
  /** When it was last read, RFC 3339. */
  at: string;
}

/** How far an account has read a course, by topic. */
export async function courseProgress(
  database: Kysely<ProgressTables>,
  accountId: string,
  courseId: string,
): Promise<Map<string, TopicProgress>> {
  const rows = await database
    .selectFrom("progress")
    .select(["topic_id", "place", "finished", "at"])
    .where("account_id", "=", accountId)
    .where("course_id", "=", courseId)
    .execute();
  return new Map(rows.map(({ topic_id, place, finished, at }) => [topic_id, { place: Number(place), finished: finished === 1, at }]));
}
