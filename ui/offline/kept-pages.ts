import { bounds } from "@colloquy/schemas/bounds.ts";
import { keepForHeader } from "@colloquy/schemas/pages/offline.ts";

/**
 * The pages of courses this browser keeps to read offline. They carry their reader's name and progress, so all of them are of one reader:
 * a page for another one takes the others away first.
 */

const pagesCache = "colloquy-pages";
export const picturesCache = "colloquy-pictures";
/** Whose the pages are; stands in the cache beside them. */
const ownerKey = "/.kept-for";
/** When a page was kept: an attribute of its root element, by which the page says so. */
export const keptAttribute = "data-kept";

/** What a page needs of the browser; tests bring their own. */
type Caches = Pick<CacheStorage, "open" | "delete">;

/**
 * Keeps a page if its response says for whom.
 * @param stillWanted asked last: what was kept may have been taken away meanwhile, as at sign-out
 */
export async function keepPage(response: Response, stillWanted: () => boolean, storage: Caches = caches): Promise<void> {
  const owner = response.headers.get(keepForHeader);
  if (!owner || response.status !== 200) return;
  const text = await response.text();
  if (text.length > bounds.offline.pageBytes) return;
  if ((await ownerOf(await storage.open(pagesCache))) !== owner) await deletePages(storage);
  const cache = await storage.open(pagesCache);
  if (!stillWanted()) return;
  await cache.put(ownerKey, new Response(owner));
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  await cache.put(
    new URL(response.url).pathname,
    new Response(dated(text, response.headers), { headers: { ...headers, ...policyOf(response) } }),
  );
  await dropOldest(cache, bounds.offline.pages + 1);
}

/** A page as it was kept; null for none. */
export async function keptPage(path: string, storage: Caches = caches): Promise<Response | null> {
  return (await (await storage.open(pagesCache)).match(path, { ignoreVary: true })) ?? null;
}

/** The addresses of the kept pages, the last read first. */
export async function keptPaths(storage: Caches = caches): Promise<string[]> {
  const keys = await (await storage.open(pagesCache)).keys();
  return keys
    .map(({ url }) => new URL(url).pathname)
    .filter((path) => path !== ownerKey)
    .reverse();
}

/** Takes everything away that was kept of what somebody read. */
export async function deletePages(storage: Caches = caches): Promise<void> {
  await storage.delete(pagesCache);
}

/** Keeps a file or picture that never changes under its name. */
export async function keepFile(name: string, request: Request, response: Response, most: number): Promise<void> {
  const cache = await caches.open(name);
  await cache.put(request.url, response);
  await dropOldest(cache, most);
}

async function ownerOf(cache: Cache): Promise<string | undefined> {
  return (await cache.match(ownerKey))?.text();
}

/** Entries stand in the order they were put; whose they are is put with every page, and so is always among the last. */
async function dropOldest(cache: Cache, most: number): Promise<void> {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}

/** Remote pictures are let in by a page's own policy. */
function policyOf({ headers }: Response): Record<string, string> {
  const policy = headers.get("content-security-policy");
  return policy ? { "content-security-policy": policy } : {};
}

function dated(text: string, headers: Headers): string {
  const date = new Date(headers.get("date") ?? Date.now());
  return text.replace("<html ", `<html ${keptAttribute}="${date.toISOString()}" `);
}
