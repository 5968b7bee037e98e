import type { ProcessUse } from "../harness/process-usage.ts";

/** What each process holds, garbage left out, in MiB: its heap and what the heap holds outside. */
export function memoryByProcess(processes: readonly ProcessUse[]): Record<string, number> {
  return Object.fromEntries(processes.map(({ part, heap, outsideHeap }) => [part, Math.round((heap + outsideHeap) / 2 ** 20)]));
}

/** What is taken at first, for code and caches, is no growth: such a share of the looks is left out, and with fewer left nothing is said. */
const warmUp = 0.4;
const leastLooks = 6;
/** Growth that may be chance, in MiB: requests of 16 MiB that are on their way are held. */
const chance = 64;

/** The services whose memory went on growing once warm: the least in the last third lies far above the most in the first. */
export function memoryLeaks(looks: readonly Record<string, number>[]): string[] {
  const warm = looks.slice(Math.ceil(looks.length * warmUp));
  if (warm.length < leastLooks) return [];
  const third = Math.floor(warm.length / 3);
  return Object.keys(warm[0] ?? {}).flatMap((service) => {
    const taken = warm.map((look) => look[service] ?? 0);
    const [before, after] = [Math.max(...taken.slice(0, third)), Math.min(...taken.slice(-third))];
    return after > before + chance ? [`the memory of ${service} grew from ${before} to ${after} MiB`] : [];
  });
}
