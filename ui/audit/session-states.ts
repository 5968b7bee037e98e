import type { AuditMoment } from "@colloquy/schemas/audit/requests.ts";
import { emptyLedger, evolveLedger } from "@colloquy/schemas/tutor/replay.ts";
import type { Step, TutorPhase } from "@colloquy/schemas/tutor/session.ts";

/** Where a session stood right after one moment. */
export interface SessionState {
  readonly phase: TutorPhase;
  readonly paused: boolean;
  readonly path: readonly Step[];
}

/**
 * Where a session stood at each of its moments, folded in the browser with the very fold that ran live. Folded as far as it is asked for:
 * a long session opens at its beginning, and what was folded is kept.
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
