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
  const ask = article.querySelector(".page-way .ask");
  if (!account || !course || !topic || !ask) return null;
  const path = `/api/visual-explainers/offer?courseId=${encodeURIComponent(course)}`;
  const response = await open(path, { headers: { accept: "application/json", [accountHeader]: account } });
  if (!response.ok || !((await response.json()) as ExplainerOffer).offered) return null;
  await speak();
  const link = Object.assign(document.createElement("a"), { className: "button film" });
  const lead = (): void => {
    const title = article.querySelector("h1")?.textContent ?? "";
    // The article is in the course's language, this link in the reader's.
    const { lang, dir } = document.documentElement;
    Object.assign(link, { lang, dir, textContent: msg("course.makeFilmPage") });
    link.href = `${explainerHref(`${course}.${topic}`)}&title=${encodeURIComponent(title)}`;
  };
  lead();
  ask.before(link);
  return lead;
}
