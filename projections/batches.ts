/**
 * Groups what a source has ready: as soon as there is one item it is handed on, together with those that are there by then, at most `size`.
 * While a batch is being worked on, the next items gather at the source.
 */
export async function* inBatches<Item>(source: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const first = await next;
      if (first.done) return;
      const batch = [first.value];
      next = iterator.next();
      const noMore = nextTurn();
      while (batch.length < size) {
        const ready = await Promise.race([next, noMore]);
        if (ready === undefined || ready.done) break;
        batch.push(ready.value);
        next = iterator.next();
      }
      yield batch;
    }
  } finally {
    // Whoever stops early lets go of the source but does not wait: it may be idle until its own signal ends it.
    next.catch(() => undefined);
    iterator.return?.().catch(() => undefined);
  }
}

const nextTurn = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined));
