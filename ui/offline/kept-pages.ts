import { bounds } from "@colloquy/schemas/bounds.ts";
import { keepForHeader } from "@colloquy/schemas/pages/offline.ts";

/**
 * Course pages that this browser keeps for offline reading. They contain their reader's name and progress, so all belong to one reader:
 * keeping a page of another reader deletes the rest first.
 */

const pagesCache = "colloquy-pages";
export const picturesCache = "colloquy-pictures";
/** Cache entry that names the pages' reader. */
const ownerKey = "/.kept-for";
/** Attribute of a kept page's root element: when it was kept. */
export const keptAttribute = "data-kept";

/** The part of CacheStorage that is used; replaced in tests. */
type Caches = Pick<CacheStorage, "open" | "delete">;

/**
 * Keeps a page if its response names its reader.
 * @param stillWanted checked last: the pages may have been deleted meanwhile, as at sign-out
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

/** A kept page; null if there is none. */
export async function keptPage(path: string, storage: Caches = caches): Promise<Response | null> {
  return (await (await storage.open(pagesCache)).match(path, { ignoreVary: true })) ?? null;
}

/** The paths of kept pages, last read first. */
export async function keptPaths(storage: Caches = caches): Promise<string[]> {
  const keys = await (await storage.open(pagesCache)).keys();
  return keys
    .map(({ url }) => new URL(url).pathname)
    .filter((path) => path !== ownerKey)
    .reverse();
}

/** Deletes all kept pages. */
export async function deletePages(storage: Caches = caches): Promise<void> {
  await storage.delete(pagesCache);
}

/** Keeps an immutable file or picture. */
export async function keepFile(name: string, request: Request, response: Response, most: number): Promise<void> {
  const cache = await caches.open(name);
  await cache.put(request.url, response);
  await dropOldest(cache, most);
}

async function ownerOf(cache: Cache): Promise<string | undefined> {
  return (await cache.match(ownerKey))?.text();
}

/** Entries are in insertion order; the reader's entry is renewed with each page, so it is never among the oldest. */
async function dropOldest(cache: Cache, most: number): Promise<void> {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}

/** The page's own policy allows its remote pictures. */
function policyOf({ headers }: Response): Record<string, string> {
  const policy = headers.get("content-security-policy");
  return policy ? { "content-security-policy": policy } : {};
}

function dated(text: string, headers: Headers): string {
  const date = new Date(headers.get("date") ?? Date.now());
  return text.replace("<html ", `<html ${keptAttribute}="${date.toISOString()}" `);
}
