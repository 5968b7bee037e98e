/** In microseconds. Some machines count the processor's time in steps of 10,000. */
const measurable = 40_000;
const letters = { fewest: 20_000, most: 2_000_000 };
/** The growth of work that takes time in proportion lies around 4, that of its square around 16. */
export const linearGrowth = 9;

/**
 * How much more processor time of this thread a text four times as long takes, so that neither a busy machine nor the runtime's other
 * threads tell; the lesser of two tries. The text is as long as it takes to be measured; work of which two million letters take too
 * little grows by nothing.
 */
export function growthOf(work: (text: string) => unknown, piece: string): number {
  const microseconds = (length: number): number => {
    const text = piece.repeat(length / piece.length);
    const before = process.threadCpuUsage();
    work(text);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  const least = (length: number): number => Math.min(microseconds(length), microseconds(length));
  for (let length = letters.fewest; length <= letters.most; length *= 2) {
    const short = least(length);
    if (short >= measurable) return least(4 * length) / short;
  }
  return 0;
}
