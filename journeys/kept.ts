import type { Page } from "playwright-core";

/** Waits until something the browser keeps for the site in its databases holds the words. */
export const kept = (page: Page, words: string) =>
  page.waitForFunction(async (wanted) => {
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name ?? ""));
      const stores = [...database.objectStoreNames].map((store) => done(database.transaction(store).objectStore(store).getAll()));
      const rows: unknown[] = await Promise.all(stores);
      database.close();
      if (JSON.stringify(rows).includes(wanted)) return true;
    }
    return false;
  }, words);

/** Waits until the browser's worker keeps what the pages are made of, and answers for this page: from then on it goes on without a connection. */
export const worksOffline = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  });
