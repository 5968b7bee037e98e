/** Runs work for a key after all earlier work for the same key in this process has settled. */
export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function keyedMutex(): KeyedMutex {
  /** The last work of each key that has not settled. */
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const earlier = tails.get(key);
    const tail = (earlier ?? Promise.resolve()).catch(() => undefined).then(work);
    tails.set(key, tail);
    try {
      return await tail;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
