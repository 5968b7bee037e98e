import { onSignOutElsewhere } from "../accounts/sign-out-broadcast.ts";
import { createApi } from "../api/client.ts";
import { openAccountStore } from "../store/account-store.ts";
import { Library } from "../store/library.ts";
import "./drawing.ts";
import type { DrawingElement } from "./drawing.ts";
import { followRenamed } from "./follow-renamed.ts";
import { PageInk } from "./page-ink.ts";

/** Lays the account's ink over an article, from what this browser keeps, and follows the account's other devices. */
export async function openDrawing(
  article: HTMLElement,
  { accountId, courseId, topicId }: { accountId: string; courseId: string; topicId: string },
): Promise<DrawingElement> {
  const api = createApi();
  api.setAccount(accountId);
  const store = await openAccountStore(accountId);
  const library = await Library.open(api, store);
  const drawing = document.createElement("colloquy-drawing");
  const ink = new PageInk({ library, courseId, topicId });
  drawing.ink = ink;
  drawing.article = article;
  // The article speaks the course's language, the tools the reader's.
  drawing.lang = document.documentElement.lang;
  drawing.dir = document.documentElement.dir || "ltr";
  article.classList.add("inked");
  article.append(drawing);
  // Whoever signs out takes what this browser keeps along: nothing may hold on to it.
  const left = new AbortController();
  onSignOutElsewhere(
    accountId,
    () => {
      left.abort();
      ink.dispose();
      library.stop();
      store.close();
      drawing.remove();
    },
    left.signal,
  );
  followRenamed({ article, courseId, topicId, ink, store, signal: left.signal });
  void library.start();
  return drawing;
}
