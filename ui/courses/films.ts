import type { ExplainerOffer } from "@colloquy/schemas/explainers/job.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import { explainerHref } from "../explainers/address.ts";
import { msg } from "../messages/page.ts";

/**
 * Adds a link to the video of a page, if the reader is signed in and the course has videos. It stays when the page is
 * refreshed in place.
 * @param speak loads the messages of a page that has none yet
 */
export async function addFilmLink(
  article: HTMLElement,
  { open = fetch, speak = () => null }: { open?: typeof fetch; speak?: () => Promise<unknown> | null } = {},
): Promise<void> {
  const { account, course, topic } = article.dataset;
  const quiz = article.querySelector(".page-actions .quiz");
  if (!account || !course || !topic || !quiz) return;
  const path = `/api/visual-explainers/offer?courseId=${encodeURIComponent(course)}`;
  const response = await open(path, { headers: { accept: "application/json", [accountHeader]: account } });
  if (!response.ok || !((await response.json()) as ExplainerOffer).offered) return;
  await speak();
  quiz.after(
    Object.assign(document.createElement("a"), {
      className: "button film",
      textContent: msg("explainer.film2"),
      title: msg("course.makeFilmPage"),
      ariaLabel: msg("course.makeFilmPage"),
      href: explainerHref(`${course}.${topic}`),
    }),
  );
}
