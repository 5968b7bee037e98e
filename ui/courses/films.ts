import type { ExplainerOffer } from "@colloquy/schemas/explainers/job.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import { explainerHref } from "../explainers/address.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { renewedEvent } from "./refresh/renewed.ts";

/** A way to a film of the page that stands at its own address. */
export async function offerFilms(article: HTMLElement): Promise<void> {
  const lead = await wayToFilms(article, { speak: () => loadReadingMessages() });
  // A page that is made new in place keeps the link, and may have another title.
  if (lead) addEventListener(renewedEvent, lead);
}

/**
 * A way to a film of a page, for whoever is signed in and where films are made of the course.
 * @returns what makes the link fit the page once that was made new in place; null where there is none
 */
export async function wayToFilms(
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
    // The text's language is the course's; these words are the reader's.
    const { lang, dir } = document.documentElement;
    Object.assign(link, { lang, dir, textContent: msg("course.makeFilmPage") });
    link.href = `${explainerHref(`${course}.${topic}`)}&title=${encodeURIComponent(title)}`;
  };
  lead();
  ask.before(link);
  return lead;
}
