import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";

/** The database of course drafts, as far as pages without the editor use it: sign-out counts drafts and deletes them. */

/** Opens the database and creates it if needed. @throws the browser's refusal */
export function openCourseDrafts(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(draftsDatabase.name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(draftsDatabase.store);
    };
    request.onsuccess = () => {
      // Another page may delete the database.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}

/** Counts an account's drafts with unpublished changes. Creates no database. */
export async function countCourseDrafts(accountId: string): Promise<number> {
  let count = 0;
  await forEachDraft(accountId, "readonly", (cursor) => {
    if (!(cursor.value as { receipt?: unknown }).receipt) count += 1;
  }).catch(() => undefined);
  return count;
}

/** Deletes all drafts of an account. */
export async function deleteCourseDrafts(accountId: string): Promise<void> {
  await forEachDraft(accountId, "readwrite", (cursor) => void cursor.delete()).catch(() => undefined);
}

async function forEachDraft(accountId: string, mode: IDBTransactionMode, visit: (cursor: IDBCursorWithValue) => void): Promise<void> {
  // Checked first where the browser can list databases, so that readers never get an author's database.
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
