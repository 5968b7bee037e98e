import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type LearnerEvent, learnerErased, learnerEvents, learnerStreamPrefix } from "@colloquy/schemas/learner/events.ts";
import type { Transaction } from "kysely";
import { accountOf, type Projection } from "../projection.ts";
import { migrations, type ProgressTables, tables } from "./tables.ts";

type Row = ProgressTables["progress"];
type Tx = Transaction<ProgressTables>;

/** How far each account has read, for course pages. The last event wins. */
export const projection: Projection<ProgressTables> = {
  name: "progress",
  tables,
  streams: [learnerStreamPrefix],
  events: learnerEvents.types,
  migrations,
  async apply(tx, events) {
    let pending: StoredEvent[] = [];
    for (const event of events) {
      if (event.type === learnerErased) {
        await write(tx, pending);
        pending = [];
        await erase(tx, event);
      } else pending.push(event);
    }
    await write(tx, pending);
  },
};

async function erase(tx: Tx, { metadata, position }: StoredEvent): Promise<void> {
  await tx
    .deleteFrom("progress")
    .where("account_id", "=", metadata.accountId ?? "")
    .where("position", "<", positionColumn(position))
    .execute();
}

async function write(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  const read = events.flatMap((stored) => {
    const event = learnerEvents.parse(stored);
    return isProgress(event) ? [{ stored, event }] : [];
  });
  if (read.length === 0) return;
  const rows = await tx
    .selectFrom("progress")
    .selectAll()
    .where("account_id", "in", [...new Set(read.map(({ stored }) => stored.metadata.accountId ?? ""))])
    .where("topic_id", "in", [...new Set(read.map(({ event }) => event.data.topicId))])
    .execute();
  const before = new Map(rows.map((row) => [keyOf(row), row]));
  await insertRows(tx, [...foldProgress(before, read).values()], (row) =>
    tx
      .insertInto("progress")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["account_id", "topic_id"]).doUpdateSet((set) => ({
          course_id: set.ref("excluded.course_id"),
          place: set.ref("excluded.place"),
          finished: set.ref("excluded.finished"),
          at: set.ref("excluded.at"),
          position: set.ref("excluded.position"),
        })),
      ),
  );
}

const keyOf = ({ account_id, topic_id }: Pick<Row, "account_id" | "topic_id">): string => `${account_id} ${topic_id}`;

type ProgressEvent = Extract<LearnerEvent, { type: "TopicReadTo" | "TopicFinished" | "TopicReopened" }>;
const isProgress = (event: LearnerEvent): event is ProgressEvent => "topicId" in event.data;

/** The changed rows. An event that was already applied changes nothing. Pure. */
function foldProgress(
  before: ReadonlyMap<string, Row>,
  events: readonly { stored: StoredEvent; event: ProgressEvent }[],
): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const { stored, event } of events) {
    const account_id = accountOf(stored);
    const topic_id = event.data.topicId;
    const key = keyOf({ account_id, topic_id });
    const row = rows.get(key) ?? before.get(key);
    const position = positionColumn(stored.position);
    if (row && row.position >= position) continue;
    rows.set(key, {
      account_id,
      topic_id,
      course_id: event.data.courseId,
      position,
      place: event.type === "TopicReadTo" ? String(event.data.place) : event.type === "TopicFinished" ? "1" : "0",
      finished: event.type === "TopicFinished" ? 1 : event.type === "TopicReopened" ? 0 : (row?.finished ?? 0),
      at: stored.metadata.at ?? stored.created,
    });
  }
  return rows;
}
