import type { Stroke } from "@colloquy/schemas/sync/changes.ts";

/** One thing that was done with the ink of a page, and can be undone. */
export interface Step {
  readonly drawn: readonly Stroke[];
  readonly erased: readonly Stroke[];
}

/** What was done here since the page was opened. Another device's strokes are never undone here. */
export interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const noSteps: Steps = { done: [], undone: [] };

/** Steps further back than this cannot be undone. */
const most = 500;

export const did = ({ done }: Steps, step: Step): Steps => ({ done: [...done, step].slice(-most), undone: [] });

const turned = ({ drawn, erased }: Step): Step => ({ drawn: erased, erased: drawn });

/** Undoes the last step: what is to be done for it, and the steps then. Null where there is none. */
export function undo({ done, undone }: Steps): { step: Step; steps: Steps } | null {
  const last = done.at(-1);
  return last ? { step: turned(last), steps: { done: done.slice(0, -1), undone: [...undone, last] } } : null;
}

export function redo({ done, undone }: Steps): { step: Step; steps: Steps } | null {
  const last = undone.at(-1);
  return last ? { step: last, steps: { done: [...done, last], undone: undone.slice(0, -1) } } : null;
}
