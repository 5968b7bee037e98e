import type { IdentityResponse } from "@colloquy/schemas/courses/revision.ts";
import { type Fetch, getJson } from "../api/http.ts";
import { renewedEvent } from "../courses/refresh/renewed.ts";
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
 * Leads what was drawn under former ids of a page and its blocks to the present ones. Asked as the ink is laid over the page, whenever
 * the page was made new, and when the network is back; what was renamed is kept, so that a page read offline shows its ink.
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
    const { renames } = await getJson<IdentityResponse>(open, `/api/courses/${encodeURIComponent(courseId)}/identity`, signal);
    const here = new Set([topicId, ...[...article.querySelectorAll(".block[id]")].map(({ id }) => id)]);
    const value = JSON.stringify(renames.filter(({ to }) => here.has(to)));
    if (value === known || signal.aborted) return;
    follow(value);
    await store.meta.put({ key, value });
  };
  // Without an answer what was kept holds, until the page is made new or the network is back.
  const asked = (): void => void ask().catch(() => undefined);
  addEventListener(renewedEvent, asked, { signal });
  addEventListener("online", asked, { signal });
  void store.meta
    .get(key)
    .then((kept) => kept && follow(kept.value))
    .catch(() => undefined)
    .then(asked);
}
