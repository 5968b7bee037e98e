import { onSignOutElsewhere } from "../accounts/sign-out-broadcast.ts";
import { createApi } from "../api/client.ts";
import { openAccountStore } from "../store/account-store.ts";
import { Library } from "../store/library.ts";
import "./drawing.ts";
import type { DrawingElement } from "./drawing.ts";
import { followRenamed } from "./follow-renamed.ts";
import { PageInk } from "./page-ink.ts";

/** Shows the account's drawings over an article from local storage and syncs with its other devices. */
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
  // The article is in the course's language, the tools in the reader's.
  drawing.lang = document.documentElement.lang;
  drawing.dir = document.documentElement.dir || "ltr";
  article.classList.add("inked");
  article.append(drawing);
  // Sign-out deletes the account's data: close everything that uses it.
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
