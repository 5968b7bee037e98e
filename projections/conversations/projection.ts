import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { ModelSelection } from "@colloquy/schemas/ai/models.ts";
import {
  type ConversationEvent,
  conversationEventTypes,
  conversationIdOf,
  conversationStreamPrefix,
  readConversationEvent,
} from "@colloquy/schemas/events/conversation.ts";
import type { AttachedReference, ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import type { Transaction } from "kysely";
import type { Projection } from "../projection.ts";
import { searchText } from "./search-text.ts";
import { type ConversationTables, migrations, tables } from "./tables.ts";

type Tx = Transaction<ConversationTables>;

/** The history and the conversations in full. Deleting one leaves a row of ids, and no text anywhere. */
export const projection: Projection<ConversationTables> = {
  name: "conversations",
  tables,
  streams: [conversationStreamPrefix],
  events: Object.values(conversationEventTypes),
  purging: ["ConversationDeleted"],
  migrations,
  async apply(tx, stored) {
    const event = readConversationEvent(stored);
    if (!event) return;
    if (event.type === "ConversationStarted") await start(tx, stored, event.data);
    else if (event.type === "ConversationDeleted") await purge(tx, stored);
    // An event that has been applied already, or that comes after a deletion, changes nothing.
    else if (await advance(tx, stored, fieldsOf(event))) await append(tx, stored, event);
  },
};

type Row = ConversationTables["conversations"];

/** The part of the row that an event sets by itself. */
function fieldsOf(event: ConversationEvent): Partial<Row> {
  switch (event.type) {
    case "ConversationRenamed":
      return { title: event.data.title, title_search: searchText(event.data.title) };
    case "ConversationPinned":
      return { pinned: 1 };
    case "ConversationUnpinned":
      return { pinned: 0 };
    case "ConversationArchived":
      return { archived: 1 };
    case "ConversationRestored":
      return { archived: 0 };
    case "ModelChosen":
      return { model: JSON.stringify(selectionOf(event.data)) };
    case "ModeChosen":
      return { mode: event.data.mode };
    default:
      return {};
  }
}

async function start(tx: Tx, stored: StoredEvent, data: ConversationChangeData["started"]): Promise<void> {
  await tx
    .insertInto("conversations")
    .values({
      ...idsOf(stored),
      deleted: 0,
      title: data.title,
      title_search: searchText(data.title),
      mode: data.mode,
      archived: 0,
      pinned: 0,
      model: JSON.stringify(data.model),
      attached: JSON.stringify(data.references),
      turns: 0,
      created_at: stored.created,
      updated_at: stored.created,
      updated_position: positionColumn(stored.position),
    })
    .onConflict((conflict) => conflict.column("conversation_id").doNothing())
    .execute();
}

/** Moves the row on to this event; false when the row is already there or further, or is a deleted conversation's. */
async function advance(tx: Tx, stored: StoredEvent, fields: Partial<Row>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("conversations")
    .set({ ...fields, version: stored.revision, position: positionColumn(stored.position) })
    .where("conversation_id", "=", conversationIdOf(stored.stream))
    .where("version", "<", stored.revision)
    .where("deleted", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function append(tx: Tx, stored: StoredEvent, event: ConversationEvent): Promise<void> {
  const conversation_id = conversationIdOf(stored.stream);
  const entry = { conversation_id, ordinal: stored.revision, at: stored.metadata.at ?? stored.created };
  switch (event.type) {
    case "TurnRecorded": {
      const { schemaVersion: _, ...turn } = event.data;
      await tx
        .insertInto("conversation_turns")
        .values({ ...entry, turn_id: turn.turnId, data: JSON.stringify(turn), search: searchText(`${turn.question}\n${turn.answer}`) })
        .execute();
      await tx
        .updateTable("conversations")
        .set((column) => ({
          // A regeneration stands for the turn it replaces.
          ...(turn.replaces === undefined && { turns: column("turns", "+", 1) }),
          updated_at: stored.created,
          updated_position: positionColumn(stored.position),
        }))
        .where("conversation_id", "=", conversation_id)
        .execute();
      return;
    }
    case "QuizAttempted": {
      const { schemaVersion: _, ...attempt } = event.data;
      await tx
        .insertInto("conversation_attempts")
        .values({ ...entry, data: JSON.stringify(attempt) })
        .execute();
      return;
    }
    case "ReferenceAttached": {
      const { schemaVersion: _, ...reference } = event.data;
      return changeReferences(tx, conversation_id, (kept) => [...kept.filter(({ href }) => href !== reference.href), reference]);
    }
    case "ReferenceRemoved":
      return changeReferences(tx, conversation_id, (kept) => kept.filter(({ href }) => href !== event.data.href));
    default:
      return;
  }
}

async function changeReferences(tx: Tx, id: string, change: (kept: AttachedReference[]) => AttachedReference[]): Promise<void> {
  const row = await tx.selectFrom("conversations").select("attached").where("conversation_id", "=", id).executeTakeFirstOrThrow();
  const attached = JSON.stringify(change(JSON.parse(row.attached) as AttachedReference[]));
  await tx.updateTable("conversations").set({ attached }).where("conversation_id", "=", id).execute();
}

/** What stays: that it existed, whose it was, and how far its stream has come. Also when the stream's earlier events are gone already. */
async function purge(tx: Tx, stored: StoredEvent): Promise<void> {
  const ids = idsOf(stored);
  const tombstone = {
    ...{ deleted: 1, title: "", title_search: "", mode: "ask", archived: 0, pinned: 0, model: "", attached: "", turns: 0 },
    ...{ created_at: stored.created, updated_at: stored.created, updated_position: ids.position },
  };
  const { version, position } = ids;
  for (const table of ["conversation_turns", "conversation_attempts"] as const)
    await tx.deleteFrom(table).where("conversation_id", "=", ids.conversation_id).execute();
  await tx
    .insertInto("conversations")
    .values({ ...ids, ...tombstone })
    .onConflict((conflict) => conflict.column("conversation_id").doUpdateSet({ ...tombstone, version, position }))
    .execute();
}

function idsOf(stored: StoredEvent) {
  const account_id = stored.metadata.accountId;
  if (!account_id) throw new TypeError("the event names no account");
  return {
    conversation_id: conversationIdOf(stored.stream),
    account_id,
    version: stored.revision,
    position: positionColumn(stored.position),
  };
}

function selectionOf({ choice, id, allowFallbackWhenPinned }: ConversationChangeData["model_chosen"]): ModelSelection {
  return choice === "pinned" && id !== undefined ? { choice, id, allowFallbackWhenPinned } : { choice: "automatic" };
}
