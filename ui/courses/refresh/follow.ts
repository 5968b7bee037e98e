import { msg } from "../../messages/page.ts";
import { keptAttribute } from "../../offline/kept-pages.ts";
import { sanitizedPage } from "../../rendering/sanitize.ts";
import { showNote } from "../note.ts";
import { watchRevision } from "../revision-watch.ts";
import { scrollAnchor } from "../scroll-anchor.ts";
import { editingAttribute, pageRefreshedEvent } from "./events.ts";
import { patchElement } from "./patch.ts";
import { pinnedSequence } from "./pinned.ts";
import { idOfPage, presentPage } from "./present-page.ts";

/** Parts of the page outside its text that are refreshed as well. */
const surroundings = [".side-tree", ".side-course", ".bar-title", ".page-foot", ".rail"];
/** Another server may not have the own publication yet: retries with exponential backoff. */
const firstRetryMs = 100;
const maxTries = 7;

const rootOf = (page: ParentNode): HTMLElement | null => page.querySelector("main [data-sequence]");
const sequenceOf = (root: HTMLElement): number => Number(root.dataset.sequence) || 0;

/** The outcome of a refresh. */
type Outcome = "renewed" | "same" | "behind" | "gone" | "busy";

/**
 * Refreshes an open course page in place when a new revision is published, keeping scroll position, selection, open disclosures and drawings.
 * @param root the article of a topic, or the front of a course or collection
 */
export function followPublications(root: HTMLElement): void {
  const { course } = root.dataset;
  if (!course) return;
  watchRevision({
    path: location.pathname,
    shown: () => goneAt.get(root) ?? sequenceOf(root),
    isVisible: () => !document.hidden,
    signal: new AbortController().signal,
    onChange: async (live) => {
      if ((await refreshPage(root)) === "gone") goneAt.set(root, live);
    },
  });
  if (pinnedSequence(course) > sequenceOf(root)) void showPinned(root, course);
}

/** The revision since which a page is deleted: it stays as it was and is not requested until the next publication. */
const goneAt = new WeakMap<HTMLElement, number>();

/**
 * Refreshes the page until it shows the revision that was published in this tab; after the last retry the regular checks continue.
 * @returns the sequence it shows; null if the page is deleted or being edited
 */
export async function showPinned(root: HTMLElement | null = rootOf(document), course = root?.dataset.course): Promise<number | null> {
  if (!root || !course) return null;
  for (let tries = 0; sequenceOf(root) < pinnedSequence(course) && tries < maxTries; tries += 1) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, firstRetryMs * 2 ** (tries - 1)));
    const outcome = await refreshPage(root).catch(() => "behind" as const);
    if (outcome === "gone" || outcome === "busy") return null;
  }
  return sequenceOf(root);
}

let removeNote: () => void = () => undefined;

/**
 * Loads the page again and patches the differences. A page whose id or address was changed is followed.
 * @param address where the page is now
 * @throws if the service does not answer, or only the offline copy does
 */
async function refreshPage(root: HTMLElement, address = location.pathname): Promise<Outcome> {
  if (root.hasAttribute(editingAttribute)) return "busy";
  const response = await fetch(address, { headers: { accept: "text/html" }, credentials: "same-origin" });
  if (response.status === 404) return followPage(root, address, null);
  if (!response.ok) throw new Error(`${address} could not be loaded (status ${response.status}).`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = rootOf(page);
  if (page.documentElement.hasAttribute(keptAttribute) || !fresh) throw new Error("The response is not the present page.");
  if (sequenceOf(fresh) <= sequenceOf(root)) return "behind";
  if (idOfPage(fresh) !== idOfPage(root)) {
    const outcome = await followPage(root, address, fresh);
    if (outcome) return outcome;
  }
  await loadStylesheets(page);
  // Editing may have started meanwhile.
  if (root.hasAttribute(editingAttribute)) return "busy";
  const changed = patchPage(root, fresh, page);
  const path = new URL(response.url).pathname;
  if (path !== location.pathname) history.replaceState(history.state, "", path + location.search + location.hash);
  goneAt.delete(root);
  removeNote();
  dispatchEvent(new Event(pageRefreshedEvent));
  if (changed && sequenceOf(root) > pinnedSequence(root.dataset.course ?? ""))
    removeNote = showNote(document.body, msg("course.pagePublishedAnewSee"));
  return changed ? "renewed" : "same";
}

/** The outcome for a page whose address leads nowhere or to another page; null if that page is the same one under another id. */
async function followPage(root: HTMLElement, address: string, fresh: null): Promise<Outcome>;
async function followPage(root: HTMLElement, address: string, fresh: HTMLElement): Promise<Outcome | null>;
async function followPage(root: HTMLElement, address: string, fresh: HTMLElement | null): Promise<Outcome | null> {
  const [id, { course = "" }] = [idOfPage(root), root.dataset];
  const shown = fresh && idOfPage(fresh);
  const present = id === null ? null : await presentPage(course, id, shown);
  if (!present) return noteGone(root);
  if (fresh && present.id === shown) return null;
  // A server that does not have the revision yet may answer at the new address: the next check retries.
  return present.href === null || present.href === address ? "behind" : refreshPage(root, present.href);
}

function patchPage(root: HTMLElement, fresh: HTMLElement, page: Document): boolean {
  // The browser's own scroll anchoring would interfere.
  const { style } = document.documentElement;
  style.overflowAnchor = "none";
  const keepPlace = scrollAnchor(root, 0);
  const diagrams = new Set(root.querySelectorAll("[data-diagram]"));
  const changed = patchElement(root, sanitizedPage(fresh.innerHTML));
  for (const name of ["data-sequence", "data-topic", "data-collection", "lang", "dir"]) {
    const value = fresh.getAttribute(name);
    if (value === null) root.removeAttribute(name);
    else root.setAttribute(name, value);
  }
  for (const selector of surroundings) patchAround(selector, page);
  document.title = page.title;
  // An unscrolled page stays at its top.
  if (scrollY > 0) scrollBy({ top: keepPlace(), behavior: "instant" });
  requestAnimationFrame(() => style.removeProperty("overflow-anchor"));
  const drawnNew = [...root.querySelectorAll("[data-diagram]")].filter((figure) => !diagrams.has(figure));
  if (drawnNew.length)
    void import("../../rendering/diagram.ts").then(({ drawDiagrams }) => {
      for (const figure of drawnNew) drawDiagrams(figure);
    });
  return changed;
}

function patchAround(selector: string, page: Document): void {
  const [standing, fresh] = [document.querySelector<HTMLElement>(selector), page.querySelector<HTMLElement>(selector)];
  if (!standing) {
    // The list of headings exists from the second heading on.
    if (fresh) document.querySelector("main")?.after(sanitizedPage(fresh.outerHTML));
  } else if (!fresh) standing.remove();
  else {
    patchElement(standing, sanitizedPage(fresh.innerHTML));
    if (fresh instanceof HTMLAnchorElement) standing.setAttribute("href", fresh.getAttribute("href") ?? "");
  }
}

/** Loads stylesheets that only the new text needs, to avoid a layout shift. */
async function loadStylesheets(page: Document): Promise<void> {
  const missing = [...page.querySelectorAll<HTMLLinkElement>("link[data-sheet]")].filter(
    ({ dataset }) => !document.querySelector(`link[data-sheet="${CSS.escape(dataset.sheet ?? "")}"]`),
  );
  await Promise.all(
    missing.map((link) => {
      const own = document.importNode(link);
      document.head.append(own);
      return new Promise((resolve) => {
        own.addEventListener("load", resolve, { once: true });
        own.addEventListener("error", resolve, { once: true });
      });
    }),
  );
}

function noteGone(root: HTMLElement): "gone" {
  if (goneAt.has(root)) return "gone";
  removeNote();
  removeNote = showNote(document.body, msg("course.pageTakenOutCourse"), {
    name: msg("course.toTheCourse"),
    act: () => location.assign(`/courses/${root.dataset.course}`),
  });
  return "gone";
}
