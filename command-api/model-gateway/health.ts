import { bounds } from "@colloquy/schemas/bounds.ts";
import type { CallFailure } from "./failures.ts";
import { isOfProvider } from "./failures.ts";
import type { ModelTarget } from "./targets.ts";

/**
 * A call that may be made. Tell what came of it: `begun` at its first word, `succeeded` at its end, `failed`, or
 * `dropped` when the caller gave up and nothing is known.
 */
export interface Admission {
  begun(): void;
  succeeded(): void;
  failed(failure: CallFailure): void;
  dropped(): void;
}

/** Which providers and models are to be left alone for now: those that said so, and those that keep failing. */
export interface Health {
  /** Takes the one probe, where a skipped model is due for it. Null: leave it alone. */
  admit(model: ModelTarget): Admission | null;
  /** How long a model is to be left alone, in milliseconds; 0 when it may be asked. */
  waitMs(model: ModelTarget): number;
}

interface Circuit {
  failures: number;
  /** Skipped until then; on the clock's milliseconds. */
  until: number;
  /** How long the next skip is; 0 while it works. */
  skipMs: number;
  probing: boolean;
}

/** A circuit breaker for each provider and for each of its models. `now`: milliseconds on a clock that never goes back. */
export function createHealth(now: () => number): Health {
  const circuits = new Map<string, Circuit>();
  const { failuresInARow, skipMs } = bounds.gateway;
  const keysOf = (model: ModelTarget): string[] => [model.provider, `${model.provider}/${model.serviceId}`];

  function waitOf(key: string): number {
    const circuit = circuits.get(key);
    if (!circuit) return 0;
    const wait = circuit.until - now();
    // Others wait for what a probe finds out.
    return wait > 0 ? wait : circuit.probing ? skipMs.first : 0;
  }
  const waitMs = (model: ModelTarget): number => Math.max(...keysOf(model).map(waitOf));

  function fail(key: string, failure: CallFailure): void {
    const circuit = circuits.get(key) ?? { failures: 0, until: 0, skipMs: 0, probing: false };
    circuits.set(key, circuit);
    const probed = circuit.probing;
    circuit.probing = false;
    if (failure.retryAfterMs !== undefined) {
      circuit.until = Math.max(circuit.until, now() + failure.retryAfterMs);
      return;
    }
    circuit.failures += 1;
    if (!probed && circuit.failures < failuresInARow) return;
    // Calls that were under way when it was skipped do not lengthen the skip.
    if (!probed && circuit.until > now()) return;
    circuit.skipMs = circuit.skipMs === 0 ? skipMs.first : Math.min(circuit.skipMs * 2, skipMs.most);
    circuit.until = now() + circuit.skipMs;
  }

  return {
    waitMs,
    admit(model) {
      if (waitMs(model) > 0) return null;
      const keys = keysOf(model);
      const probed = keys.flatMap((key) => circuits.get(key) ?? []).filter((circuit) => circuit.skipMs > 0);
      for (const circuit of probed) circuit.probing = true;
      const letGo = (): void => {
        for (const circuit of probed) circuit.probing = false;
      };
      const works = (): void => {
        for (const key of keys) circuits.delete(key);
      };
      return {
        begun: () => (probed.length > 0 ? works() : undefined),
        succeeded: works,
        dropped: letGo,
        failed(failure) {
          // It works, and refused this one request.
          if (failure.kind === "invalid" && failure.status !== undefined && failure.status >= 400) return letGo();
          const key = isOfProvider(failure) ? model.provider : `${model.provider}/${model.serviceId}`;
          const own = circuits.get(key);
          for (const circuit of probed) if (circuit !== own) circuit.probing = false;
          fail(key, failure);
        },
      };
    },
  };
}
