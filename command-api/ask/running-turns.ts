import { withTimeout } from "@colloquy/infra/with-timeout.ts";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { applyFrame, emptyTurn, type TurnProgress } from "@colloquy/schemas/ask/turn-progress.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import { LRUCache } from "lru-cache";
import { isIdle, nextLifecycle, startedLifecycle, type TurnEffect, type TurnEvent } from "./turn-lifecycle.ts";

/** The first event of a conversation, as the device that started it sent it with its first turn. */
export interface ConversationStart {
  at: string;
  started: ConversationChangeData["started"];
}

export interface TurnDescription {
  accountId: string;
  requestId: string;
  /** The conversation that a kept turn is recorded in. */
  conversationId?: string;
  /** Sent with the first turn of a conversation. */
  start?: ConversationStart;
  /**
   * Present for a kept turn: it outlives its connection and is recorded by this function, at most once, unless it is released. `start`:
   * of its conversation, if this process received it with any turn.
   */
  record?: (turn: TurnProgress, start: ConversationStart | undefined) => Promise<void>;
  /** Record the turn as soon as it ends, also when it is stopped. */
  isRecordedByService?: boolean;
}

/** A turn that runs or ended recently, with its frames as NDJSON lines. */
export interface RunningTurn {
  /** Starts a reader after a frame number. Every reader must be closed. */
  read(after: number): TurnReader;
  /** The last status as a new line with the present time; null before the first status. */
  repeatedStatus(): string | null;
  /**
   * The learner stopped the turn or has all of it: it ends and cannot be read again. It is not recorded, unless the service records it in
   * any case. Present readers still get a last frame.
   */
  release(): void;
}

export interface TurnReader {
  /** The lines since the last call; waits for at least one. Null after the last line or once the signal aborts. */
  nextLines(signal: AbortSignal): Promise<string[] | null>;
  /** The lines since the last call, without waiting. */
  takeBuffered(): string[];
  close(): void;
}

export interface RunningTurns {
  find(accountId: string, requestId: string): RunningTurn | null;
  begin(description: TurnDescription, frames: (signal: AbortSignal) => AsyncIterable<AskFrame>): RunningTurn;
  /** Ends and forgets every turn of a conversation that its owner deleted, and its start. */
  releaseConversation(accountId: string, conversationId: string): void;
  /**
   * Ends every turn and records the kept ones that were not released, as far as they came; a client that has all of such a turn records
   * the same. Takes bounded time, even if the store does not answer.
   */
  close(): Promise<void>;
}

/** Why a turn was stopped. */
export class TurnStopped extends Error {
  override name = "TurnStopped";
  /** Shown to a reader who comes back. */
  detail = "The connection was lost before the answer was finished.";
}

class TurnReleased extends TurnStopped {
  override detail = "The answer was stopped, perhaps in another window. Ask again to get a new one.";
}

/** How long a stopping service waits for readers to take the last frame (ms). */
const lastFrameMs = 300;

/**
 * Starts of conversations, evicted by size. A device may ask the second question before it has pushed the first turn; the second turn is
 * then recorded after the same start, and the start that the device pushes later is a duplicate.
 */
export const conversationStarts = (maxSize: number = bounds.ask.kept.startCharacters): LRUCache<string, ConversationStart> =>
  new LRUCache({ maxSize, sizeCalculation: (start) => JSON.stringify(start).length });

const keyOf = (accountId: string, id: string): string => `${accountId}/${id}`;

/**
 * The turns of this process, independent of the connections that read them. A turn ends when its last reader leaves; a kept turn continues
 * for `bounds.ask.graceMs`, can be read again by the same account and is recorded unless it is released: sending the last line does not
 * prove that a client received it.
 */
export function createRunningTurns({
  graceMs = bounds.ask.graceMs,
  keptMs = bounds.ask.kept.ms,
  recordingMs = bounds.ask.recordingMs,
}: {
  graceMs?: number;
  keptMs?: number;
  /** How long a stopping service waits for the store. */
  recordingMs?: number;
} = {}): RunningTurns {
  const turns = new Map<string, ReturnType<typeof createTurn>>();
  const starts = conversationStarts();
  /** Characters of turns that have ended. */
  let heldCharacters = 0;

  function createTurn(key: string, description: TurnDescription, frames: (signal: AbortSignal) => AsyncIterable<AskFrame>) {
    const abort = new AbortController();
    const lines: string[] = [];
    const wakeReaders = new Set<() => void>();
    let progress = emptyTurn;
    let life = startedLifecycle(description.record !== undefined, description.isRecordedByService);
    let characters = 0;
    let recording: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    let lastStatus: Extract<AskFrame, { kind: "status" }> | undefined;
    const startedAt = performance.now();

    const startTimer = (ms: number, event: TurnEvent): void => {
      clearTimeout(timer);
      timer = setTimeout(() => dispatch(event), ms);
      timer.unref();
    };
    const effects: Record<TurnEffect, () => void> = {
      stopUnread: () => abort.abort(new TurnStopped("the turn has no reader")),
      stopReleased: () => abort.abort(new TurnReleased("the learner released the turn")),
      stopClosing: () => abort.abort(new TurnStopped("the service stops")),
      record: () => {
        const { accountId, conversationId = "" } = description;
        recording = description.record?.(progress, starts.get(keyOf(accountId, conversationId)));
      },
      drop() {
        clearTimeout(timer);
        if (turns.get(key) === turn) turns.delete(key);
        if (life.stage === "ended") heldCharacters -= characters;
        characters = 0;
      },
      startGrace: () => startTimer(graceMs, "graceExpired"),
      startRetention: () => startTimer(keptMs, "retentionExpired"),
      clearTimer: () => clearTimeout(timer),
    };
    const dispatch = (event: TurnEvent): void => {
      const [next, ...todo] = nextLifecycle(life, event);
      life = next;
      for (const effect of todo) effects[effect]();
    };

    const run = async (): Promise<void> => {
      try {
        for await (const frame of frames(abort.signal)) {
          if (life.fate === "released" && frame.kind !== "error" && frame.kind !== "complete") continue;
          const numbered = { ...frame, seq: progress.seq + 1 };
          if (numbered.kind === "status") lastStatus = numbered;
          progress = applyFrame(progress, numbered);
          const line = `${JSON.stringify(numbered)}\n`;
          lines.push(line);
          characters += line.length;
          for (const wake of wakeReaders) wake();
        }
      } finally {
        heldCharacters += characters;
        dispatch("ended");
        evictIdleTurns();
        for (const wake of wakeReaders) wake();
      }
    };

    const turn = {
      description,
      run,
      dispatch,
      recording: () => recording,
      get isIdle(): boolean {
        return isIdle(life);
      },
      get isRead(): boolean {
        return life.readers > 0;
      },
      read(after: number): TurnReader {
        dispatch("readerJoined");
        // After the end the last line is repeated, so that every reader gets one.
        let at = Math.min(after, life.stage === "ended" ? Math.max(0, lines.length - 1) : lines.length);
        let isOpen = true;
        return {
          async nextLines(signal) {
            while (at >= lines.length && life.stage !== "ended" && !signal.aborted)
              await new Promise<void>((resolve) => {
                const done = (): void => {
                  wakeReaders.delete(done);
                  signal.removeEventListener("abort", done);
                  resolve();
                };
                wakeReaders.add(done);
                signal.addEventListener("abort", done);
              });
            if (signal.aborted || at >= lines.length) return null;
            return this.takeBuffered();
          },
          takeBuffered() {
            const fresh = lines.slice(at);
            at = lines.length;
            return fresh;
          },
          close() {
            if (!isOpen) return;
            isOpen = false;
            dispatch("readerLeft");
          },
        };
      },
      repeatedStatus() {
        if (!lastStatus) return null;
        // Without the quiz so far: it can be long and was sent already.
        const { detail: { quiz: _, ...detail } = {}, ...rest } = lastStatus;
        return `${JSON.stringify({ ...rest, detail, elapsedMs: Math.round(performance.now() - startedAt) })}\n`;
      },
      release: () => dispatch("released"),
    };
    return turn;
  }

  /** Not by a cache: a turn that is read or not yet recorded must stay, however old it is. */
  function evictIdleTurns(): void {
    for (const turn of turns.values()) {
      if (heldCharacters <= bounds.ask.kept.characters) return;
      if (turn.isIdle) turn.dispatch("retentionExpired");
    }
  }

  return {
    find: (accountId, requestId) => turns.get(keyOf(accountId, requestId)) ?? null,
    releaseConversation(accountId, conversationId) {
      starts.delete(keyOf(accountId, conversationId));
      for (const { description, dispatch } of [...turns.values()])
        if (description.accountId === accountId && description.conversationId === conversationId) dispatch("conversationDeleted");
    },
    begin(description, frames) {
      const { accountId, requestId, conversationId, start } = description;
      const key = keyOf(accountId, requestId);
      const turn = createTurn(key, description, frames);
      turns.set(key, turn);
      if (start && conversationId) starts.set(keyOf(accountId, conversationId), start);
      // Never rejects: errors become the last frame.
      void turn.run();
      return turn;
    },
    async close() {
      const all = [...turns.values()];
      for (const turn of all) turn.dispatch("closing");
      // Present readers get the last frame. A connection that only seems open does not prevent the recording.
      for (let waited = 0; waited < lastFrameMs && all.some((turn) => turn.isRead); waited += 20)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const turn of all) turn.dispatch("closed");
      // If the store takes longer than the process may take to end, the client that asked records what it has.
      await withTimeout(Promise.all(all.map((turn) => turn.recording())), recordingMs).catch(() => undefined);
    },
  };
}
