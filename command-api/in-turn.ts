/**
 * One work at a time of each name in this process: the next begins when the one before is over, however that ended.
 * @param busy the works under way, shared by whoever is to wait for one another
 */
export function inTurnOf(
  busy: Map<string, Promise<unknown>> = new Map(),
): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  return async (name, work) => {
    const before = busy.get(name);
    const mine = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    busy.set(name, mine);
    try {
      return await mine;
    } finally {
      if (busy.get(name) === mine) busy.delete(name);
    }
  };
}
