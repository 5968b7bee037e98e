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

/** How a turn ends. */
export type TurnEnd =
  /** `frame` is null when a page before this one had it. */
  | { kind: "complete"; frame: CompleteFrame | null }
  | { kind: "failed"; frame: ErrorFrame }
  | { kind: "stopped" }
  /** The service recorded it, because this browser was away for too long. */
  | { kind: "recorded" }
  /** Its conversation is not there any more. */
  | { kind: "gone" };

export interface TurnHandlers {
  /** A frame that tells how it goes on was taken into the row. */
  onFrame(frame: AskFrame): void;
  /** Keeps what came of it. Called once more, with "failed", when it throws. Gives back what is to wait in the store until it is sent again. */
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
  // Stored, and read on other devices: translated where it is shown.
  title: en["conversation.somethingWentWrongPage"],
  retryable: true,
};

/**
 * Takes a turn's frames in until the last of them, or until it is stopped, and lets go of it at the service once what came of it is
 * kept here. `frames` is null when the row has them all. Throws when not even the failure could be kept: then the row stays for the
 * next page, and the service holds the turn as long as it does for a page that is gone.
 */
export async function runTurn(
  parts: TurnParts,
  row: RunningRow,
  frames: AsyncIterable<AskFrame> | null,
  signal: AbortSignal,
  course: TurnHandlers,
): Promise<void> {
  const keep = persistRunningTurn(parts.store, row);
  const took = (frame: AskFrame) => {
    course.onFrame(frame);
    keep.soon();
  };
  let waits: RunningRow | null;
  try {
    waits = await course.onEnd(frames ? await endOf(parts, row, frames, signal, took) : { kind: "complete", frame: null });
  } catch (error) {
    const stopped = signal.aborted && isAbort(error);
    if (!stopped) console.error(error);
    waits = await course.onEnd(stopped ? { kind: "stopped" } : { kind: "failed", frame: unexpected });
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

/** What became of a turn that the service keeps no more. */
async function findRecordedTurn({ library }: TurnParts, row: RunningRow, frame: ErrorFrame): Promise<TurnEnd | null> {
  if (frame.code !== "not_found") return null;
  const record = await library.open(row.conversationId).catch(() => undefined);
  if (record === null && row.recorded) return { kind: "gone" };
  return record?.turns.some((turn) => turn.turnId === row.key) ? { kind: "recorded" } : null;
}

/**
 * What came of it is in the outbox, or is not wanted: the service need not keep it any longer. A browser that stores nothing may be
 * closed before it has sent, so there the service lets go only of what it has recorded; what a learner stopped is stopped at once.
 */
async function release({ api, store, library }: TurnParts, row: RunningRow, signal: AbortSignal): Promise<void> {
  const stopped = signal.aborted && row.turn.outcome !== "finished";
  if (!store.persistent && !stopped) {
    await library.outbox.send().catch(() => undefined);
    if ((await library.outbox.pending()).some((change) => change.data.turnId === row.key)) return;
  }
  await api.release(row.key);
}
