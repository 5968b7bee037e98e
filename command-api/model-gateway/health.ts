import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import type { CallFailure } from "./failures.ts";
import { concernsProvider } from "./failures.ts";
import type { ModelTarget } from "./targets.ts";

/**
 * Permission for one call, with its outcome: `begun` at its first word, `succeeded` at its end, `failed`, or `dropped` if the caller aborted.
 */
export interface Admission {
  begun(): void;
  succeeded(): void;
  failed(failure: CallFailure): void;
  dropped(): void;
}

/** Which providers and models to skip: those that asked for it by `Retry-After`, and those that keep failing. */
export interface Health {
  /** Null: skip the model. Only one call at a time probes a model that was skipped. */
  admit(model: ModelTarget): Admission | null;
  /** How long to skip a model (ms); 0 if it may be called. */
  waitMs(model: ModelTarget): number;
}

interface Circuit {
  failures: number;
  /** Skipped until this time of `now`. */
  until: number;
  /** The last skip; 0 while it works. */
  skipMs: number;
  probing: boolean;
}

/** A circuit breaker for each provider and each of its models. `now`: monotonic milliseconds. */
export function createHealth(now: () => number): Health {
  const circuits = new Map<string, Circuit>();
  const { failuresInARow, skipMs } = modelBounds.gateway;
  const keysOf = (model: ModelTarget): string[] => [model.service, `${model.service}/${model.serviceId}`];

  function waitOf(key: string): number {
    const circuit = circuits.get(key);
    if (!circuit) return 0;
    const wait = circuit.until - now();
    // Other calls wait for the result of the probe.
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
    // Failures of calls that began before the skip do not lengthen it.
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
      const endProbes = (): void => {
        for (const circuit of probed) circuit.probing = false;
      };
      const reset = (): void => {
        for (const key of keys) circuits.delete(key);
      };
      return {
        begun: () => (probed.length > 0 ? reset() : undefined),
        succeeded: reset,
        dropped: endProbes,
        failed(failure) {
          // The model works and rejected this request.
          if (failure.kind === "invalid" && failure.status !== undefined && failure.status >= 400) return endProbes();
          const key = concernsProvider(failure) ? model.service : `${model.service}/${model.serviceId}`;
          const own = circuits.get(key);
          for (const circuit of probed) if (circuit !== own) circuit.probing = false;
          fail(key, failure);
        },
      };
    },
  };
}
