import type { ExplainerOffer } from "@colloquy/schemas/explainer/job.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import { explainerHref } from "../explainer/address.ts";
import { speakAsSent } from "../words/load.ts";
import { msg } from "../words/page.ts";
import { renewedEvent } from "./refresh/renewed.ts";

/** A way to a film of this page, for whoever is signed in and where films are made of the course. */
export async function offerFilms(article: HTMLElement): Promise<void> {
  const { account, course, topic } = article.dataset;
  const ask = article.querySelector(".page-way .ask");
  if (!account || !course || !topic || !ask) return;
  const path = `/api/visual-explainers/offer?courseId=${encodeURIComponent(course)}`;
  const response = await fetch(path, { headers: { accept: "application/json", [accountHeader]: account } });
  if (!response.ok || !((await response.json()) as ExplainerOffer).offered) return;
  await speakAsSent("reading");
  // The text's language is the course's; these words are the reader's.
  const { lang, dir } = document.documentElement;
  const link = Object.assign(document.createElement("a"), {
    className: "button film",
    lang,
    dir,
    textContent: msg("Make a film of this page"),
  });
  const lead = (): void => {
    const title = article.querySelector("h1")?.textContent ?? "";
    link.href = `${explainerHref(`${course}.${topic}`)}&title=${encodeURIComponent(title)}`;
  };
  lead();
  ask.before(link);
  // A page that is made new in place keeps the link, and may have another title.
  addEventListener(renewedEvent, lead);
}
