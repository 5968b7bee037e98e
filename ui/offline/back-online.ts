import { keptAttribute } from "./kept-pages.ts";
import { retryUntilAnswered } from "./retry.ts";

/**
 * Removes the offline note of a kept page once the service answers; the revision check then loads new content. If the page is now another
 * account's, reloads it.
 */
export async function dropNoteOnceOnline(note: Element, reload: () => void = () => location.reload()): Promise<void> {
  const account = await retryUntilAnswered(accountNow);
  if (account !== accountOf(document)) return reload();
  document.documentElement.removeAttribute(keptAttribute);
  note.remove();
}

/** The account for which the service renders this page; null while only the offline cache answers. */
async function accountNow(): Promise<string | null> {
  const response = await fetch(location.pathname, { headers: { accept: "text/html" }, credentials: "same-origin", cache: "no-store" });
  if (response.status >= 500) return null;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (page.documentElement.hasAttribute(keptAttribute)) return null;
  // A deleted page stays visible as it was read; the revision check announces it.
  return response.status === 404 ? accountOf(document) : accountOf(page);
}

const accountOf = (page: Document): string => page.querySelector<HTMLElement>("main [data-account]")?.dataset.account ?? "";
