import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { sessionIdOf, type TutorEventData, tutorEvents, tutorStreamPrefix } from "@colloquy/schemas/tutor/events.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { Transaction } from "kysely";
import { accountOf, oneByOne, type Projection } from "../projection.ts";
import { type AuditTables, migrations, tables } from "./tables.ts";

type Tx = Transaction<AuditTables>;

/** Tutoring sessions for an auditor's search by course, objective, time and learner. Holds no learner's text. */
export const projection: Projection<AuditTables> = {
  name: "audit",
  tables,
  streams: [tutorStreamPrefix],
  events: ["TutorSessionOpened", "EvidenceRecorded"],
  migrations,
  apply: oneByOne(async (tx, stored) => {
    const event = tutorEvents.parse(stored);
    if (event.type === "TutorSessionOpened") await opened(tx, stored, event.data);
    if (event.type === "EvidenceRecorded") await recorded(tx, stored, event.data);
  }),
};

async function opened(tx: Tx, stored: StoredEvent, data: TutorEventData["TutorSessionOpened"]): Promise<void> {
  const at = stored.metadata.at ?? stored.created;
  const { sessionId, courseId, courseTitle, courseRevisionId, objectives } = data;
  await tx
    .insertInto("audit_sessions")
    .values({
      session_id: sessionId,
      account_id: accountOf(stored),
      course_id: courseId,
      course_title: courseTitle,
      course_words: courseTitle.toLowerCase(),
      course_revision_id: courseRevisionId,
      phase: "probing",
      started_at: at,
      updated_at: at,
      entries: 0,
    })
    .onConflict((conflict) => conflict.column("session_id").doNothing())
    .execute();
  if (objectives.length === 0) return;
  await tx
    .insertInto("audit_objectives")
    .values(
      objectives.map(({ objectiveId, title }, place) => ({
        session_id: sessionId,
        objective_id: objectiveId,
        place,
        title,
        words: title.toLowerCase(),
        probability: String(masteryParameters.learned),
      })),
    )
    .onConflict((conflict) => conflict.columns(["session_id", "objective_id"]).doNothing())
    .execute();
}

/** An entry that was already counted changes nothing. */
async function recorded(tx: Tx, stored: StoredEvent, { entry }: TutorEventData["EvidenceRecorded"]): Promise<void> {
  const sessionId = sessionIdOf(stored.stream);
  const counted = await tx
    .updateTable("audit_sessions")
    .set({ phase: entry.phase, updated_at: entry.at, entries: entry.index + 1 })
    .where("session_id", "=", sessionId)
    .where("entries", "<=", entry.index)
    .executeTakeFirst();
  if (counted.numUpdatedRows === 0n) return;
  for (const [objectiveId, probability] of Object.entries(entry.masteryAfter))
    if (probability !== entry.masteryBefore[objectiveId])
      await tx
        .updateTable("audit_objectives")
        .set({ probability: String(probability) })
        .where("session_id", "=", sessionId)
        .where("objective_id", "=", objectiveId)
        .execute();
}
