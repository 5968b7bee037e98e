import { showErasureNote } from "../accounts/erasure-note.ts";
import { showCitedPassage } from "../courses/cited-passage.ts";
import { recordProgress } from "../courses/progress.ts";
import { renewedEvent } from "../courses/refresh/renewed.ts";
import { followHeadings } from "../courses/where-on-page.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { showKeptNote } from "../offline/kept-note.ts";
import { keptAttribute } from "../offline/kept-pages.ts";
import { registerWorker } from "../offline/register.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { reachScrollers } from "../rendering/scrollers.ts";
import { holdLock, pageLock } from "../store/locks.ts";
import { offerDrawing } from "./ink.ts";

// Everything here is an addition: the page reads, links and folds without it.
handleTextActions(document);

void sayKept().catch(() => undefined);
void showErasureNote(document.querySelector("main"));

const article = document.querySelector<HTMLElement>("main article");
/** What is published, where the page shows something of a course: a topic, or the front of a course or collection. */
const published = document.querySelector<HTMLElement>("main [data-sequence]");
const modes = document.querySelector<HTMLElement>("[data-modes]");
if (article) {
  showCitedPassage(article);
  tellOpen();
  recordProgress(article);
  if (!modes) offerDrawing(article);
  // Whether films are made of the course is asked once nothing else is waited for.
  if (article.dataset.account)
    addEventListener(
      "load",
      () => void import("../courses/films.ts").then(({ offerFilms }) => offerFilms(article)).catch(() => undefined),
      {
        once: true,
      },
    );
  // The drawing program is large, so even the code that calls it waits for a page that has a diagram.
  if (article.querySelector("[data-diagram]")) void import("../rendering/diagram.ts").then(({ drawDiagrams }) => drawDiagrams(article));
}

if (modes && published) void import("./modes.ts").then(({ offerModes }) => offerModes(modes, published));

let untend = tend();
addEventListener(renewedEvent, () => {
  untend();
  untend = tend();
});

// What follows publications waits until the page is there: nothing is published in that time that the next check would not find.
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

/** Looks after what a new text brings anew. Returns a function that stops. */
function tend(): () => void {
  if (article) reachScrollers(article);
  const rail = document.querySelector<HTMLElement>(".rail");
  return rail ? followHeadings(rail) : () => {};
}

/** On a page that comes from what this browser keeps. */
async function sayKept(): Promise<void> {
  const main = document.querySelector<HTMLElement>("main");
  if (!main || !document.documentElement.hasAttribute(keptAttribute)) return;
  await loadReadingMessages();
  const note = showKeptNote(main);
  if (note) await (await import("../offline/back-online.ts")).dropNoteOnceOnline(note);
}

/** The workspace, in another tab, offers the pages that are open. A page in the back-forward cache is not, and must hold nothing. */
function tellOpen(): void {
  let release = holdLock(pageLock(location.pathname));
  addEventListener(renewedEvent, () => {
    release();
    release = holdLock(pageLock(location.pathname));
  });
  addEventListener("pagehide", () => release());
  addEventListener("pageshow", (event) => {
    if (event.persisted) release = holdLock(pageLock(location.pathname));
  });
}
