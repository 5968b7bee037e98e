import { expect } from "chai";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";

/** Waits until something the browser keeps for the site in its databases holds the words. */
export const kept = (page: Page, words: string): Promise<void> =>
  eventually(async () => expect(await isKept(page, words), `“${words}” is kept`).to.equal(true));

const isKept = (page: Page, words: string): Promise<boolean> =>
  page.evaluate(async (wanted) => {
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
