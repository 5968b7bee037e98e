import { bounds } from "@colloquy/schemas/bounds.ts";

/** Objects that were uploaded or named a while ago: no film may need them yet, and they are not to go. */
export interface RecentObjects {
  add(sha256: string): void;
  has(sha256: string): boolean;
}

export function recentObjects(now: () => number = () => performance.now()): RecentObjects {
  const seen = new Map<string, number>();
  return {
    add(sha256) {
      for (const [other, at] of seen) if (now() - at > bounds.explainer.sweepEveryMs * 2) seen.delete(other);
      seen.delete(sha256);
      seen.set(sha256, now());
    },
    has: (sha256) => now() - (seen.get(sha256) ?? Number.NEGATIVE_INFINITY) <= bounds.explainer.sweepEveryMs * 2,
  };
}
