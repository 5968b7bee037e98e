import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { prepared } from "@colloquy/infra/database/prepared.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { conversationEvents, conversationIdOf, conversationStreamPrefix } from "@colloquy/schemas/conversations/events.ts";
import type { ExpressionBuilder, Kysely, Transaction } from "kysely";
import type { Projection } from "../projection.ts";
import { type ConversationChanges, foldConversations } from "./fold.ts";
import { type ConversationTables, migrations, tables } from "./tables.ts";

type Tx = Transaction<ConversationTables>;
type Row = ConversationTables["conversations"];

/** The history and the full conversations. A deleted conversation leaves one row of ids and no text. */
export const projection: Projection<ConversationTables> = {
  name: "conversations",
  tables,
  streams: [conversationStreamPrefix],
  events: conversationEvents.types,
  migrations,
  async apply(tx, stored) {
    const events = stored.map((one) => ({ stored: one, event: conversationEvents.parse(one) }));
    await writeChanges(tx, foldConversations(await readRows(tx, streamsOf(stored)), events));
  },
};

const streamsOf = (events: readonly StoredEvent[]): string[] => [...new Set(events.map(({ stream }) => stream))];

/** The rows of the conversations of these streams, by conversation. */
async function readRows(tx: Tx, streams: readonly string[]): Promise<Map<string, Row>> {
  const { rows } = await rowsOf(tx, { ids: streams.map(conversationIdOf) });
  return new Map(rows.map((row) => [row.conversation_id, row]));
}

const rowsOf = prepared((tx: Kysely<ConversationTables>, { ids }: { ids: readonly string[] }) =>
  tx.selectFrom("conversations").selectAll().where("conversation_id", "in", ids),
);

async function writeChanges(tx: Tx, { purged, rows, turns, attempts }: ConversationChanges): Promise<void> {
  if (purged.size > 0)
    for (const table of ["conversation_turns", "conversation_attempts"] as const)
      await tx
        .deleteFrom(table)
        .where("conversation_id", "in", [...purged])
        .execute();
  await insertRows(tx, [...rows.values()], insertConversation);
  await insertRows(tx, turns, insertTurn);
  await insertRows(tx, attempts, insertAttempt);
}

const insertTurn = (row: ConversationTables["conversation_turns"], tx: Tx) => tx.insertInto("conversation_turns").values(row);
const insertAttempt = (row: ConversationTables["conversation_attempts"], tx: Tx) => tx.insertInto("conversation_attempts").values(row);
const insertConversation = (row: Row, tx: Tx) =>
  tx
    .insertInto("conversations")
    .values(row)
    .onConflict((conflict) => conflict.column("conversation_id").doUpdateSet(everyColumn));

/** Every column of the new row. */
const everyColumn = (set: ExpressionBuilder<ConversationTables & { excluded: Row }, "excluded">) => ({
  account_id: set.ref("excluded.account_id"),
  version: set.ref("excluded.version"),
  deleted: set.ref("excluded.deleted"),
  title: set.ref("excluded.title"),
  title_search: set.ref("excluded.title_search"),
  mode: set.ref("excluded.mode"),
  archived: set.ref("excluded.archived"),
  pinned: set.ref("excluded.pinned"),
  model: set.ref("excluded.model"),
  attached: set.ref("excluded.attached"),
  turns: set.ref("excluded.turns"),
  created_at: set.ref("excluded.created_at"),
  updated_at: set.ref("excluded.updated_at"),
  updated_position: set.ref("excluded.updated_position"),
  position: set.ref("excluded.position"),
});
