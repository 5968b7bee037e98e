import { call, type Fetch } from "../api/http.ts";
import { pageRefreshedEvent } from "../courses/refresh/events.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { PageInk } from "./page-ink.ts";

interface Needs {
  article: HTMLElement;
  courseId: string;
  topicId: string;
  ink: Pick<PageInk, "follow">;
  store: Pick<AccountStore, "meta">;
  signal: AbortSignal;
  open?: Fetch;
}

/**
 * Maps drawings under former ids of a page and its blocks to the present ids. The renames are fetched when the page opens, after it was
 * refreshed and when the network returns; they are cached, so that a page read offline shows its drawings.
 */
export function followRenamed({ article, courseId, topicId, ink, store, signal, open = (...of) => fetch(...of) }: Needs): void {
  const key = `renames:${topicId}` as const;
  let known = "[]";
  const follow = (renames: string): void => {
    if (renames === known || signal.aborted) return;
    ink.follow(JSON.parse(renames));
    known = renames;
  };
  const ask = async (): Promise<void> => {
    const { renames } = await call(open, "GET /api/courses/:courseId/identity", { parameters: { courseId } }, { signal });
    const here = new Set([topicId, ...[...article.querySelectorAll(".block[id]")].map(({ id }) => id)]);
    const value = JSON.stringify(renames.filter(({ to }) => here.has(to)));
    if (value === known || signal.aborted) return;
    follow(value);
    await store.meta.put({ key, value });
  };
  // On failure the cached renames apply until the next refresh or reconnect.
  const asked = (): void => void ask().catch(() => undefined);
  addEventListener(pageRefreshedEvent, asked, { signal });
  addEventListener("online", asked, { signal });
  void store.meta
    .get(key)
    .then((kept) => kept && follow(kept.value))
    .catch(() => undefined)
    .then(asked);
}
