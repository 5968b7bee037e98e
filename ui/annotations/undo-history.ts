import type { Stroke } from "@colloquy/schemas/sync/changes.ts";

/** One change of a page's strokes. */
export interface Step {
  readonly drawn: readonly Stroke[];
  readonly erased: readonly Stroke[];
}

/** Changes made here since the page was opened. Strokes of other devices are never undone. */
export interface UndoHistory {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const emptyHistory: UndoHistory = { done: [], undone: [] };

/** Length of the history. */
const maxSteps = 500;

export const record = ({ done }: UndoHistory, step: Step): UndoHistory => ({ done: [...done, step].slice(-maxSteps), undone: [] });

const inverse = ({ drawn, erased }: Step): Step => ({ drawn: erased, erased: drawn });

/** Undoes the last step. @returns the step to apply and the new history; null if there is none */
export function undo({ done, undone }: UndoHistory): { step: Step; steps: UndoHistory } | null {
  const last = done.at(-1);
  return last ? { step: inverse(last), steps: { done: done.slice(0, -1), undone: [...undone, last] } } : null;
}

export function redo({ done, undone }: UndoHistory): { step: Step; steps: UndoHistory } | null {
  const last = undone.at(-1);
  return last ? { step: last, steps: { done: [...done, last], undone: undone.slice(0, -1) } } : null;
}
