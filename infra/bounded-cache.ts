import { LRUCache } from "lru-cache";

/** A least-recently-used cache of promises: concurrent callers share one computation; failures are not cached. */
export function boundedCache<Value>(max: number): (key: string, compute: () => Promise<Value>) => Promise<Value> {
  const cache = new LRUCache<string, Promise<Value>>({ max });
  return (key, compute) => {
    const known = cache.get(key);
    if (known) return known;
    const value = compute();
    cache.set(key, value);
    value.catch(() => cache.peek(key) === value && cache.delete(key));
    return value;
  };
}
