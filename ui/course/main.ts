import { handleTextActions } from "../rendering/actions.ts";
import { reachScrollers } from "../rendering/scrollers.ts";
import { hold, pageLock } from "../store/locks.ts";
import { showCitedPassage } from "./cited-passage.ts";
import { recordProgress } from "./progress.ts";
import { followHeadings } from "./where-on-page.ts";

// Everything here is an addition: the page reads, links and folds without it.
handleTextActions(document);

const article = document.querySelector<HTMLElement>("main article");
if (article) {
  showCitedPassage(article);
  reachScrollers(article);
  tellOpen();
  recordProgress(article);
  // The drawing program is large, so even the code that calls it waits for a page that has a diagram.
  if (article.querySelector("[data-diagram]")) void import("../rendering/diagram.ts").then(({ drawDiagrams }) => drawDiagrams(article));
}

const rail = document.querySelector<HTMLElement>(".rail");
if (rail) followHeadings(rail);

document.querySelector("#contents [aria-current='page']")?.scrollIntoView({ block: "nearest" });

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-action='sign-out']"))
  button.addEventListener("click", async () => {
    button.disabled = true;
    const response = await fetch("/auth/sign-out", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ schemaVersion: 1 }),
    });
    const answer: unknown = response.ok ? await response.json() : null;
    const redirect = typeof answer === "object" && answer !== null && "redirect" in answer ? String(answer.redirect) : "/";
    // Our own start page would say who is signed in; this page says it as well.
    if (redirect === "/") location.reload();
    else location.assign(redirect);
  });

/** The workspace, in another tab, offers the pages that are open. A page in the back-forward cache is not, and must hold nothing. */
function tellOpen(): void {
  let release = hold(pageLock(location.pathname));
  addEventListener("pagehide", () => release());
  addEventListener("pageshow", (event) => {
    if (event.persisted) release = hold(pageLock(location.pathname));
  });
}
