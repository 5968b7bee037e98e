import type { SourceResponse } from "@colloquy/schemas/ask/references.ts";
import { preferredScrollBehavior } from "../controls/motion.ts";
import { msg } from "../messages/page.ts";
import { markQuote, unmark } from "./mark.ts";
import { putNote } from "./note.ts";

export interface CitedPassageOptions {
  /** Where the note about it is put. */
  notes?: HTMLElement;
  /** Goes there at once: the page has just been opened. */
  atOnce?: boolean;
  /** The reader took the mark away. */
  onCleared?: () => void;
  /** Asks where a passage is that has moved. */
  open?: typeof fetch;
}

/**
 * The last step of a citation: `?mark=<quote>#<block>` marks the quote on its page, brings it into view and says so. A quote that is
 * not found (the text has changed since) leaves the reader at its block, which is marked by its address alone; to a block that was moved
 * to another page there is a link. Gives back how to take the marks and the note away.
 */
export function showCitedPassage(
  article: HTMLElement,
  address: URL = new URL(location.href),
  { notes = document.body, atOnce = false, onCleared = () => forgetMark(address), open = fetch }: CitedPassageOptions = {},
): () => void {
  const quote = address.searchParams.get("mark");
  if (!quote) return () => undefined;
  const block = (article.getRootNode() as Document | ShadowRoot).getElementById(decoded(address.hash.slice(1)));
  const within = block && article.contains(block) ? block : article;
  const marks = markQuote(within, quote);
  const target = marks[0] ?? block;
  if (!target) return tellWhereTo(notes, address, open);
  openAround(target);
  const bring = (): void => target.scrollIntoView({ block: "center", behavior: atOnce ? "instant" : preferredScrollBehavior() });
  bring();
  // Until the page has loaded, the browser itself scrolls to the block of the address, and would win.
  if (document.readyState !== "complete") addEventListener("load", () => requestAnimationFrame(bring), { once: true });
  if (marks.length === 0) return putNote(notes, msg("course.citedWordsChangedSince"));
  const removeNote = putNote(notes, msg("course.citedPassageMarked"), {
    name: msg("course.removeTheMark"),
    about: marks,
    act: () => {
      unmark(marks);
      onCleared();
    },
  });
  return () => {
    unmark(marks);
    removeNote();
  };
}

/** Leads to a passage that was moved to another page, or says that it is gone. */
function tellWhereTo(notes: HTMLElement, address: URL, open: typeof fetch): () => void {
  const stop = new AbortController();
  let remove = (): void => undefined;
  void placeNow(address, open, stop.signal).then((href) => {
    if (stop.signal.aborted) return;
    remove = href
      ? putNote(notes, msg("course.citedPassageStandsAnother"), { name: msg("course.goThere"), href })
      : putNote(notes, msg("course.citedPassagePageAny"));
  });
  return () => {
    stop.abort();
    remove();
  };
}

/** Where the block of an address stands now, if that is another page; null also where nobody can say. */
async function placeNow({ pathname, search, hash }: URL, open: typeof fetch, signal: AbortSignal): Promise<string | null> {
  if (!hash) return null;
  try {
    const response = await open(`/api/courses/source?href=${encodeURIComponent(pathname + hash)}`, { signal });
    const { source } = (await response.json()) as Partial<SourceResponse>;
    const [path, block] = source?.href.split("#") ?? [];
    return block && path !== pathname ? `${path}${search}#${block}` : null;
  } catch {
    return null;
  }
}

function forgetMark(address: URL): void {
  address.searchParams.delete("mark");
  history.replaceState(history.state, "", address);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A passage in a folded solution or hint is unfolded. */
function openAround(node: Element): void {
  for (let details = node.closest("details"); details; details = details.parentElement?.closest("details") ?? null) details.open = true;
}
