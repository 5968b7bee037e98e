import { formatDate, pageLanguage, rich } from "../messages/page.ts";
import { keptAttribute } from "./kept-pages.ts";

/** On a page from the offline cache, shows when it was read; returns null on a page from the service. */
export function showKeptNote(article: HTMLElement, root: HTMLElement = document.documentElement): HTMLElement | null {
  const at = new Date(root.getAttribute(keptAttribute) ?? "");
  if (Number.isNaN(at.getTime())) return null;
  const note = document.createElement("p");
  note.className = "kept-note";
  note.lang = pageLanguage();
  const when = document.createElement("time");
  when.dateTime = at.toISOString();
  when.textContent = formatDate(at, { dateStyle: "long", timeStyle: "short" });
  const words: (string | Node)[] = rich("offline.noConnectionPageRead", { when });
  note.append(...words);
  article.prepend(note);
  return note;
}
