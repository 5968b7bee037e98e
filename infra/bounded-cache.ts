/** A map that forgets what was not used for longest. Holds promises, so that two who ask at once share one piece of work; failures are not kept. */
export function boundedCache<Value>(limit: number): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>();
  return (key, make) => {
    const known = kept.get(key);
    kept.delete(key);
    const value = known ?? make();
    kept.set(key, value);
    if (!known) value.catch(() => kept.get(key) === value && kept.delete(key));
    if (kept.size > limit) kept.delete(kept.keys().next().value ?? "");
    return value;
  };
}
