/** In microseconds. Some machines count the processor's time in steps of 10,000. */
const measurable = 40_000;
const tries = 3;
/** The growth of work that takes time in proportion lies around 4, that of its square around 16. */
export const linearGrowth = 9;

/** Processor time of this thread in microseconds, so that neither a busy machine nor the runtime's other threads tell. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/**
 * How much more time work of four times the size takes; the least of some tries. It is as large as it takes to be measured; work that takes
 * too little even at its largest grows by nothing.
 * @param prepare makes the work of a size; this is not measured
 * @param clock in microseconds
 */
export function growthOf(
  prepare: (size: number) => () => unknown,
  { smallest, largest }: { smallest: number; largest: number },
  clock = threadTime,
): number {
  const timeOf = (size: number): number => {
    const work = prepare(size);
    const began = clock();
    work();
    return clock() - began;
  };
  const growths: number[] = [];
  for (let size = smallest; size <= largest && growths.length < tries; ) {
    const short = timeOf(size);
    if (short < measurable) size *= 2;
    // One after the other, so that both wait as much for the processor if the clock tells of that.
    else growths.push(timeOf(4 * size) / short);
    if (growths.some((growth) => growth < linearGrowth)) break;
  }
  return growths.length > 0 ? Math.min(...growths) : 0;
}

/** The same for work on a text that repeats a piece. */
export const growthOfText = (work: (text: string) => unknown, piece: string): number =>
  growthOf(
    (length) => {
      const text = piece.repeat(length / piece.length);
      return () => work(text);
    },
    { smallest: 20_000, largest: 400_000 },
  );
