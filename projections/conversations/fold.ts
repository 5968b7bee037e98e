import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type ConversationEvent, conversationIdOf } from "@colloquy/schemas/conversations/events.ts";
import { type ConversationState, evolve } from "@colloquy/schemas/conversations/state.ts";
import { searchText } from "@colloquy/schemas/search/text.ts";
import type { ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
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
  const states = new Map<string, ConversationState>();
  const purged = new Set<string>();
  let turns: Turn[] = [];
  let attempts: Attempt[] = [];
  for (const { stored, event } of events) {
    const id = conversationIdOf(stored.stream);
    const row = rows.get(id) ?? before.get(id);
    if (event.type === "ConversationDeleted") {
      rows.set(id, tombstone(stored));
      states.delete(id);
      purged.add(id);
      turns = turns.filter(({ conversation_id }) => conversation_id !== id);
      attempts = attempts.filter(({ conversation_id }) => conversation_id !== id);
      continue;
    }
    const isStart = event.type === "ConversationStarted";
    if (isStart ? row : !row || row.deleted === 1 || row.version >= stored.revision) continue;
    const state = evolve(states.get(id) ?? (row ? stateOf(row) : null), event);
    if (!state) continue;
    states.set(id, state);
    rows.set(id, row ? continued(row, stored, event) : started(stored, state));
    if (event.type === "TurnRecorded") turns.push(turnOf(stored, withoutVersion(event.data)));
    if (event.type === "QuizAttempted") attempts.push({ ...entryOf(stored), data: JSON.stringify(withoutVersion(event.data)) });
  }
  for (const [id, state] of states) {
    const row = rows.get(id);
    if (row) rows.set(id, { ...row, ...columnsOf(state) });
  }
  return { purged, rows, turns, attempts };
}

/** The row after one more event, without the columns of its state. */
const continued = (row: Row, { revision, position, created }: StoredEvent, { type }: ConversationEvent): Row => ({
  ...row,
  version: revision,
  position: positionColumn(position),
  ...(type === "TurnRecorded" && { updated_at: created, updated_position: positionColumn(position) }),
});

const started = (stored: StoredEvent, state: ConversationState): Row => ({
  ...idsOf(stored),
  ...columnsOf(state),
  deleted: 0,
  created_at: stored.created,
  updated_at: stored.created,
  updated_position: positionColumn(stored.position),
});

const stateOf = ({ title, mode, archived, pinned, model, attached, turns }: Row): ConversationState => ({
  title,
  mode: mode === "tutor" ? "tutor" : "ask",
  state: archived ? "archived" : "active",
  pinned: pinned === 1,
  model: JSON.parse(model),
  references: JSON.parse(attached),
  turnCount: turns,
});

/** The columns that hold a state. */
const columnsOf = ({ title, mode, state, pinned, model, references, turnCount }: ConversationState) => ({
  title,
  title_search: searchText(title),
  mode,
  archived: state === "archived" ? 1 : 0,
  pinned: pinned ? 1 : 0,
  model: JSON.stringify(model),
  attached: JSON.stringify(references),
  turns: turnCount,
});

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

const turnOf = (stored: StoredEvent, turn: ConversationChangeData["turn_recorded"]): Turn => ({
  ...entryOf(stored),
  turn_id: turn.turnId,
  data: JSON.stringify(turn),
  search: searchText(`${turn.question}\n${turn.answer}`),
});

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

function withoutVersion<Data extends { schemaVersion: number }>({ schemaVersion: _, ...data }: Data): Omit<Data, "schemaVersion"> {
  return data;
}
