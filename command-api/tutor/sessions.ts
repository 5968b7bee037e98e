import { randomBytes } from "node:crypto";
import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { emptyTree, type Tree, withLeaf } from "@colloquy/infra/ledger/tree.ts";
import { unknownEvents } from "@colloquy/infra/telemetry/metrics.ts";
import type { EventMetadata } from "@colloquy/schemas/events/metadata.ts";
import {
  readTutorEvent,
  type TutorEvent,
  type TutorTextEvent,
  type TutorTextKind,
  tutorStream,
  tutorTextStream,
} from "@colloquy/schemas/events/tutor.ts";
import type { LedgerCheckpoint } from "@colloquy/schemas/tutor/ledger.ts";
import { evolve, initial, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { SaltedText } from "./commands.ts";

/** A session as it stands, with what the next append needs. */
export interface LoadedSession {
  state: TutorState;
  position: string | null;
  tree: Tree;
  /** The last one signed. */
  checkpoint: LedgerCheckpoint | null;
}

/** The learner's own texts of a session, by text id. */
export type KeptTexts = ReadonlyMap<string, SaltedText>;

interface Texts {
  texts: KeptTexts;
  revision: number;
}

/** Who does something, and under which request. */
export interface TutorContext {
  accountId: string;
  requestId: string;
  /** Of the browser's request. */
  correlationId: string;
}

export type TextToKeep = SaltedText & { kind: TutorTextKind };

export interface SessionChange {
  sessionId: string;
  events: readonly TutorEvent[];
  texts: readonly TextToKeep[];
  at: string;
}

export interface RecordedEvent {
  revision: number;
  /** Null for one that this version does not know. */
  event: TutorEvent | null;
}

export interface TutorSessions {
  load(sessionId: string): Promise<LoadedSession>;
  texts(sessionId: string): Promise<KeptTexts>;
  /** What a request became, from an event number on; nothing where it was not carried out. */
  recordedBy(sessionId: string, requestId: string, from?: number): Promise<RecordedEvent[]>;
  /** A text with its salt, to be kept with the events that speak of it; the same text again has the same salt. */
  salted(sessionId: string, textId: string, kind: TutorTextKind, text: string): Promise<TextToKeep>;
  /**
   * Appends what was decided on `before`, the texts first, and the service's signature under the ledger.
   * @throws {WrongExpectedRevision}
   */
  append(context: TutorContext, before: LoadedSession, change: SessionChange): Promise<LoadedSession>;
  /** Deletes the learner's own texts; what the ledger says of them stays. */
  deleteTexts(context: TutorContext, sessionId: string): Promise<void>;
}

const keptSessions = 200;
const nothing: LoadedSession = { state: initial, position: null, tree: emptyTree, checkpoint: null };

/** Sessions in the event store; those used last are kept in memory and read on from where they were. */
export function tutorSessions({ store, signer }: { store: EventStore; signer: LedgerSigner }): TutorSessions {
  const kept = new Map<string, LoadedSession>();
  const keptTexts = new Map<string, Texts>();

  async function load(sessionId: string): Promise<LoadedSession> {
    let loaded = kept.get(sessionId) ?? nothing;
    for await (const stored of store.read(tutorStream(sessionId), { from: loaded.state.version + 1 })) {
      const event = readTutorEvent(stored) as TutorEvent | null;
      if (!event) unknownEvents.inc({ reader: "tutor commands", type: stored.type });
      loaded = withEvent(loaded, event, stored.position);
      if (loaded.state.accountId === "") loaded = { ...loaded, state: { ...loaded.state, accountId: stored.metadata.accountId ?? "" } };
    }
    return keep(sessionId, loaded);
  }

  function keep(sessionId: string, loaded: LoadedSession): LoadedSession {
    kept.delete(sessionId);
    if (loaded !== nothing) kept.set(sessionId, loaded);
    if (kept.size > keptSessions) kept.delete(kept.keys().next().value ?? "");
    return loaded;
  }

  async function readTexts(sessionId: string): Promise<Texts> {
    const known = keptTexts.get(sessionId) ?? { texts: new Map<string, SaltedText>(), revision: -1 };
    let { revision } = known;
    const texts = new Map(known.texts);
    for await (const stored of store.read(tutorTextStream(sessionId), { from: revision + 1 })) {
      revision = stored.revision;
      const event = readTutorEvent(stored) as TutorTextEvent | null;
      if (event?.type === "TutorTextsDeleted") texts.clear();
      if (event?.type === "TutorTextKept") texts.set(event.data.textId, event.data);
    }
    const read = { texts, revision };
    keptTexts.delete(sessionId);
    keptTexts.set(sessionId, read);
    if (keptTexts.size > keptSessions) keptTexts.delete(keptTexts.keys().next().value ?? "");
    return read;
  }

  /** @throws {WrongExpectedRevision} when somebody else keeps texts of the session at the same time */
  async function appendTexts(context: TutorContext, sessionId: string, texts: readonly TextToKeep[], at: string): Promise<void> {
    if (texts.length === 0) return;
    const { texts: known, revision } = await readTexts(sessionId);
    const fresh = texts.filter(({ textId, salt }) => known.get(textId)?.salt !== salt);
    if (fresh.length === 0) return;
    const events = fresh.map((text) => ({
      id: eventIdFrom("tutor text", sessionId, text.textId, text.salt),
      ...({ type: "TutorTextKept", data: { schemaVersion: 1, ...text } } satisfies TutorTextEvent),
      metadata: metadataOf(context, at),
    }));
    await store.append(tutorTextStream(sessionId), events, revision < 0 ? "none" : revision);
  }

  const metadataOf = ({ accountId, requestId, correlationId }: TutorContext, at: string): EventMetadata => ({
    accountId,
    requestId,
    correlationId,
    at,
  });

  return {
    load,
    texts: async (sessionId) => (await readTexts(sessionId)).texts,

    async recordedBy(sessionId, requestId, from = 0) {
      const recorded: RecordedEvent[] = [];
      for await (const stored of store.read(tutorStream(sessionId), { from }))
        if (stored.metadata.requestId === requestId)
          recorded.push({ revision: stored.revision, event: readTutorEvent(stored) as TutorEvent | null });
      return recorded;
    },

    async salted(sessionId, textId, kind, text) {
      const before = (await readTexts(sessionId)).texts.get(textId);
      return { textId, kind, text, salt: before?.text === text ? before.salt : randomBytes(32).toString("base64url") };
    },

    async append(context, before, { sessionId, events, texts, at }) {
      await appendTexts(context, sessionId, texts, at);
      let after = before;
      for (const event of events) after = withEvent(after, event, after.position);
      const signed: TutorEvent = {
        type: "CheckpointSigned",
        data: { schemaVersion: 1, checkpoint: signer.checkpoint({ sessionId, before: after.checkpoint, tree: after.tree, at }) },
      };
      const all = after.tree.size > before.tree.size ? [...events, signed] : events;
      const metadata = metadataOf(context, at);
      const expected = before.state.version < 0 ? ("none" as const) : before.state.version;
      const { position } = await store.append(
        tutorStream(sessionId),
        all.map(({ type, data }, index) => ({
          // With its content: another process that carries the same request out at the same time decides otherwise, if only by the clock,
          // and must be told that it was too late rather than that its own was recorded.
          id: eventIdFrom("tutor", sessionId, context.requestId, String(index), JSON.stringify(data)),
          type,
          data,
          metadata,
        })),
        expected,
      );
      if (all !== events) after = withEvent(after, signed, position);
      return keep(sessionId, { ...after, position, state: { ...after.state, accountId: context.accountId } });
    },

    async deleteTexts(context, sessionId) {
      const { texts, revision } = await readTexts(sessionId);
      if (revision < 0) return;
      if (texts.size > 0) {
        const event: TutorTextEvent = { type: "TutorTextsDeleted", data: { schemaVersion: 1 } };
        const id = eventIdFrom("tutor texts deleted", sessionId, String(revision));
        await store.append(
          tutorTextStream(sessionId),
          [{ id, ...event, metadata: metadataOf(context, new Date().toISOString()) }],
          revision,
        );
      }
      // Also when they were deleted before: the first time may have been interrupted before the texts were gone.
      const { revision: deletedAt } = await readTexts(sessionId);
      if (deletedAt > 0) await store.truncateBefore(tutorTextStream(sessionId), deletedAt);
    },
  };
}

function withEvent(loaded: LoadedSession, event: TutorEvent | null, position: string | null): LoadedSession {
  if (!event) return { ...loaded, position, state: { ...loaded.state, version: loaded.state.version + 1 } };
  const tree = event.type === "EvidenceRecorded" ? withLeaf(loaded.tree, event.data.entry.hash) : loaded.tree;
  const checkpoint = event.type === "CheckpointSigned" ? event.data.checkpoint : loaded.checkpoint;
  return { state: evolve(loaded.state, event), position, tree, checkpoint };
}
