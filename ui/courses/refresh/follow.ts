import { msg } from "../../messages/page.ts";
import { keptAttribute } from "../../offline/kept-pages.ts";
import { sanitizedPage } from "../../rendering/sanitize.ts";
import { putNote } from "../note.ts";
import { placeOf } from "../place.ts";
import { watchRevision } from "../revision-watch.ts";
import { pinnedSequence } from "./pinned.ts";
import { renew } from "./renew.ts";
import { editingAttribute, renewedEvent } from "./renewed.ts";

/** Where the page shows more than its text; each is made new with it. */
const around = [".side-tree", ".side-course", ".bar-title", ".page-foot", ".rail"];
/** Another machine may answer for a moment without one's own publication; then it is asked again, after twice the time each time. */
const pinnedWaitMs = 100;
const pinnedTries = 7;

const rootOf = (page: ParentNode): HTMLElement | null => page.querySelector("main [data-sequence]");
/** What a page is of: a topic, a collection, or with neither its course. */
const idOf = ({ dataset }: HTMLElement): string => `${dataset.topic ?? ""} ${dataset.collection ?? ""}`;
const sequenceOf = (root: HTMLElement): number => Number(root.dataset.sequence) || 0;

/** What came of making a page new. */
type Outcome = "renewed" | "same" | "behind" | "gone" | "busy";

/**
 * Keeps an open page of a course at what is published: it is made new in place, without moving what is read, unfolded, selected or drawn.
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
      if ((await renewPage(root)) === "gone") goneAt.set(root, live);
    },
  });
  if (pinnedSequence(course) > sequenceOf(root)) void showPinned(root, course);
}

/** Since which revision a page has had no address: then it stands as it was, and is not asked for until something else is published. */
const goneAt = new WeakMap<HTMLElement, number>();

/**
 * Makes the page new until it shows what was published here; what takes longer is left to the checks.
 * @returns the sequence it shows then; null when it is gone, or somebody is at work in it
 */
export async function showPinned(root: HTMLElement | null = rootOf(document), course = root?.dataset.course): Promise<number | null> {
  if (!root || !course) return null;
  for (let tries = 0; sequenceOf(root) < pinnedSequence(course) && tries < pinnedTries; tries += 1) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, pinnedWaitMs * 2 ** (tries - 1)));
    const outcome = await renewPage(root).catch(() => "behind" as const);
    if (outcome === "gone" || outcome === "busy") return null;
  }
  return sequenceOf(root);
}

let removeNote: () => void = () => undefined;

/** Reads the page again and takes over what is different. @throws when nobody answers, or only what this browser has kept */
async function renewPage(root: HTMLElement): Promise<Outcome> {
  if (root.hasAttribute(editingAttribute)) return "busy";
  const response = await fetch(location.pathname, { headers: { accept: "text/html" }, credentials: "same-origin" });
  if (response.status === 404) return sayGone(root);
  if (!response.ok) throw new Error(`${location.pathname} was answered with ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = rootOf(page);
  if (page.documentElement.hasAttribute(keptAttribute) || !fresh) throw new Error("this is not the page as it is now");
  if (idOf(fresh) !== idOf(root)) return sayGone(root);
  if (sequenceOf(fresh) <= sequenceOf(root)) return "behind";
  await dress(page);
  // Who began to work in it meanwhile is not disturbed.
  if (root.hasAttribute(editingAttribute)) return "busy";
  const changed = takeOver(root, fresh, page);
  const path = new URL(response.url).pathname;
  if (path !== location.pathname) history.replaceState(history.state, "", path + location.search + location.hash);
  goneAt.delete(root);
  removeNote();
  dispatchEvent(new Event(renewedEvent));
  if (changed && sequenceOf(root) > pinnedSequence(root.dataset.course ?? ""))
    removeNote = putNote(document.body, msg("course.pagePublishedAnewSee"));
  return changed ? "renewed" : "same";
}

function takeOver(root: HTMLElement, fresh: HTMLElement, page: Document): boolean {
  // The browser would move the page as well, by what it takes for the same place.
  const { style } = document.documentElement;
  style.overflowAnchor = "none";
  const keepPlace = placeOf(root, 0);
  const diagrams = new Set(root.querySelectorAll("[data-diagram]"));
  const changed = renew(root, sanitizedPage(fresh.innerHTML));
  for (const name of ["data-sequence", "lang", "dir"]) {
    const value = fresh.getAttribute(name);
    if (value === null) root.removeAttribute(name);
    else root.setAttribute(name, value);
  }
  for (const selector of around) renewAround(selector, page);
  document.title = page.title;
  // Where nothing of it is seen yet, the page stays at its beginning.
  if (scrollY > 0) scrollBy({ top: keepPlace(), behavior: "instant" });
  requestAnimationFrame(() => style.removeProperty("overflow-anchor"));
  const drawnNew = [...root.querySelectorAll("[data-diagram]")].filter((figure) => !diagrams.has(figure));
  if (drawnNew.length)
    void import("../../rendering/diagram.ts").then(({ drawDiagrams }) => {
      for (const figure of drawnNew) drawDiagrams(figure);
    });
  return changed;
}

function renewAround(selector: string, page: Document): void {
  const [standing, fresh] = [document.querySelector<HTMLElement>(selector), page.querySelector<HTMLElement>(selector)];
  if (!standing) {
    // A list of headings appears with the second heading.
    if (fresh) document.querySelector("main")?.after(sanitizedPage(fresh.outerHTML));
  } else if (!fresh) standing.remove();
  else {
    renew(standing, sanitizedPage(fresh.innerHTML));
    if (fresh instanceof HTMLAnchorElement) standing.setAttribute("href", fresh.getAttribute("href") ?? "");
  }
}

/** The sheets that only the new text needs: without them it would jump. */
async function dress(page: Document): Promise<void> {
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

function sayGone(root: HTMLElement): "gone" {
  if (goneAt.has(root)) return "gone";
  removeNote();
  removeNote = putNote(document.body, msg("course.pageTakenOutCourse"), {
    name: msg("course.toTheCourse"),
    act: () => location.assign(`/courses/${root.dataset.course}`),
  });
  return "gone";
}
