/** Web Locks, where available (secure contexts). Tabs of one account share one database. */
const locks = (): LockManager | null => ("locks" in navigator && navigator.locks ? navigator.locks : null);

/** Runs `work` under a lock that all tabs share; undefined if `signal` aborts while waiting. */
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

/** Runs `work` under a lock that all tabs share. */
export async function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const manager = locks();
  return manager ? manager.request(name, work) : work();
}

/** Holds a lock until the returned function is called or the page is closed, so that other tabs can see that it is in use. */
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

/** Whether an open tab holds the lock. False without Web Locks. */
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
