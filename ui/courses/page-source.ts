import { showKeptNote } from "../offline/kept-note.ts";
import { sanitizedPage } from "../rendering/sanitize.ts";
import { idOfPage } from "./refresh/present-page.ts";

/** The parts of a reading page's HTML. */
export interface PageSource {
  /** Its final address, after redirects. */
  path: string;
  /** The id of its topic or collection; null for the front of a course. */
  id: string | null;
  title: string;
  lang: string;
  sheets: string[];
  /** Sequence of the revision; null if the page does not state it. */
  sequence: number | null;
  content: DocumentFragment;
}

/** The page does not exist (any more). */
export class PageNotFound extends Error {}

/**
 * Loads a page of a course from its own address, so that pages are rendered in one place only.
 * @throws {PageNotFound} for a 404; other errors can be retried
 */
export async function readPage(path: string, open: typeof fetch, signal: AbortSignal): Promise<PageSource> {
  const response = await open(path, { headers: { accept: "text/html" }, credentials: "same-origin", signal });
  if (response.status === 404) throw new PageNotFound(path);
  if (!response.ok) throw new Error(`${path} could not be loaded (status ${response.status}).`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = page.querySelector("main");
  if (!main) throw new Error(`${path} is not a reading page.`);
  const title = main.querySelector("h1")?.textContent?.trim() ?? "";
  const lang = main.querySelector("[lang]")?.getAttribute("lang") ?? main.getAttribute("lang") ?? "";
  const sheets = [...page.querySelectorAll<HTMLLinkElement>("link[data-sheet]")].flatMap((link) => link.getAttribute("href") ?? []);
  showKeptNote(main, page.documentElement);
  const root = page.querySelector<HTMLElement>("main [data-sequence]");
  return {
    id: root && idOfPage(root),
    path: response.url ? new URL(response.url).pathname : path,
    sequence: Number(root?.dataset.sequence) || null,
    title,
    lang,
    sheets: sheets.filter((href) => href.startsWith("/assets/")),
    content: sanitizedPage(main.innerHTML),
  };
}
