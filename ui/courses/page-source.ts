import { showKeptNote } from "../offline/kept-note.ts";
import { sanitizedPage } from "../rendering/sanitize.ts";

/** A reading page, taken out of what the service sends for it. */
export interface PageSource {
  /** Where it really is: an old address leads on. */
  path: string;
  title: string;
  lang: string;
  sheets: string[];
  /** Of its course's revision; null on pages that do not say. */
  sequence: number | null;
  content: DocumentFragment;
}

/** Nothing is at this address any more. */
export class PageMissing extends Error {}

/**
 * Reads a page of a course as it stands at its own address, so that there is one way a page is made.
 * @throws PageMissing for a 404; anything else is worth another try.
 */
export async function readPage(path: string, open: typeof fetch, signal: AbortSignal): Promise<PageSource> {
  const response = await open(path, { headers: { accept: "text/html" }, credentials: "same-origin", signal });
  if (response.status === 404) throw new PageMissing(path);
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = page.querySelector("main");
  if (!main) throw new Error(`${path} is not a page to read`);
  const title = main.querySelector("h1")?.textContent?.trim() ?? "";
  const lang = main.querySelector("[lang]")?.getAttribute("lang") ?? main.getAttribute("lang") ?? "";
  const sheets = [...page.querySelectorAll<HTMLLinkElement>("link[data-sheet]")].flatMap((link) => link.getAttribute("href") ?? []);
  showKeptNote(main, page.documentElement);
  return {
    path: response.url ? new URL(response.url).pathname : path,
    sequence: Number(page.querySelector<HTMLElement>("main [data-sequence]")?.dataset.sequence) || null,
    title,
    lang,
    sheets: sheets.filter((href) => href.startsWith("/assets/")),
    content: sanitizedPage(main.innerHTML),
  };
}
