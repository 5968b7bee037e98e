import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { ModelSelection } from "@colloquy/schemas/ask/models.ts";
import { type ConversationEvent, conversationIdOf } from "@colloquy/schemas/events/conversation.ts";
import { searchText } from "@colloquy/schemas/search/text.ts";
import type { AttachedReference, ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import { accountOf } from "../projection.ts";
import type { ConversationTables } from "./tables.ts";

type Row = ConversationTables["conversations"];
type Turn = ConversationTables["conversation_turns"];
type Attempt = ConversationTables["conversation_attempts"];

/** The changes of a batch of events, written in this order. */
export interface ConversationChanges {
  /** Conversations whose turns and attempts are deleted. */
  purged: ReadonlySet<string>;
  /** The changed rows, by conversation. */
  rows: ReadonlyMap<string, Row>;
  turns: readonly Turn[];
  attempts: readonly Attempt[];
}

/**
 * Applies events in order to the existing rows (`before`, by conversation). An event that was already applied, or that comes after a
 * deletion, changes nothing. Pure.
 * @throws {TypeError} for an event that names no account
 */
export function foldConversations(
  before: ReadonlyMap<string, Row>,
  events: readonly { stored: StoredEvent; event: ConversationEvent }[],
): ConversationChanges {
  const rows = new Map<string, Row>();
  const purged = new Set<string>();
  let turns: Turn[] = [];
  let attempts: Attempt[] = [];
  for (const { stored, event } of events) {
    const id = conversationIdOf(stored.stream);
    const row = rows.get(id) ?? before.get(id);
    if (event.type === "ConversationStarted") {
      if (!row) rows.set(id, started(stored, event.data));
    } else if (event.type === "ConversationDeleted") {
      rows.set(id, tombstone(stored));
      purged.add(id);
      turns = turns.filter(({ conversation_id }) => conversation_id !== id);
      attempts = attempts.filter(({ conversation_id }) => conversation_id !== id);
    } else if (row && row.deleted === 0 && row.version < stored.revision) {
      rows.set(id, { ...row, ...fieldsOf(stored, event, row), version: stored.revision, position: positionColumn(stored.position) });
      if (event.type === "TurnRecorded") turns.push(turnOf(stored, event.data));
      if (event.type === "QuizAttempted") attempts.push({ ...entryOf(stored), data: JSON.stringify(withoutVersion(event.data)) });
    }
  }
  return { purged, rows, turns, attempts };
}

/** The part of the row that an event sets. */
function fieldsOf(stored: StoredEvent, event: ConversationEvent, row: Row): Partial<Row> {
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
    case "TurnRecorded":
      return {
        // A regenerated answer replaces its turn.
        turns: row.turns + (event.data.replaces === undefined ? 1 : 0),
        updated_at: stored.created,
        updated_position: positionColumn(stored.position),
      };
    case "ReferenceAttached":
      return { attached: JSON.stringify([...otherReferences(row, event.data.href), withoutVersion(event.data)]) };
    case "ReferenceRemoved":
      return { attached: JSON.stringify(otherReferences(row, event.data.href)) };
    default:
      return {};
  }
}

const otherReferences = (row: Row, href: string): AttachedReference[] =>
  (JSON.parse(row.attached) as AttachedReference[]).filter((reference) => reference.href !== href);

function started(stored: StoredEvent, data: ConversationChangeData["started"]): Row {
  return {
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
  };
}

/** The row of a deleted conversation, also if the earlier events of its stream are already gone. */
function tombstone(stored: StoredEvent): Row {
  const ids = idsOf(stored);
  return {
    ...ids,
    deleted: 1,
    title: "",
    title_search: "",
    mode: "ask",
    archived: 0,
    pinned: 0,
    model: "",
    attached: "",
    turns: 0,
    created_at: stored.created,
    updated_at: stored.created,
    updated_position: ids.position,
  };
}

function turnOf(stored: StoredEvent, data: { schemaVersion: 1 } & ConversationChangeData["turn_recorded"]): Turn {
  const turn = withoutVersion(data);
  return {
    ...entryOf(stored),
    turn_id: turn.turnId,
    data: JSON.stringify(turn),
    search: searchText(`${turn.question}\n${turn.answer}`),
  };
}

const entryOf = (stored: StoredEvent) => ({
  conversation_id: conversationIdOf(stored.stream),
  ordinal: stored.revision,
  at: stored.metadata.at ?? stored.created,
});

function idsOf(stored: StoredEvent) {
  return {
    conversation_id: conversationIdOf(stored.stream),
    account_id: accountOf(stored),
    version: stored.revision,
    position: positionColumn(stored.position),
  };
}

function withoutVersion<Data extends object>(data: Data): Omit<Data, "schemaVersion"> {
  const { schemaVersion: _, ...rest } = data as Data & { schemaVersion?: unknown };
  return rest as Omit<Data, "schemaVersion">;
}

function selectionOf({ choice, id, allowFallbackWhenPinned }: ConversationChangeData["model_chosen"]): ModelSelection {
  return choice === "pinned" && id !== undefined ? { choice, id, allowFallbackWhenPinned } : { choice: "automatic" };
}
