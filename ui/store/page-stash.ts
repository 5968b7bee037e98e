import { tabStorage } from "./tab-storage.ts";

const prefix = "colloquy-left ";
const keyOf = (name: string): string => prefix + name;

/**
 * Stashes unwritten data in session storage when the page is left, because database writes may not finish then. The next page of the same
 * account in this tab takes it.
 */
export function stashForNextPage(accountId: string, name: string, value: unknown): void {
  tabStorage.set(keyOf(name), JSON.stringify({ accountId, value }));
}

/** Takes what the previous page stashed; undefined if there is nothing, or it is another account's. */
export function takeStash(accountId: string, name: string): unknown {
  const kept = tabStorage.get(keyOf(name));
  if (kept === null) return undefined;
  tabStorage.set(keyOf(name), null);
  try {
    const left = JSON.parse(kept) as { accountId: string; value: unknown };
    return left.accountId === accountId ? left.value : undefined;
  } catch {
    // Not written by this module.
    return undefined;
  }
}

/** Deletes all stashes, as at sign-out. */
export function clearStash(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(prefix)) tabStorage.set(key, null);
}
