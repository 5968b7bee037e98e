import type { ExplainerOffer } from "@colloquy/schemas/explainers/job.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import { explainerHref } from "../explainers/address.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { pageRefreshedEvent } from "./refresh/events.ts";

/** Adds the link to the page's video on a reading page. */
export async function addFilmLink(article: HTMLElement): Promise<void> {
  const lead = await createFilmLink(article, { speak: () => loadReadingMessages() });
  // A page refreshed in place keeps the link but may have a new title.
  if (lead) addEventListener(pageRefreshedEvent, lead);
}

/**
 * Adds a link to the video of a page, if the reader is signed in and the course has videos.
 * @returns updates the link after the page was refreshed; null if no link was added
 */
export async function createFilmLink(
  article: HTMLElement,
  { open = fetch, speak = () => null }: { open?: typeof fetch; speak?: () => Promise<unknown> | null } = {},
): Promise<(() => void) | null> {
  const { account, course, topic } = article.dataset;
  const quiz = article.querySelector(".page-actions .quiz");
  if (!account || !course || !topic || !quiz) return null;
  const path = `/api/visual-explainers/offer?courseId=${encodeURIComponent(course)}`;
  const response = await open(path, { headers: { accept: "application/json", [accountHeader]: account } });
  if (!response.ok || !((await response.json()) as ExplainerOffer).offered) return null;
  await speak();
  const link = Object.assign(document.createElement("a"), { className: "button film" });
  const lead = (): void => {
    Object.assign(link, { textContent: msg("explainer.film2"), title: msg("course.makeFilmPage"), ariaLabel: msg("course.makeFilmPage") });
    link.href = explainerHref(`${course}.${topic}`);
  };
  lead();
  quiz.after(link);
  return lead;
}
