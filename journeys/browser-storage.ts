import { expect } from "chai";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";

/** Waits until the site's IndexedDB databases contain a text. */
export const waitUntilStored = (page: Page, words: string): Promise<void> =>
  eventually(async () => expect(await isKept(page, words), `“${words}” is kept`).to.equal(true));

/** Waits until they do not contain a text. */
export const waitUntilNotStored = (page: Page, words: string): Promise<void> =>
  eventually(async () => expect(await isKept(page, words), `“${words}” is kept`).to.equal(false));

const isKept = async (page: Page, words: string): Promise<boolean> => (await databases(page)).includes(words);

/** The content of the site's IndexedDB databases, as text. */
const databases = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const all: unknown[] = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name ?? ""));
      all.push(...(await Promise.all([...database.objectStoreNames].map((store) => rows(database, store)))));
      database.close();
    }
    return JSON.stringify(all);

    function rows(database: IDBDatabase, store: string): Promise<unknown[]> {
      return done(database.transaction(store).objectStore(store).getAll());
    }
  });

/** Everything the browser stores for the site: databases, web storage, cached responses and cookies, as text by place. */
export const allStoredText = async (page: Page): Promise<Record<string, string>> => ({
  databases: await databases(page),
  ...(await page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const answer of await cache.matchAll()) texts.push([...answer.headers].join("\n"), await answer.text());
    }
    const [local, session] = [localStorage, sessionStorage].map((storage) => JSON.stringify({ ...storage }));
    return { local: local ?? "", session: session ?? "", cookies: document.cookie, caches: texts.join("\n") };
  })),
});

/** Waits until the service worker has stored its files and controls this page; from then on it works offline. */
export const waitForServiceWorker = (page: Page): Promise<void> =>
  eventually(async () => {
    const worker = await workerOf(page);
    expect(worker.answers, `the worker: ${JSON.stringify(worker)}`).to.equal("activated");
  });

/** The state of the service worker, for error messages. */
const workerOf = (page: Page) =>
  page.evaluate(async () => {
    const there = await navigator.serviceWorker.getRegistration();
    const { installing, waiting, active } = there ?? {};
    return {
      answers: navigator.serviceWorker.controller?.state,
      installing: installing?.state,
      waiting: waiting?.state,
      active: active?.state,
    };
  });
