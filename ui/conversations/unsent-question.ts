import { emptyTurn } from "@colloquy/schemas/ask/turn-progress.ts";
import type { ErrorFrame } from "../api/ask.ts";
import { clientProblem } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { RunningRow } from "../store/rows.ts";
import type { LiveTurn } from "./exchanges.ts";
import type { TurnHost } from "./session-parts.ts";
import { liveTurn } from "./turns.ts";

/** A question that did not reach the service, as stored and as shown. */
interface Unsent {
  row: RunningRow;
  live: LiveTurn;
}

/** Whether the service never received the failed turn, so that its question waits to be sent again. Pure. */
export const isUnsent = (row: RunningRow, frame: Pick<ErrorFrame, "code">): boolean =>
  !row.replaces &&
  row.turn.seq === 0 &&
  !row.turn.text &&
  !row.turn.artifact &&
  (frame.code === "unavailable" || frame.code === "not_found");

/** A waiting question. Pure but for the clock. */
function unsentOf({ unsent: _, ...row }: RunningRow): Unsent {
  const problem = clientProblem("unavailable", {
    title: msg("conversation.questionNotSentServiceDidNot"),
    detail: msg("conversation.staysAfterReloadToo"),
  });
  const kept: RunningRow = { ...row, turn: emptyTurn, unsent: true };
  const live = liveTurn(kept);
  return { row: kept, live: { ...live, answer: { ...live.answer, state: "failed", unsent: true, problem } } };
}

/** The conversation of a waiting question. */
interface UnsentHost {
  host: Pick<TurnHost, "draftText" | "write" | "announce">;
  outcome: { returnQuestion(row: RunningRow): Promise<void> };
  /** Sends the same turn: if it had arrived, the service recognises its id. */
  send(row: RunningRow): Promise<void>;
  /** Another tab sent or withdrew it. */
  gone(row: RunningRow): Promise<void>;
}

/**
 * The question of a conversation that did not reach the service. It is stored in this browser and shown in every tab until one of them
 * sends or withdraws it.
 */
export class UnsentQuestion {
  readonly #store: Pick<AccountStore, "running" | "atomically">;
  readonly #host: UnsentHost;
  #unsent: Unsent | null = null;
  /** Ignores a second press while one is handled. */
  #acting = false;

  constructor(store: Pick<AccountStore, "running" | "atomically">, asker: UnsentHost) {
    this.#store = store;
    this.#host = asker;
  }

  get live(): LiveTurn | null {
    return this.#unsent?.live ?? null;
  }
  get exists(): boolean {
    return this.#unsent !== null;
  }
  isTurn(turnId: string): boolean {
    return this.#unsent?.row.key === turnId;
  }

  /** Starts waiting. Returns the row to store. */
  hold(row: RunningRow): RunningRow {
    this.#unsent = unsentOf(row);
    this.#host.host.announce(msg("conversation.questionNotSentStaysHere"));
    return this.#unsent.row;
  }

  /** Stops waiting and deletes the row. */
  forget(): void {
    if (this.#unsent) void this.#store.running.delete(this.#unsent.row.key);
    this.#unsent = null;
  }

  sendAgain(): Promise<void> {
    return this.#once(async ({ row }) => {
      if (!(await this.#claim(row, "send"))) return;
      this.#unsent = null;
      const { unsent: _, ...again } = row;
      await this.#host.send(again);
    });
  }

  /** Returns the question to the composer, before the text typed since. */
  withdraw(): Promise<void> {
    return this.#once(async ({ row }) => {
      if (!(await this.#claim(row, "take back"))) return;
      this.#unsent = null;
      const since = this.#host.host.draftText.trim();
      await this.#host.outcome.returnQuestion(row);
      if (since) this.#host.host.write(`${row.question}\n\n${since}`);
    });
  }

  /** Checks whether another tab has handled it. */
  checkOtherTabs(): Promise<void> {
    return this.#once(async ({ row }) => {
      if (!(await this.#store.running.get(row.key))) await this.#takenBack(row);
    });
  }

  async #once(act: (unsent: Unsent) => Promise<void>): Promise<void> {
    if (!this.#unsent || this.#acting) return;
    this.#acting = true;
    try {
      await act(this.#unsent);
    } finally {
      this.#acting = false;
    }
  }

  /** Claims the question for this tab; false if another tab was first. */
  async #claim({ key }: RunningRow, what: "send" | "take back"): Promise<boolean> {
    const found = await this.#store.atomically(async ({ running }) => {
      const row = await running.get(key);
      if (!row?.unsent) return row ? "sent" : "gone";
      const { unsent: _, ...claimed } = row;
      if (what === "send") await running.put(claimed);
      else await running.delete(key);
      return "ours";
    });
    if (found === "sent") this.#host.host.announce(msg("conversation.anotherTabSendingQuestion"));
    if (found === "gone" && this.#unsent) await this.#takenBack(this.#unsent.row);
    return found === "ours" && this.#unsent !== null;
  }

  async #takenBack(row: RunningRow): Promise<void> {
    this.#unsent = null;
    await this.#host.gone(row);
  }
}
