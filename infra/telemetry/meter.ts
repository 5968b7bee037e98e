/** Counts per second over the last `seconds` whole seconds. */
export function createMeter(seconds = 10, now: () => number = Date.now) {
  const counts = new Array<number>(seconds).fill(0);
  let last = Math.floor(now() / 1_000);
  const turn = (): number => {
    const current = Math.floor(now() / 1_000);
    for (let second = Math.max(last + 1, current - seconds + 1); second <= current; second += 1) counts[second % seconds] = 0;
    last = current;
    return current % seconds;
  };
  return {
    add(count: number): void {
      const slot = turn();
      counts[slot] = (counts[slot] ?? 0) + count;
    },
    perSecond(): number {
      turn();
      return counts.reduce((sum, count) => sum + count, 0) / seconds;
    },
  };
}
