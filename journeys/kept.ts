import { expect } from "chai";
import type { Page } from "playwright-core";
import { eventually } from "./browser.ts";

/** Waits until something the browser keeps for the site in its databases holds the words. */
export const kept = (page: Page, words: string): Promise<void> =>
  eventually(async () => expect(await isKept(page, words), `“${words}” is kept`).to.equal(true));

/** Waits until nothing of it holds them. */
export const forgotten = (page: Page, words: string): Promise<void> =>
  eventually(async () => expect(await isKept(page, words), `“${words}” is kept`).to.equal(false));

const isKept = async (page: Page, words: string): Promise<boolean> => (await databases(page)).includes(words);

/** All that the site's databases in the browser hold, as text. */
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

/** Everything the browser keeps for the site that its pages can read: databases, storages, kept answers and cookies, as text by place. */
export const everythingKept = async (page: Page): Promise<Record<string, string>> => ({
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

/** Waits until the browser's worker keeps what the pages are made of, and answers for this page: from then on it goes on without a connection. */
export const worksOffline = (page: Page): Promise<void> =>
  eventually(async () => {
    const worker = await workerOf(page);
    expect(worker.answers, `the worker: ${JSON.stringify(worker)}`).to.equal("activated");
  });

/** How far the browser's worker is: what answers for this page, and what is there besides. */
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
