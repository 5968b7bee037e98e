import type { AuditMoment } from "@colloquy/schemas/audit/requests.ts";
import { emptyLedger, evolveLedger } from "@colloquy/schemas/tutor/replay.ts";
import type { Step, TutorPhase } from "@colloquy/schemas/tutor/session.ts";

/** A session's state right after one moment. */
export interface SessionState {
  readonly phase: TutorPhase;
  readonly paused: boolean;
  readonly path: readonly Step[];
}

/**
 * A session's state at each of its moments, computed with the same fold as the live session. Folds lazily and caches the states, because
 * a long session opens at its beginning.
 */
export function stateAtMoment(moments: readonly AuditMoment[]): (place: number) => SessionState | undefined {
  const stands: SessionState[] = [];
  let ledger = emptyLedger;
  return (place) => {
    for (const { entry } of moments.slice(stands.length, place + 1)) {
      if (entry) ledger = evolveLedger(ledger, entry);
      const { phase, paused, path } = ledger;
      stands.push({ phase, paused, path });
    }
    return stands[place];
  };
}
