import { gentle } from "../controls/motion.ts";
import { msg } from "../words/page.ts";
import { markQuote, unmark } from "./mark.ts";
import { putNote } from "./note.ts";

export interface CitedPassageOptions {
  /** Where the note about it is put. */
  notes?: HTMLElement;
  /** Goes there at once: the page has just been opened. */
  atOnce?: boolean;
  /** The reader took the mark away. */
  onCleared?: () => void;
}

/**
 * The last step of a citation: `?mark=<quote>#<block>` marks the quote on its page, brings it into view and says so. A quote that is
 * not found (the text has changed since) leaves the reader at its block, which is marked by its address alone. Gives back how to take
 * the marks and the note away.
 */
export function showCitedPassage(
  article: HTMLElement,
  address: URL = new URL(location.href),
  { notes = document.body, atOnce = false, onCleared = () => forgetMark(address) }: CitedPassageOptions = {},
): () => void {
  const quote = address.searchParams.get("mark");
  if (!quote) return () => undefined;
  const block = (article.getRootNode() as Document | ShadowRoot).getElementById(decoded(address.hash.slice(1)));
  const within = block && article.contains(block) ? block : article;
  const marks = markQuote(within, quote);
  const target = marks[0] ?? block;
  if (!target) return putNote(notes, msg("The cited passage is not on this page any more."));
  openAround(target);
  const bring = (): void => target.scrollIntoView({ block: "center", behavior: atOnce ? "instant" : gentle() });
  bring();
  // Until the page has loaded, the browser itself scrolls to the block of the address, and would win.
  if (document.readyState !== "complete") addEventListener("load", () => requestAnimationFrame(bring), { once: true });
  if (marks.length === 0) return putNote(notes, msg("The cited words have changed since. This is the passage they were in."));
  const removeNote = putNote(notes, msg("The cited passage is marked."), {
    name: msg("Remove the mark"),
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
