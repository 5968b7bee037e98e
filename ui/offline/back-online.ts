import { keptAttribute } from "./kept-pages.ts";
import { retryUntilAnswered } from "./retry.ts";

/**
 * Takes the note away that says a page is a kept one, once the service answers for it again: what it says newly comes with the check for
 * publications. Where the page is somebody else's by then, as after a sign-in that ran out, it is loaded anew.
 */
export async function dropNoteOnceOnline(note: Element, reload: () => void = () => location.reload()): Promise<void> {
  const account = await retryUntilAnswered(accountNow);
  if (account !== accountOf(document)) return reload();
  document.documentElement.removeAttribute(keptAttribute);
  note.remove();
}

/** For whom the service has the page; null where it does not answer, and only what is kept does. */
async function accountNow(): Promise<string | null> {
  const response = await fetch(location.pathname, { headers: { accept: "text/html" }, credentials: "same-origin", cache: "no-store" });
  if (response.status >= 500) return null;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (page.documentElement.hasAttribute(keptAttribute)) return null;
  // A page that is gone stays in sight as it was read; the check for publications says so.
  return response.status === 404 ? accountOf(document) : accountOf(page);
}

const accountOf = (page: Document): string => page.querySelector<HTMLElement>("main [data-account]")?.dataset.account ?? "";
