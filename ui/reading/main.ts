import { showErasureNote } from "../accounts/erasure-note.ts";
import { removeMarkFromAddress, showAgain, showCitedPassage } from "../courses/cited-passage.ts";
import { followHeadings } from "../courses/follow-headings.ts";
import { recordProgress } from "../courses/progress.ts";
import { pageRefreshedEvent } from "../courses/refresh/events.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { showKeptNote } from "../offline/kept-note.ts";
import { keptAttribute } from "../offline/kept-pages.ts";
import { registerWorker } from "../offline/register.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { makeScrollersFocusable } from "../rendering/scrollers.ts";
import { holdLock, pageLock } from "../store/locks.ts";
import { offerDrawing } from "./ink.ts";

// Progressive enhancement: text, links and disclosures work without this script.
handleTextActions(document);

void noteOfflineCopy().catch(() => undefined);
void showErasureNote(document.querySelector("main"));

const article = document.querySelector<HTMLElement>("main article");
/** The published content of a course page: a topic, or the front of a course or collection. */
const published = document.querySelector<HTMLElement>("main [data-sequence]");
const modes = document.querySelector<HTMLElement>("[data-modes]");
if (article) {
  keepCitedPassage(article);
  holdPageLock();
  recordProgress(article);
  if (!modes) offerDrawing(article);
  // The video link is optional and loads last.
  if (article.dataset.account)
    addEventListener(
      "load",
      () =>
        void import("../courses/films.ts")
          .then(({ addFilmLink }) => addFilmLink(article, { speak: loadReadingMessages }))
          .catch(() => undefined),
      {
        once: true,
      },
    );
  // Mermaid is large, so even its loader is only fetched for pages with a diagram.
  if (article.querySelector("[data-diagram]")) void import("../rendering/diagram.ts").then(({ drawDiagrams }) => drawDiagrams(article));
}

// The page is gone, but the passage of the address may be elsewhere.
const missing = document.querySelector<HTMLElement>("main[data-missing='true']");
if (missing) keepCitedPassage(missing);

if (modes && published) void import("./modes.ts").then(({ offerModes }) => offerModes(modes, published));

offerSelfChecks();
let stopObserving = observeContent();
addEventListener(pageRefreshedEvent, () => {
  offerSelfChecks();
  stopObserving();
  stopObserving = observeContent();
});

// The revision check starts after load; it finds whatever was published meanwhile.
if (published)
  addEventListener(
    "load",
    () =>
      void Promise.all([import("../courses/refresh/follow.ts"), loadReadingMessages()])
        .then(([{ followPublications }]) => followPublications(published))
        .catch(() => undefined),
    { once: true },
  );

document.querySelector("#contents [aria-current='page']")?.scrollIntoView({ block: "nearest" });

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-action='sign-out']"))
  button.addEventListener("click", async () => {
    const { signOut: leaveSite } = await import("../accounts/sign-out.ts");
    await leaveSite(button);
  });

registerWorker();

/** Makes questions answerable; without this script they show their solution on request. */
function offerSelfChecks(): void {
  if (!article?.querySelector("[data-question]")) return;
  void Promise.all([import("../questions/self-check.ts"), loadReadingMessages()])
    .then(([selfCheck]) => selfCheck.offerSelfChecks(article))
    .catch(() => undefined);
}

/** Observes scrollers and headings of the present text. @returns stops it */
function observeContent(): () => void {
  if (article) makeScrollersFocusable(article);
  const rail = document.querySelector<HTMLElement>(".rail");
  return rail ? followHeadings(rail) : () => {};
}

/** Shows the passage of the address, and says anew what became of it when the page is refreshed in place. */
function keepCitedPassage(shown: HTMLElement): void {
  let passage = showCitedPassage(shown);
  let { search, hash } = location;
  addEventListener(pageRefreshedEvent, () => {
    passage = showAgain(passage, (how) => showCitedPassage(shown, new URL(location.pathname + search + hash, location.href), how));
  });
  let at = placeOnPage();
  const follow = (): void => {
    if (placeOnPage() === at) return;
    const isBack = isCitation(placeOnPage()) && !isCitation(at);
    if (isBack) passage.remove();
    // The cited words belong to their own block.
    else removeMarkFromAddress();
    at = placeOnPage();
    const next = showCitedPassage(shown);
    // A note on a block that is not here ends when the reader goes elsewhere on the page; a mark stays.
    if (!isBack && next.isCurrent() && shown.querySelector("mark.cited")) return;
    passage.remove();
    passage = next;
    ({ search, hash } = location);
  };
  addEventListener("hashchange", follow);
  // The way back to an address with another search has no `hashchange` everywhere.
  addEventListener("popstate", follow);
}

function placeOnPage(): string {
  return location.search + location.hash;
}

function isCitation(place: string): boolean {
  return new URLSearchParams(place).has("mark");
}

/** Notes that the page is an offline copy. */
async function noteOfflineCopy(): Promise<void> {
  const main = document.querySelector<HTMLElement>("main");
  if (!main || !document.documentElement.hasAttribute(keptAttribute)) return;
  await loadReadingMessages();
  const note = showKeptNote(main);
  if (note) await (await import("../offline/back-online.ts")).dropNoteOnceOnline(note);
}

/** Holds a lock by which the workspace in another tab lists open pages. A page in the back-forward cache must not hold it. */
function holdPageLock(): void {
  let release = holdLock(pageLock(location.pathname));
  addEventListener(pageRefreshedEvent, () => {
    release();
    release = holdLock(pageLock(location.pathname));
  });
  addEventListener("pagehide", () => release());
  addEventListener("pageshow", (event) => {
    if (event.persisted) release = holdLock(pageLock(location.pathname));
  });
}
