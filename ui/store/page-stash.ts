import { tabStorage } from "./tab-storage.ts";

const prefix = "colloquy-left ";
const keyOf = (name: string): string => prefix + name;

/**
 * Keeps what a page has not written yet when it is left: what a database is told then may never be done. The tab has it for the page that
 * comes next, if that is the same account's.
 */
export function stashForNextPage(accountId: string, name: string, value: unknown): void {
  tabStorage.set(keyOf(name), JSON.stringify({ accountId, value }));
}

/** Takes what the page before left behind under a name; undefined for nothing, and for what is another account's. */
export function takeStash(accountId: string, name: string): unknown {
  const kept = tabStorage.get(keyOf(name));
  if (kept === null) return undefined;
  tabStorage.set(keyOf(name), null);
  try {
    const left = JSON.parse(kept) as { accountId: string; value: unknown };
    return left.accountId === accountId ? left.value : undefined;
  } catch {
    // Not ours: nothing was left.
    return undefined;
  }
}

/** Takes all of it away, as at sign-out. */
export function clearStash(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(prefix)) tabStorage.set(key, null);
}
