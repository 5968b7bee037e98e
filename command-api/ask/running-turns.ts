import type { AskFrame } from "@colloquy/schemas/ai/ask.ts";
import { type TurnSoFar, turnAfterFrame, turnBegun } from "@colloquy/schemas/ai/turn-so-far.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";

/** What identifies a turn, and what becomes of it when its reader is gone. */
export interface TurnDescription {
  accountId: string;
  requestId: string;
  /** The conversation it is to be recorded in, where it is to be kept. */
  conversationId?: string;
  /** Present for a turn that outlives its connection: called once, with what it came to, when nobody has let go of it. */
  recordUnread?: (turn: TurnSoFar) => Promise<void>;
}

/** A turn that runs, or ran a moment ago. Its frames are kept as the lines they are sent as. */
export interface RunningTurn {
  /** Begins to read after a frame. Each reader must be closed. */
  read(after: number): TurnReader;
  /** The line of its last status as it would be said now; null while it has said none. */
  statusAgain(): string | null;
  /**
   * The learner wants no more of it, or has all of it: it stops, the service records nothing of it, and it cannot be read any longer.
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
  /** Lets go of every turn of a conversation that its owner has deleted. */
  forget(accountId: string, conversationId: string): void;
  /** Ends every turn; kept ones that nobody let go of are recorded as far as they came: whoever has the last line records the same. */
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
}: {
  graceMs?: number;
  keptMs?: number;
} = {}): RunningTurns {
  const turns = new Map<string, ReturnType<typeof runTurn>>();
  /** Characters held by turns that have ended. */
  let held = 0;

  function runTurn(key: string, about: TurnDescription, frames: (signal: AbortSignal) => AsyncIterable<AskFrame>) {
    const kept = about.recordUnread !== undefined;
    const abort = new AbortController();
    const lines: string[] = [];
    const wake = new Set<() => void>();
    let turn = turnBegun;
    let readers = 0;
    let characters = 0;
    let ended = false;
    let over = false;
    let recording: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    let status: Extract<AskFrame, { kind: "status" }> | undefined;
    const begunAt = performance.now();

    const wakeAll = (): void => {
      for (const call of wake) call();
    };
    const drop = (): void => {
      clearTimeout(timer);
      if (turns.get(key) === self) turns.delete(key);
      if (ended) held -= characters;
      characters = 0;
    };
    const later = (ms: number, work: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(work, ms);
      timer.unref();
    };
    const record = (): Promise<void> => {
      recording ??= about.recordUnread?.(turn) ?? Promise.resolve();
      return recording;
    };
    /** Nobody came back. */
    const unread = (): void => {
      if (!ended) abort.abort(new Unread("nobody reads this turn"));
      else {
        void record();
        later(keptMs, drop);
      }
    };
    const left = (): void => {
      if (readers > 0) return;
      if (!kept) {
        abort.abort(new Unread("whoever asked has gone"));
        if (ended) drop();
      } else if (over) return;
      else if (recording) later(keptMs, drop);
      else later(graceMs, unread);
    };

    const run = async (): Promise<void> => {
      try {
        for await (const frame of frames(abort.signal)) {
          if (over && frame.kind !== "error" && frame.kind !== "complete") continue;
          const numbered = { ...frame, seq: turn.seq + 1 };
          if (numbered.kind === "status") status = numbered;
          turn = turnAfterFrame(turn, numbered);
          const line = `${JSON.stringify(numbered)}\n`;
          lines.push(line);
          characters += line.length;
          if (wake.size > 0) wakeAll();
        }
      } finally {
        ended = true;
        held += characters;
        if (over || (readers === 0 && !kept)) drop();
        else if (readers === 0) {
          // It was ended because nobody read it, or it ended by itself while the reader may still come back.
          if (abort.signal.aborted) unread();
        }
        makeRoom();
        wakeAll();
      }
    };

    const self = {
      about,
      kept,
      run,
      record,
      drop,
      get idle(): boolean {
        return ended && readers === 0 && recording !== undefined;
      },
      get isRead(): boolean {
        return readers > 0;
      },
      get wanted(): boolean {
        return kept && !over;
      },
      end: () => abort.abort(new Unread("the service stops")),
      read(after: number): TurnReader {
        readers += 1;
        if (!ended || kept) clearTimeout(timer);
        // Behind the end the last line comes again, so that nobody is left without one.
        let at = Math.min(after, ended ? Math.max(0, lines.length - 1) : lines.length);
        let open = true;
        return {
          async lines(signal) {
            while (at >= lines.length && !ended && !signal.aborted)
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
            readers -= 1;
            left();
          },
        };
      },
      statusAgain() {
        if (!status) return null;
        // Without the questions that came with it: they are not said twice.
        const { detail: { quiz: _, ...detail } = {}, ...rest } = status;
        return `${JSON.stringify({ ...rest, detail, elapsedMs: Math.round(performance.now() - begunAt) })}\n`;
      },
      letGo() {
        over = true;
        abort.abort(new LetGo("the learner wants no more of it"));
        drop();
      },
    };
    return self;
  }

  /** Lets go of the oldest ended turns when they are too much to hold. */
  function makeRoom(): void {
    for (const turn of turns.values()) {
      if (held <= bounds.ask.kept.characters) return;
      if (turn.idle) turn.drop();
    }
  }

  const keyOf = (accountId: string, requestId: string): string => `${accountId}/${requestId}`;
  return {
    find: (accountId, requestId) => turns.get(keyOf(accountId, requestId)) ?? null,
    forget(accountId, conversationId) {
      for (const turn of [...turns.values()])
        if (turn.about.accountId === accountId && turn.about.conversationId === conversationId) turn.letGo();
    },
    begin(about, frames) {
      const key = keyOf(about.accountId, about.requestId);
      const turn = runTurn(key, about, frames);
      turns.set(key, turn);
      // What goes wrong in it is a frame of its own; it never fails.
      void turn.run();
      return turn;
    },
    async close() {
      const all = [...turns.values()];
      for (const turn of all) turn.end();
      // Who is there gets the last line. A connection that only seems to be open keeps no turn from being recorded.
      for (let waited = 0; waited < lastWordsMs && all.some((turn) => turn.isRead); waited += 20)
        await new Promise((resolve) => setTimeout(resolve, 20));
      await Promise.all(all.filter((turn) => turn.wanted).map((turn) => turn.record()));
    },
  };
}
