import { bounds } from "@colloquy/schemas/bounds.ts";
import { buildHeader, offlinePath, offlineRoute, shellPaths, type WorkerMessage } from "@colloquy/schemas/pages/offline.ts";
import { deletePages, keepFile, keepPage, keptPage, picturesCache } from "./kept-pages.ts";
import type { FetchTask, Task, WorkerScope } from "./worker-scope.ts";

/**
 * The browser's own worker: it stands between the pages of this site and the service. The network comes first for every page, so nobody
 * is shown an old one while there is a connection; files of a build never change under their names, so those that are kept come first.
 * API answers and everything of the sign-in pass it by.
 */

/** The build this worker was sent with: written before this script by whoever serves it. */
declare const build: { version: string; files: string[] };
declare const self: WorkerScope;

const prefix = "colloquy-build-";
const buildCache = `${prefix}${build.version}`;
/** Files of former builds, which pages that are still open and pages that were kept go on needing, and what was loaded besides. */
const filesCache = "colloquy-files";
/** Grows whenever what was kept is taken away, so that a page on its way then is not kept after it. */
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
  event.waitUntil(deletePages());
});
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
  // The browser may have asked already: asked twice, a step of a sign-in that is good once would be refused.
  else if (navigates) event.respondWith(fromNetwork(event));
});

/** Where the browser can be told so, what never concerns the worker does not even wake it. */
function bypassWorker(event: Task): void {
  if (!event.addRoutes || !("URLPattern" in self)) return;
  const paths = ["/api/ai/*", "/api/sync/*", "/api/tutor/*", "/api/me", "/auth/*", "/oidc/*"];
  const routes = paths.map((pathname) => ({ condition: { urlPattern: { pathname } }, source: "network" }));
  // A browser that knows another form of this is served all the same.
  void event.addRoutes(routes).catch(() => undefined);
}

/** All files of the build and the pages that belong to it, or nothing: then the former worker stays, and the next visit tries again. */
async function keepBuild(): Promise<void> {
  const cache = await caches.open(buildCache);
  await cache.addAll(build.files.map((name) => `/assets/${name}`).concat("/icon.svg"));
  for (const path of shellPaths) {
    const response = await fetch(path, { cache: "no-cache", credentials: "same-origin" });
    if (!isOfBuild(response)) throw new Error(`${path} is of another build`);
    await cache.put(path, response);
  }
  // Taking over at once mixes nothing: pages name their files by content, and those of former builds are kept on.
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

/** Keeps the files of a former build for whoever still shows it. */
async function moveFiles(name: string): Promise<void> {
  const [former, files] = [await caches.open(name), await caches.open(filesCache)];
  for (const request of await former.keys()) {
    const response = new URL(request.url).pathname.startsWith("/assets/") ? await former.match(request) : undefined;
    if (response) await files.put(request, response);
  }
  await caches.delete(name);
}

/** Pages that were opened before there was a worker. */
async function keepOpenPages(): Promise<void> {
  for (const { url } of await self.clients.matchAll({ type: "window" })) {
    const { pathname: path } = new URL(url);
    if (offlineRoute({ path, navigates: true, accept: "" }) !== "page" || (await keptPage(path))) continue;
    const response = await fetch(path, { credentials: "same-origin" }).catch(() => null);
    if (response) await keep(response);
  }
}

/** From what is kept, else from the network, and then kept. */
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

/** The workspace: as the service sends it, else as it was kept with this worker's build. */
async function shell(event: FetchTask, path: string): Promise<Response> {
  const cache = await caches.open(buildCache);
  const response = await networkOrKept(event, () => cache.match(path));
  // As this reader wants pages to look now.
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
 * What the network answers; what is kept where it answers nothing, or that the service is down, or is too slow.
 * Undefined when neither is there.
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

/** The browser has asked already while it woke this worker, where it can. */
async function fromNetwork({ request, preloadResponse }: FetchTask): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

/** Says that this page is not kept, and what is. A failure for whoever reads it as a page. */
async function offlineResponse(): Promise<Response> {
  const kept = await (await caches.open(buildCache)).match(offlinePath);
  if (!kept) return Response.error();
  return new Response(await kept.text(), { status: 503, headers: kept.headers });
}

const isOfBuild = (response: Response): boolean => response.status === 200 && response.headers.get(buildHeader) === build.version;
