import { withTimeout } from "@colloquy/infra/with-timeout.ts";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { type TurnSoFar, turnAfterFrame, turnBegun } from "@colloquy/schemas/ask/turn-so-far.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type ConversationStart, conversationStarts } from "./conversation-starts.ts";
import { isIdle, type TurnDeed, type TurnHappening, turnBegins, turnLifeAfter } from "./turn-life.ts";

/** What identifies a turn, and what becomes of it when its reader is gone. */
export interface TurnDescription {
  accountId: string;
  requestId: string;
  /** The conversation it is to be recorded in, where it is to be kept. */
  conversationId?: string;
  /** What that conversation begins with, told with its first turn. */
  start?: ConversationStart;
  /**
   * Present for a turn that outlives its connection: called once, with what it came to, when nobody has let go of it; and with what its
   * conversation begins with, where this process was told that by any of its turns.
   */
  recordUnread?: (turn: TurnSoFar, start: ConversationStart | undefined) => Promise<void>;
  /** That is called as soon as the turn has ended, stopped or not. */
  byService?: boolean;
}

/** A turn that runs, or ran a moment ago. Its frames are kept as the lines they are sent as. */
export interface RunningTurn {
  /** Begins to read after a frame. Each reader must be closed. */
  read(after: number): TurnReader;
  /** The line of its last status as it would be said now; null while it has said none. */
  statusAgain(): string | null;
  /**
   * The learner wants no more of it, or has all of it: it stops, the service records nothing of it (unless it was to record it anyway),
   * and it cannot be read any longer.
   * Whoever reads it still gets a last frame.
   */
  letGo(): void;
}

export interface TurnReader {
  /** The lines that have come since the last call; waits for one. Null once there will be none, or the signal aborts. */
  lines(signal: AbortSignal): Promise<string[] | null>;
  /** Those that have come meanwhile. */
  more(): string[];
  close(): void;
}

export interface RunningTurns {
  find(accountId: string, requestId: string): RunningTurn | null;
  begin(about: TurnDescription, frames: (signal: AbortSignal) => AsyncIterable<AskFrame>): RunningTurn;
  /** Lets go of every turn of a conversation that its owner has deleted, and of its beginning. */
  forget(accountId: string, conversationId: string): void;
  /**
   * Ends every turn; kept ones that nobody let go of are recorded as far as they came: whoever has the last line records the same.
   * Takes no longer than its bounds, whatever the store does.
   */
  close(): Promise<void>;
}

/** Why a turn ends that nobody reads. */
export class Unread extends Error {
  override name = "Unread";
  /** For whoever reads it all the same. */
  detail = "The connection was lost before the answer was finished.";
}

class LetGo extends Unread {
  override detail = "The answer was stopped, perhaps in another window. Ask again to get a new one.";
}

/** How long a stopping service waits for its readers to take their last line, in milliseconds. */
const lastWordsMs = 300;

/**
 * The turns this process runs, apart from the connections they are read through. A turn whose last reader has gone ends at once; a
 * kept one goes on for `bounds.ask.graceMs`, can be read again by the same account, and is recorded unless its learner lets go of it:
 * that its last line was sent does not mean that anybody has it.
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
  const turns = new Map<string, ReturnType<typeof runTurn>>();
  const starts = conversationStarts();
  /** Characters held by turns that have ended. */
  let held = 0;

  function runTurn(key: string, about: TurnDescription, frames: (signal: AbortSignal) => AsyncIterable<AskFrame>) {
    const abort = new AbortController();
    const lines: string[] = [];
    const wake = new Set<() => void>();
    let turn = turnBegun;
    let life = turnBegins(about.recordUnread !== undefined, about.byService);
    let characters = 0;
    let recording: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    let status: Extract<AskFrame, { kind: "status" }> | undefined;
    const begunAt = performance.now();

    const later = (ms: number, happening: TurnHappening): void => {
      clearTimeout(timer);
      timer = setTimeout(() => happens(happening), ms);
      timer.unref();
    };
    const deeds: Record<TurnDeed, () => void> = {
      stopUnread: () => abort.abort(new Unread("nobody reads this turn")),
      stopLetGo: () => abort.abort(new LetGo("the learner wants no more of it")),
      stopClosing: () => abort.abort(new Unread("the service stops")),
      record: () => {
        const { accountId, conversationId = "" } = about;
        recording = about.recordUnread?.(turn, starts.find(accountId, conversationId));
      },
      drop() {
        clearTimeout(timer);
        if (turns.get(key) === self) turns.delete(key);
        if (life.stage === "ended") held -= characters;
        characters = 0;
      },
      waitGrace: () => later(graceMs, "graceOver"),
      waitKept: () => later(keptMs, "keptOver"),
      waitNoMore: () => clearTimeout(timer),
    };
    const happens = (happening: TurnHappening): void => {
      const [next, ...todo] = turnLifeAfter(life, happening);
      life = next;
      for (const deed of todo) deeds[deed]();
    };

    const run = async (): Promise<void> => {
      try {
        for await (const frame of frames(abort.signal)) {
          if (life.fate === "letGo" && frame.kind !== "error" && frame.kind !== "complete") continue;
          const numbered = { ...frame, seq: turn.seq + 1 };
          if (numbered.kind === "status") status = numbered;
          turn = turnAfterFrame(turn, numbered);
          const line = `${JSON.stringify(numbered)}\n`;
          lines.push(line);
          characters += line.length;
          for (const call of wake) call();
        }
      } finally {
        held += characters;
        happens("ended");
        makeRoom();
        for (const call of wake) call();
      }
    };

    const self = {
      about,
      run,
      happens,
      recording: () => recording,
      get idle(): boolean {
        return isIdle(life);
      },
      get isRead(): boolean {
        return life.readers > 0;
      },
      read(after: number): TurnReader {
        happens("read");
        // Behind the end the last line comes again, so that nobody is left without one.
        let at = Math.min(after, life.stage === "ended" ? Math.max(0, lines.length - 1) : lines.length);
        let open = true;
        return {
          async lines(signal) {
            while (at >= lines.length && life.stage !== "ended" && !signal.aborted)
              await new Promise<void>((resolve) => {
                const done = (): void => {
                  wake.delete(done);
                  signal.removeEventListener("abort", done);
                  resolve();
                };
                wake.add(done);
                signal.addEventListener("abort", done);
              });
            if (signal.aborted || at >= lines.length) return null;
            return this.more();
          },
          more() {
            const fresh = lines.slice(at);
            at = lines.length;
            return fresh;
          },
          close() {
            if (!open) return;
            open = false;
            happens("left");
          },
        };
      },
      statusAgain() {
        if (!status) return null;
        // Without the questions that came with it: they are not said twice.
        const { detail: { quiz: _, ...detail } = {}, ...rest } = status;
        return `${JSON.stringify({ ...rest, detail, elapsedMs: Math.round(performance.now() - begunAt) })}\n`;
      },
      letGo: () => happens("letGo"),
    };
    return self;
  }

  /** Lets go of the oldest ended turns when they are too much to hold. */
  function makeRoom(): void {
    for (const turn of turns.values()) {
      if (held <= bounds.ask.kept.characters) return;
      if (turn.idle) turn.happens("keptOver");
    }
  }

  const keyOf = (accountId: string, requestId: string): string => `${accountId}/${requestId}`;
  return {
    find: (accountId, requestId) => turns.get(keyOf(accountId, requestId)) ?? null,
    forget(accountId, conversationId) {
      starts.forget(accountId, conversationId);
      for (const turn of [...turns.values()])
        if (turn.about.accountId === accountId && turn.about.conversationId === conversationId) turn.happens("forgotten");
    },
    begin(about, frames) {
      const key = keyOf(about.accountId, about.requestId);
      const turn = runTurn(key, about, frames);
      turns.set(key, turn);
      if (about.start && about.conversationId) starts.note(about.accountId, about.conversationId, about.start);
      // What goes wrong in it is a frame of its own; it never fails.
      void turn.run();
      return turn;
    },
    async close() {
      const all = [...turns.values()];
      for (const turn of all) turn.happens("closing");
      // Who is there gets the last line. A connection that only seems to be open keeps no turn from being recorded.
      for (let waited = 0; waited < lastWordsMs && all.some((turn) => turn.isRead); waited += 20)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const turn of all) turn.happens("closed");
      // A store that is away for longer than a process may take to end: the browser that asked records what it has.
      await withTimeout(Promise.all(all.map((turn) => turn.recording())), recordingMs).catch(() => undefined);
    },
  };
}
