import type { SourceResponse } from "@colloquy/schemas/sources/references.ts";
import { preferredScrollBehavior } from "../controls/motion.ts";
import { msg } from "../messages/page.ts";
import { markQuote, unmark } from "./mark.ts";
import { type NoteAction, showNote } from "./note.ts";

export interface CitedPassageOptions {
  /** Container of the note. */
  notes?: HTMLElement;
  /** Scrolls without animation: the page has just been opened. */
  atOnce?: boolean;
  /** Does not scroll: the reader was led there before the page was refreshed in place. */
  stays?: boolean;
  /** The reader removed the mark. */
  onCleared?: () => void;
  /** Used to look up a passage that has moved. */
  open?: typeof fetch;
}

/** What was shown of a cited passage, or said of it. */
export interface ShownPassage {
  /** Takes the marks and the note away. */
  remove(): void;
  /** Whether it is still true; after a refresh in place, what is not has to be shown anew. */
  isCurrent(): boolean;
  /** Whether the reader was led to it, or to its block. */
  isReached(): boolean;
}

const nothingShown: ShownPassage = { remove: () => undefined, isCurrent: () => true, isReached: () => true };

/**
 * The last step of a citation or of a link to a block. `?mark=<quote>#<block>` marks the quote within its block, brings it into view and
 * says so. Where the words have changed, the block is shown and the change is said. A block that is not on the page any more is not
 * replaced by similar words elsewhere: the service is asked for its present place, and a note leads there or says that it is gone. Changed and
 * deleted passages can be read as they were cited where the address names the revision (`&revision=`).
 */
export function showCitedPassage(
  article: HTMLElement,
  address: URL = new URL(location.href),
  { notes = document.body, atOnce = false, stays = false, onCleared = removeMarkFromAddress, open = fetch }: CitedPassageOptions = {},
): ShownPassage {
  const quote = address.searchParams.get("mark");
  const id = decoded(address.hash.slice(1));
  if (!quote && !id) return nothingShown;
  const found = id ? (article.getRootNode() as Document | ShadowRoot).getElementById(id) : null;
  if (!quote && found) return nothingShown;
  const block = within(article, found);
  if (id && !block) return followMoved(article, address, { notes, atOnce, stays, onCleared, open });
  if (!quote) return nothingShown;
  const whole = markQuote(block ?? article, quote, { whole: true });
  const marks = whole.length || !block ? whole : markQuote(block, quote);
  const target = marks[0] ?? block;
  const said = (remove: () => void): ShownPassage => ({ remove, isCurrent: () => false, isReached: () => target !== null });
  if (!target) return said(showNote(notes, msg("course.citedPassageNoLongerPage")));
  if (!stays) bringIntoView(target, atOnce);
  if (marks.length === 0) return said(showNote(notes, msg("course.citedWordsChangedSince"), readAsCited(address)));
  let isCleared = false;
  const clear: NoteAction = {
    name: msg("course.removeTheMark"),
    act: () => {
      isCleared = true;
      unmark(marks);
      onCleared();
    },
  };
  const isWhole = whole.length > 0;
  const action = (isWhole ? null : readAsCited(address)) ?? clear;
  const removeNote = showNote(notes, msg(isWhole ? "course.citedPassageMarked" : "course.citedPassageMarkedInPart"), {
    ...action,
    about: marks,
  });
  return {
    remove: () => {
      unmark(marks);
      removeNote();
    },
    isCurrent: () => isCleared || (isWhole && marks.every((mark) => mark.isConnected)),
    isReached: () => true,
  };
}

/** Shows the passage again after the page was refreshed in place, unless what was shown is still true. */
export function showAgain(shown: ShownPassage, show: (how: Pick<CitedPassageOptions, "stays">) => ShownPassage): ShownPassage {
  if (shown.isCurrent()) return shown;
  const stays = shown.isReached();
  shown.remove();
  return show({ stays });
}

const within = (article: HTMLElement, element: Element | null): Element | null => (element && article.contains(element) ? element : null);

function bringIntoView(target: Element, atOnce: boolean): void {
  openDetailsAround(target);
  const bring = (): void => target.scrollIntoView({ block: "center", behavior: atOnce ? "instant" : preferredScrollBehavior() });
  bring();
  // Until the page has loaded, the browser itself scrolls to the block of the address, and would win.
  if (document.readyState !== "complete") addEventListener("load", () => requestAnimationFrame(bring), { once: true });
}

/** A block that is not on the page: shows it under its new id, leads to the page it was moved to, or says that it is gone. */
function followMoved(article: HTMLElement, address: URL, options: Required<CitedPassageOptions>): ShownPassage {
  const { notes, atOnce, stays, open } = options;
  const stop = new AbortController();
  let shown: ShownPassage | null = null;
  let isReached = false;
  const say = (words: string, action?: NoteAction | null): void => {
    shown = { remove: showNote(notes, words, action), isCurrent: () => false, isReached: () => false };
  };
  void findPassage(address, open, stop.signal).then(({ place, words, action }) => {
    if (stop.signal.aborted) return;
    const isHere = place?.pathname === address.pathname;
    const here = isHere ? article.querySelector(`#${CSS.escape(decoded(place.hash.slice(1)))}`) : null;
    if (here && address.searchParams.has("mark")) shown = showCitedPassage(article, place ?? address, options);
    else if (here) {
      isReached = true;
      if (!stays) bringIntoView(here, atOnce);
    } else if (place === undefined || isHere) {
      // Where the live revision has the block here, the page is an earlier one, and nothing can be said before its refresh.
      const again = (): void => {
        shown = followMoved(article, address, options);
      };
      say(msg("course.passageCannotBeChecked"), { name: msg("common.tryAgain"), act: again });
    } else say(words, action);
  });
  return {
    remove: () => {
      stop.abort();
      shown?.remove();
    },
    isCurrent: () => isReached || (shown?.isCurrent() ?? false),
    isReached: () => isReached || (shown?.isReached() ?? false),
  };
}

/** Where a passage is that is not on the page of its address, and what leads there. */
export interface FoundPassage {
  /** Its present address; null if it is gone, undefined if the service cannot tell now. */
  place: URL | null | undefined;
  words: string;
  action: NoteAction | null;
}

/** Asks the service for the present place of a cited or linked passage; one that is gone can be read as it was cited. */
export async function findPassage(address: URL, open: typeof fetch, signal: AbortSignal): Promise<FoundPassage> {
  const isCited = address.searchParams.has("mark");
  const href = await currentAddress(address, open, signal);
  if (href === undefined) return { place: href, words: msg("course.passageCannotBeChecked"), action: null };
  if (href === null) {
    const words = msg(isCited ? "course.citedPassageNoLongerPage" : "course.linkedPassageNoLongerPage");
    return { place: href, words, action: readAsCited(address) };
  }
  const place = new URL(href, address);
  const words = msg(isCited ? "course.citedPassageStandsAnother" : "course.linkedPassageMoved");
  return { place, words, action: { name: msg("course.goThere"), href: place.pathname + place.search + place.hash } };
}

/** Leads to the passage in the revision that it was cited from; null where the address does not name one. */
function readAsCited({ pathname, searchParams, hash }: URL): NoteAction | null {
  const [, course] = /^(\/courses\/[^/]+)/.exec(pathname) ?? [];
  const [quote, revision, block] = [searchParams.get("mark"), searchParams.get("revision"), hash.slice(1)];
  if (!course || !quote || !revision || !block) return null;
  const href = `${course}/revisions/${encodeURIComponent(revision)}/${block}?mark=${encodeURIComponent(quote)}#${block}`;
  return { name: msg("course.readAsCited"), href };
}

/** The present address of a block, with the same search; null if it is gone, undefined if the service cannot tell now. */
async function currentAddress(
  { pathname, search, hash }: URL,
  open: typeof fetch,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  try {
    const response = await open(`/api/courses/source?href=${encodeURIComponent(pathname + hash)}`, { signal });
    if (response.status === 404) return null;
    if (!response.ok) return undefined;
    const { source } = (await response.json()) as Partial<SourceResponse>;
    const [path, block] = source?.href.split("#") ?? [];
    return block ? `${path}${search}#${block}` : null;
  } catch {
    return undefined;
  }
}

/** Removes a cited quote from the page's address, so that a reload does not mark it again. */
export function removeMarkFromAddress(): void {
  const address = new URL(location.href);
  address.searchParams.delete("mark");
  address.searchParams.delete("revision");
  history.replaceState(history.state, "", address);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Opens the disclosures around a passage, such as a solution or hint. */
function openDetailsAround(node: Element): void {
  for (let details = node.closest("details"); details; details = details.parentElement?.closest("details") ?? null) details.open = true;
}
