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
  /** Does not scroll: the page was refreshed in place. */
  stays?: boolean;
  /** The reader removed the mark. */
  onCleared?: () => void;
  /** Used to look up a passage that has moved. */
  open?: typeof fetch;
}

/**
 * The last step of a citation or of a link to a block. `?mark=<quote>#<block>` marks the quote within its block, brings it into view and
 * says so. Where the words have changed, the block is shown and the change is said. A block that is not on the page any more is not
 * replaced by similar words elsewhere: the service is asked for its present place, and a note leads there or says that it is gone. Changed and
 * deleted passages can be read as they were cited where the address names the revision (`&revision=`).
 * @returns takes the marks and the note away
 */
export function showCitedPassage(
  article: HTMLElement,
  address: URL = new URL(location.href),
  {
    notes = document.body,
    atOnce = false,
    stays = false,
    onCleared = () => removeMarkFromAddress(address),
    open = fetch,
  }: CitedPassageOptions = {},
): () => void {
  const quote = address.searchParams.get("mark");
  const id = decoded(address.hash.slice(1));
  if (!quote && !id) return () => undefined;
  const found = id ? (article.getRootNode() as Document | ShadowRoot).getElementById(id) : null;
  if (!quote && found) return () => undefined;
  const block = within(article, found);
  if (id && !block) return followMoved(article, address, { notes, atOnce, stays, onCleared, open });
  if (!quote) return () => undefined;
  const whole = markQuote(block ?? article, quote, { whole: true });
  const marks = whole.length || !block ? whole : markQuote(block, quote);
  const target = marks[0] ?? block;
  if (!target) return showNote(notes, msg("course.citedPassageNoLongerPage"));
  if (!stays) bringIntoView(target, atOnce);
  if (marks.length === 0) return showNote(notes, msg("course.citedWordsChangedSince"), readAsCited(address));
  const clear: NoteAction = {
    name: msg("course.removeTheMark"),
    act: () => {
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
  return () => {
    unmark(marks);
    removeNote();
  };
}

/** How many marks stand in an article: fewer after a refresh in place if the cited words were changed. */
export const countMarks = (article: Element): number => article.querySelectorAll("mark.cited").length;

const within = (article: HTMLElement, element: Element | null): Element | null => (element && article.contains(element) ? element : null);

function bringIntoView(target: Element, atOnce: boolean): void {
  openDetailsAround(target);
  const bring = (): void => target.scrollIntoView({ block: "center", behavior: atOnce ? "instant" : preferredScrollBehavior() });
  bring();
  // Until the page has loaded, the browser itself scrolls to the block of the address, and would win.
  if (document.readyState !== "complete") addEventListener("load", () => requestAnimationFrame(bring), { once: true });
}

/** A block that is not on the page: shows it under its new id, leads to the page it was moved to, or says that it is gone. */
function followMoved(article: HTMLElement, address: URL, options: Required<CitedPassageOptions>): () => void {
  const { notes, atOnce, stays, open } = options;
  const isCited = address.searchParams.has("mark");
  const stop = new AbortController();
  let undo = (): void => undefined;
  void currentAddress(address, open, stop.signal).then((href) => {
    if (stop.signal.aborted) return;
    if (href === undefined) {
      const again = (): void => {
        undo = followMoved(article, address, options);
      };
      undo = showNote(notes, msg("course.passageCannotBeChecked"), { name: msg("common.tryAgain"), act: again });
      return;
    }
    const place = href === null ? null : new URL(href, address);
    const isHere = place?.pathname === address.pathname;
    const here = isHere ? article.querySelector(`#${CSS.escape(decoded(place.hash.slice(1)))}`) : null;
    if (here && isCited) undo = showCitedPassage(article, place ?? address, options);
    else if (here) {
      if (!stays) bringIntoView(here, atOnce);
    } else if (place && !isHere) {
      const words = isCited ? msg("course.citedPassageStandsAnother") : msg("course.linkedPassageMoved");
      undo = showNote(notes, words, { name: msg("course.goThere"), href: place.pathname + place.search + place.hash });
    } else if (isCited) undo = showNote(notes, msg("course.citedPassageNoLongerPage"), readAsCited(address));
    else undo = showNote(notes, msg("course.linkedPassageNoLongerPage"));
  });
  return () => {
    stop.abort();
    undo();
  };
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

function removeMarkFromAddress(address: URL): void {
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
