import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";

/**
 * The browser's database of course drafts, as far as pages without the editor have to do with it: whoever signs out is asked about drafts,
 * and takes them along.
 */

/** Opens it; the first time it is made. @throws what the browser refuses with */
export function openCourseDrafts(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(draftsDatabase.name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(draftsDatabase.store);
    };
    request.onsuccess = () => {
      // Another page may take the database away.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

/** How many drafts of an account hold something that is not published. Nothing is made for whoever has none. */
export async function countCourseDrafts(accountId: string): Promise<number> {
  let count = 0;
  await forEachDraft(accountId, "readonly", (cursor) => {
    if (!(cursor.value as { receipt?: unknown }).receipt) count += 1;
  }).catch(() => undefined);
  return count;
}

/** Takes away all drafts of an account. */
export async function deleteCourseDrafts(accountId: string): Promise<void> {
  await forEachDraft(accountId, "readwrite", (cursor) => void cursor.delete()).catch(() => undefined);
}

async function forEachDraft(accountId: string, mode: IDBTransactionMode, visit: (cursor: IDBCursorWithValue) => void): Promise<void> {
  // Asked first where the browser can tell, so that readers never get a database of authors.
  const known = await indexedDB.databases?.();
  if (known && !known.some(({ name }) => name === draftsDatabase.name)) return;
  const database = await openCourseDrafts();
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(draftsDatabase.store, mode);
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      const request = transaction.objectStore(draftsDatabase.store).openCursor();
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        if ((cursor.value as { accountId?: unknown } | null)?.accountId === accountId) visit(cursor);
        cursor.continue();
      };
    });
  } finally {
    database.close();
  }
}
