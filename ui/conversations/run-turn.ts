import { en } from "@colloquy/messages/en.ts";
import type { AskFrame, CompleteFrame } from "@colloquy/schemas/ask/ask.ts";
import { applyFrame } from "@colloquy/schemas/ask/turn-progress.ts";
import type { ErrorFrame } from "../api/ask.ts";
import type { Api } from "../api/client.ts";
import { isAbort } from "../api/problems.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Library } from "../store/library.ts";
import type { RunningRow } from "../store/rows.ts";
import { persistRunningTurn } from "../store/running.ts";

/** How a turn ended. */
export type TurnEnd =
  /** `frame` is null if an earlier page received it. */
  | { kind: "complete"; frame: CompleteFrame | null }
  | { kind: "failed"; frame: ErrorFrame }
  | { kind: "stopped" }
  /** The service recorded the turn because this browser was away for too long. */
  | { kind: "recorded" }
  /** The conversation was deleted. */
  | { kind: "gone" };

export interface TurnHandlers {
  /** Called after a progress frame was applied to the row. */
  onFrame(frame: AskFrame): void;
  /** Stores the result. Called again with "failed" if it throws. Returns the row that waits to be sent again, if any. */
  onEnd(end: TurnEnd): Promise<RunningRow | null>;
}

export interface TurnParts {
  api: Api;
  store: AccountStore;
  library: Library;
}

const unexpected: ErrorFrame = {
  schemaVersion: 1,
  kind: "error",
  code: "unavailable",
  // Stored and read on other devices, so translated when shown.
  title: en["conversation.somethingWentWrongPage"],
  retryable: true,
};

/**
 * Reads a turn's frames until the last, or until it is stopped, and releases the turn at the service once its result is stored here.
 * `frames` is null if the row has them all. Throws if not even the failure could be stored: the row then stays for the next page, and the
 * service keeps the turn for its grace period.
 */
export async function runTurn(
  parts: TurnParts,
  row: RunningRow,
  frames: AsyncIterable<AskFrame> | null,
  signal: AbortSignal,
  turn: TurnHandlers,
): Promise<void> {
  const keep = persistRunningTurn(parts.store, row);
  const took = (frame: AskFrame) => {
    turn.onFrame(frame);
    keep.soon();
  };
  let waits: RunningRow | null;
  try {
    waits = await turn.onEnd(frames ? await endOf(parts, row, frames, signal, took) : { kind: "complete", frame: null });
  } catch (error) {
    const stopped = signal.aborted && isAbort(error);
    if (!stopped) console.error(error);
    waits = await turn.onEnd(stopped ? { kind: "stopped" } : { kind: "failed", frame: unexpected });
  }
  await keep.end(waits);
  if (!waits) void release(parts, row, signal);
}

async function endOf(
  parts: TurnParts,
  row: RunningRow,
  frames: AsyncIterable<AskFrame>,
  signal: AbortSignal,
  took: (frame: AskFrame) => void,
): Promise<TurnEnd> {
  for await (const frame of frames) {
    signal.throwIfAborted();
    row.turn = applyFrame(row.turn, frame);
    if (frame.kind === "complete") return { kind: "complete", frame };
    if (frame.kind === "error") return (await findRecordedTurn(parts, row, frame)) ?? { kind: "failed", frame };
    took(frame);
  }
  throw new Error("the frames ended without a last one");
}

/** The outcome of a turn that the service no longer keeps. */
async function findRecordedTurn({ library }: TurnParts, row: RunningRow, frame: ErrorFrame): Promise<TurnEnd | null> {
  if (frame.code !== "not_found") return null;
  const record = await library.open(row.conversationId).catch(() => undefined);
  if (record === null && row.recorded) return { kind: "gone" };
  return record?.turns.some((turn) => turn.turnId === row.key) ? { kind: "recorded" } : null;
}

/**
 * The result is in the outbox or not wanted, so the service need not keep the turn. Without persistent storage this browser may be closed
 * before sending, so the turn is released only after it was recorded; a stopped turn is always released.
 */
async function release({ api, store, library }: TurnParts, row: RunningRow, signal: AbortSignal): Promise<void> {
  const stopped = signal.aborted && row.turn.outcome !== "finished";
  if (!store.persistent && !stopped) {
    await library.outbox.send().catch(() => undefined);
    if ((await library.outbox.pending()).some((change) => change.data.turnId === row.key)) return;
  }
  await api.release(row.key);
}
