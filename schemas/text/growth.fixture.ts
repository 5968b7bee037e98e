/** Letters of the shorter text. */
const letters = 20_000;
/** The growth of work that takes time in proportion lies around 4, that of its square around 16. */
export const linearGrowth = 9;

/**
 * How much more processor time a text four times as long takes, so that a busy machine tells nothing; the least of three tries. Work of
 * which there is too little to be measured grows by nothing.
 */
export function growthOf(work: (text: string) => unknown, piece: string): number {
  const [short, long] = [1, 4].map((times) => piece.repeat((times * letters) / piece.length));
  const microseconds = (text = ""): number => {
    const before = process.cpuUsage();
    work(text);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  // What is compiled at the first call is not measured.
  work(short ?? "");
  const tries = Array.from({ length: 3 }, () => [microseconds(short), microseconds(long)] as const);
  const least = (at: 0 | 1): number => Math.min(...tries.map((one) => one[at]));
  return least(1) < 20_000 ? 0 : least(1) / Math.max(least(0), 1_000);
}
