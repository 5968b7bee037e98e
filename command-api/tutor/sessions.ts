import { randomBytes } from "node:crypto";
import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import {
  type TutorEvent,
  type TutorTextKind,
  tutorEvents,
  tutorStream,
  tutorTextEvents,
  tutorTextStream,
} from "@colloquy/schemas/tutor/events.ts";
import { notBefore } from "@colloquy/schemas/tutor/replay.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { LRUCache } from "lru-cache";
import { commandHandler, type HandledCommand, type LoadedStream, type Transaction } from "../command-handler.ts";
import { keyedMutex } from "../keyed-mutex.ts";
import type { TutorCommand } from "./commands.ts";
import { type SessionState, tutorDecider } from "./decider.ts";
import { itemsWithShownKeys, type Statement, statementsIn } from "./shown-texts.ts";
import { type SessionText, type SessionTexts, textsDecider } from "./texts.ts";

export type LoadedSession = LoadedStream<SessionState>;

/** Who does something, and under which request. */
export interface TutorContext {
  accountId: string;
  requestId: string;
  /** Of the browser's request. */
  correlationId: string;
}

/** The commands of one turn. All their events are appended together, with a signature under the new entries of the ledger. */
export type SessionTurn = Transaction<TutorCommand, TutorEvent, SessionState>;

export interface RecordedEvent {
  revision: number;
  /** Null for a type that this version does not know. */
  event: TutorEvent | null;
}

/** What another session of the same account has to know of one. */
export interface ShownBySession extends Pick<TutorState, "accountId" | "updatedAt" | "version"> {
  /** Those whose truth was shown. */
  statements: readonly Statement[];
}

export interface TutorSessions {
  load(sessionId: string): Promise<LoadedSession>;
  /** What a session showed, as new as a revision that is known of it and as what this process recorded; null where there is none. */
  shown(sessionId: string, version: number): Promise<ShownBySession | null>;
  /** @throws {ProblemError} `not_found`, also for a session of another account */
  loadOwn(accountId: string, sessionId: string): Promise<LoadedSession>;
  texts(sessionId: string): Promise<SessionTexts>;
  /** Events of a request, from a revision on; none where the request was not carried out. */
  recordedBy(sessionId: string, requestId: string, from?: number): Promise<RecordedEvent[]>;
  /** A text with its salt, not recorded yet; the same text under the same id has the same salt. */
  salted(sessionId: string, textId: string, kind: TutorTextKind, text: string): Promise<SessionText>;
  /** Records texts: before the turn that refers to them, so that no ledger has a commitment to a text that was lost. */
  keepTexts(context: TutorContext, sessionId: string, texts: readonly SessionText[], at: string): Promise<void>;
  /**
   * Takes a turn. A session has one turn at a time in this process, so a request that is sent twice finds what its first sending did. When
   * another process appended first, `work` runs again on the newer state.
   */
  takeTurn<Result>(
    context: TutorContext,
    sessionId: string,
    work: (turn: SessionTurn, at: string) => Promise<Result>,
  ): Promise<HandledCommand<TutorEvent, SessionState> & { result: Result }>;
  /** Deletes the learner's own texts; the commitments in the ledger stay. */
  deleteTexts(context: TutorContext, sessionId: string): Promise<void>;
}

interface Needs {
  store: EventStore;
  signer: LedgerSigner;
  /** RFC 3339. */
  now?(): string;
}

export function tutorSessions({ store, signer, now = () => new Date().toISOString() }: Needs): TutorSessions {
  const cache = { streams: 200 };
  const sessions = commandHandler({
    store,
    cache,
    category: "tutor",
    stream: tutorStream,
    decider: tutorDecider,
    events: tutorEvents,
    // With the content: two processes that carry out the same request differ at least in the time, and the second one must get a conflict
    // instead of taking its own events for recorded.
    eventId: ({ id, request, event, index }) =>
      eventIdFrom("tutor", id, request?.requestId ?? "", String(index), JSON.stringify(event.data)),
    evolveUnknown: (state, version) => ({ ...state, version }),
  });
  const texts = commandHandler({
    store,
    cache,
    category: "tutor texts",
    stream: tutorTextStream,
    decider: textsDecider,
    events: tutorTextEvents,
    eventId: ({ id, event, revision }) =>
      event.type === "TutorTextKept"
        ? eventIdFrom("tutor text", id, event.data.textId, event.data.salt)
        : eventIdFrom("tutor texts deleted", id, String(revision)),
    deletion: "TutorTextsDeleted",
  });
  // Every turn looks at the account's other sessions: what they showed is small, their whole states are not.
  const shown = new LRUCache<string, ShownBySession>({
    maxSize: bounds.tutor.keptShown,
    sizeCalculation: ({ statements }) => statements.reduce((sum, { text }) => sum + text.length, 100),
  });
  const inTurn = keyedMutex();
  const textsOf = async (sessionId: string): Promise<SessionTexts> => (await texts.load(sessionId)).state;

  return {
    load: sessions.load,
    async shown(sessionId, version) {
      const kept = shown.get(sessionId);
      if (kept && kept.version >= version) return kept;
      const { state } = await sessions.load(sessionId);
      if (!exists(state)) return null;
      const { accountId, updatedAt } = state;
      const found = { accountId, updatedAt, version: state.version, statements: itemsWithShownKeys(state).flatMap(statementsIn) };
      shown.set(sessionId, found);
      return found;
    },
    async loadOwn(accountId, sessionId) {
      const loaded = await sessions.load(sessionId);
      if (!exists(loaded.state) || loaded.state.accountId !== accountId) throw new ProblemError("not_found");
      return loaded;
    },
    texts: textsOf,

    async recordedBy(sessionId, requestId, from = 0) {
      const recorded: RecordedEvent[] = [];
      for await (const stored of store.read(tutorStream(sessionId), { from }))
        if (stored.metadata.requestId === requestId)
          recorded.push({ revision: stored.revision, event: knownEvent(tutorEvents, stored, { reader: "tutor commands" }) });
      return recorded;
    },

    async salted(sessionId, textId, kind, text) {
      const before = (await textsOf(sessionId)).get(textId);
      return { textId, kind, text, salt: before?.text === text ? before.salt : randomBytes(32).toString("base64url") };
    },

    async keepTexts(context, sessionId, kept, at) {
      if (kept.length > 0) await texts.handle(sessionId, { ...context, at }, { type: "keep", texts: kept });
    },

    takeTurn: (context, sessionId, work) =>
      inTurn(sessionId, async () => {
        const taken = await sessions.transact(sessionId, { ...context, at: now() }, async (turn) => {
          const at = notBefore(now(), turn.before.state.updatedAt);
          const result = await work(turn, at);
          const { tree, checkpoint } = turn.state;
          // At the time of signing: a key can be rotated while a turn waits for a model.
          if (tree.size > turn.before.state.tree.size)
            turn.decide({ type: "sign", checkpoint: signer.checkpoint({ sessionId, before: checkpoint, tree, at: notBefore(now(), at) }) });
          return result;
        });
        // The read model, which says how new a session is, comes to know of this a moment later.
        shown.delete(sessionId);
        return taken;
      }),

    async deleteTexts(context, sessionId) {
      await texts.handle(sessionId, { ...context, at: now() }, { type: "delete" });
    },
  };
}
