import type { Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { msg } from "../../messages/page.ts";
import { citationHref } from "../../rendering/citations.ts";
import { escapeXml } from "./markup.ts";

/** A question's sources as one paragraph of links; empty without sources. Pure. */
export function sourcesMarkup({ sources }: Quiz, { sourceIds }: Question, origin: string): string {
  const links = sources
    .filter(({ sourceId }) => sourceIds.includes(sourceId))
    .map((source) => {
      const words = escapeXml([...source.trail, source.title].join(" › ").replace(/\s+/g, " "));
      const href = citationHref(source);
      return URL.canParse(href, origin) ? `<a href="${escapeXml(new URL(href, origin).href)}">${words}</a>` : words;
    });
  return links.length ? `<p>${msg("common.sourcesCounted", { n: links.length })}: ${links.join("; ")}</p>` : "";
}
