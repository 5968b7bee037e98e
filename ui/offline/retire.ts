import type { WorkerScope } from "./worker-scope.ts";

/**
 * The worker where offline reading is disabled: deletes the caches of former workers and unregisters itself. Open pages stay as they are.
 */

declare const self: WorkerScope;

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name.startsWith("colloquy-")).map((name) => caches.delete(name)));
      await self.registration.unregister();
    })(),
  ),
);
