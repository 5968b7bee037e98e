import { inSpan } from "../telemetry/traces.ts";
import type { ObjectStore } from "./store.ts";

/** The same store, each call in a span that says how many bytes went: keys name courses and contents, so they are not told. */
export function tracedObjectStore(store: ObjectStore): ObjectStore {
  const options = { kind: "client" } as const;
  return {
    ...store,
    get: (key) =>
      inSpan("object get", options, async (span) => {
        const found = await store.get(key);
        if (found) span.set({ "colloquy.bytes": found.bytes.byteLength });
        return found;
      }),
    put: (key, bytes, condition) =>
      inSpan("object put", { ...options, attributes: { "colloquy.bytes": bytes.byteLength } }, () => store.put(key, bytes, condition)),
    stream: (key, range) => inSpan("object stream", options, () => store.stream(key, range)),
    remove: (key) => inSpan("object remove", options, () => store.remove(key)),
  };
}
