/** Web Locks, where the browser has them (secure contexts): several tabs of one account share one database. */
const locks = (): LockManager | null => ("locks" in navigator && navigator.locks ? navigator.locks : null);

/** Runs `work` while no other tab runs it under the same name. */
export async function withAbortableLock<Result>(
  name: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const manager = locks();
  if (!manager) return work();
  try {
    return await manager.request(name, { signal }, work);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** The same without a way to give up waiting. */
export async function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const manager = locks();
  return manager ? manager.request(name, work) : work();
}

/** Holds a name until the returned function is called or the page goes away, by which other tabs see that it lives. */
export function holdLock(name: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks()
    ?.request(name, () => released)
    .catch(() => undefined);
  return release;
}

/** Whether some living tab holds the name. Without locks nobody can tell, and nobody is assumed. */
export async function isLockHeld(name: string): Promise<boolean> {
  const manager = locks();
  if (!manager) return false;
  return manager.request(name, { ifAvailable: true }, async (lock) => lock === null);
}

export const turnLock = (turnId: string): string => `colloquy-turn-${turnId}`;
export const tabLock = (tabId: string): string => `colloquy-tab-${tabId}`;
export const storeLock = (accountId: string): string => `colloquy-store-${accountId}`;
export const outboxLock = (accountId: string): string => `colloquy-outbox-${accountId}`;

const pagePrefix = "colloquy-page-";
/** Held by a reading page while it is open. */
export const pageLock = (path: string): string => `${pagePrefix}${path}`;

/** The paths of the reading pages that are open in this browser. */
export async function openPagePaths(): Promise<string[]> {
  const { held = [] } = (await locks()?.query()) ?? {};
  return held.flatMap(({ name = "" }) => (name.startsWith(pagePrefix) ? [name.slice(pagePrefix.length)] : []));
}
