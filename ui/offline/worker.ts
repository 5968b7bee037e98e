import { bounds } from "@colloquy/schemas/bounds.ts";
import { buildHeader, offlinePath, offlineRoute, shellPaths, type WorkerMessage } from "@colloquy/schemas/pages/offline.ts";
import { deletePages, keepFile, keepPage, keptPage, picturesCache } from "./kept-pages.ts";
import { endSubscription, showReminders } from "./reminder.ts";
import type { FetchTask, Task, WorkerScope } from "./worker-scope.ts";

/**
 * The service worker. Pages are loaded from the network first, so nobody sees an old page while online; hashed build files never change, so
 * they come from the cache first. API and sign-in requests are not handled.
 */

/** The build that this worker belongs to; the service prepends it to this script. */
declare const build: { version: string; files: string[] };
declare const self: WorkerScope;

const prefix = "colloquy-build-";
const buildCache = `${prefix}${build.version}`;
/** Files of former builds, which open and kept pages still need, and files loaded on demand. */
const filesCache = "colloquy-files";
/** Counts deletions, so that a page that was loading during one is not kept afterwards. */
let deletions = 0;

self.addEventListener("install", (event) => {
  bypassWorker(event);
  event.waitUntil(keepBuild());
});
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("message", (event) => {
  const message = event.data as WorkerMessage;
  if (message === "answer for me") event.waitUntil(answerForOpenPages());
  if (message !== "forget") return;
  deletions += 1;
  event.waitUntil(Promise.all([deletePages(), endSubscription(self)]));
});
showReminders(self);
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || request.headers.has("range")) return;
  const navigates = request.mode === "navigate";
  const route = offlineRoute({ path: url.pathname, navigates, accept: request.headers.get("accept") ?? "" });
  if (route === "asset") event.respondWith(file(event, filesCache, bounds.offline.files));
  else if (route === "picture") event.respondWith(file(event, picturesCache, bounds.offline.pictures));
  else if (route === "shell") event.respondWith(shell(event, url.pathname));
  else if (route === "page") event.respondWith(page(event, url.pathname));
  else if (route === "unkept") event.respondWith(fromNetwork(event).catch(offlineResponse));
  // The preload may already have sent the request; a second request would break a one-time sign-in step.
  else if (navigates) event.respondWith(fromNetwork(event));
});

/** Where the browser supports static routing, requests that never concern the worker do not wake it. */
function bypassWorker(event: Task): void {
  if (!event.addRoutes || !("URLPattern" in self)) return;
  const paths = ["/api/ai/*", "/api/sync/*", "/api/tutor/*", "/api/me", "/auth/*", "/oidc/*"];
  const routes = paths.map((pathname) => ({ condition: { urlPattern: { pathname } }, source: "network" }));
  // A browser with a different form of static routing works without it.
  void event.addRoutes(routes).catch(() => undefined);
}

/** Caches all files of the build and its pages, or fails: then the former worker stays, and the next visit tries again. */
async function keepBuild(): Promise<void> {
  const cache = await caches.open(buildCache);
  await cache.addAll(build.files.map((name) => `/assets/${name}`).concat("/icon.svg"));
  for (const path of shellPaths) {
    const response = await fetch(path, { cache: "no-cache", credentials: "same-origin" });
    if (!isOfBuild(response)) throw new Error(`${path} is of another build`);
    await cache.put(path, response);
  }
  // Activating at once is safe: files are named by content, and those of former builds stay.
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  await self.registration.navigationPreload?.enable();
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== buildCache) await moveFiles(name);
  await answerForOpenPages();
}

async function answerForOpenPages(): Promise<void> {
  await self.clients.claim();
  await keepOpenPages();
}

/** Keeps the files of a former build for pages that still use it. */
async function moveFiles(name: string): Promise<void> {
  const [former, files] = [await caches.open(name), await caches.open(filesCache)];
  for (const request of await former.keys()) {
    const response = new URL(request.url).pathname.startsWith("/assets/") ? await former.match(request) : undefined;
    if (response) await files.put(request, response);
  }
  await caches.delete(name);
}

/** Keeps pages that were opened before the worker was active. */
async function keepOpenPages(): Promise<void> {
  for (const { url } of await self.clients.matchAll({ type: "window" })) {
    const { pathname: path } = new URL(url);
    if (offlineRoute({ path, navigates: true, accept: "" }) !== "page" || (await keptPage(path))) continue;
    const response = await fetch(path, { credentials: "same-origin" }).catch(() => null);
    if (response) await keep(response);
  }
}

/** From the cache, else from the network and then cached. */
async function file(event: FetchTask, cacheName: string, most: number): Promise<Response> {
  const { request } = event;
  const kept = await caches.match(request.url, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  const bytes = Number(response.headers.get("content-length") ?? 0);
  if (response.status === 200 && response.type === "basic" && bytes <= bounds.offline.pictureBytes)
    event.waitUntil(keepFile(cacheName, request, response.clone(), most).catch(() => undefined));
  return response;
}

/** The workspace from the service, else as cached with this build. */
async function shell(event: FetchTask, path: string): Promise<Response> {
  const cache = await caches.open(buildCache);
  const response = await networkOrKept(event, () => cache.match(path));
  // Cached again, because it is rendered with the reader's current appearance.
  if (response && isOfBuild(response)) event.waitUntil(cache.put(path, response.clone()).catch(() => undefined));
  return response ?? offlineResponse();
}

async function page(event: FetchTask, path: string): Promise<Response> {
  const response = await networkOrKept(event, async () => (await keptPage(path)) ?? undefined);
  if (!response) return event.request.mode === "navigate" ? offlineResponse() : Response.error();
  if (response.type === "basic") event.waitUntil(keep(response.clone()));
  return response;
}

const keep = (response: Response): Promise<void> => {
  const before = deletions;
  return keepPage(response, () => before === deletions).catch(() => undefined);
};

/**
 * The network's response; the kept one if the network fails, is too slow, or answers that the service is down. Undefined if neither exists.
 */
async function networkOrKept(event: FetchTask, kept: () => Promise<Response | undefined>): Promise<Response | undefined> {
  const network = fromNetwork(event);
  const late = new Promise<"late">((resolve) => setTimeout(resolve, bounds.offline.answerMs, "late"));
  const first = await Promise.race([network, late]).catch(() => null);
  if (first instanceof Response && ![502, 503, 504].includes(first.status)) return first;
  const before = await kept();
  if (before) {
    event.waitUntil(network.catch(() => undefined));
    return before;
  }
  return first === "late" ? network.catch(() => undefined) : (first ?? undefined);
}

/** Uses the response that the browser preloaded while it started the worker, if any. */
async function fromNetwork({ request, preloadResponse }: FetchTask): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

/** The offline page with status 503, so that scripts treat it as a failure. */
async function offlineResponse(): Promise<Response> {
  const kept = await (await caches.open(buildCache)).match(offlinePath);
  if (!kept) return Response.error();
  return new Response(await kept.text(), { status: 503, headers: kept.headers });
}

const isOfBuild = (response: Response): boolean => response.status === 200 && response.headers.get(buildHeader) === build.version;
