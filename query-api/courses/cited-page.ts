import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { followRenames } from "@colloquy/schemas/courses/identity.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { langAttributes, siteFooter, siteHeader } from "../pages/frame.ts";
import { html, trusted } from "../pages/html.ts";
import { htmlPage } from "../pages/shell.ts";
import type { RenderedTopic, TopicRenderer } from "./render-topic.ts";
import { type CourseRevision, type CourseRevisions, readableBy } from "./revisions.ts";

/** The address of a block in an earlier revision, below the course: `revisions/<revision id>/<block id>`. */
const citedPath = /^revisions\/([0-9a-f]{64})\/([A-Za-z0-9_-]{8,64})$/;

interface Needs {
  built: BuiltUi;
  translator: Translator;
  account: Account | null;
  live: CourseRevision;
  /** Below the course. */
  path: string;
  revisions: Pick<CourseRevisions, "earlier">;
  renderTopic: TopicRenderer;
}

/**
 * A block as it was published in the revision that a citation names, so that a passage can be read after it was changed or deleted. Revision
 * ids are hashes: only those who were shown a revision know its id.
 * @returns null for any other address
 */
export async function citedPage(needs: Needs): Promise<{ page: string; rendered: RenderedTopic } | null> {
  const [, revisionId = "", blockId = ""] = citedPath.exec(needs.path) ?? [];
  if (!revisionId) return null;
  const earlier = await needs.revisions.earlier(needs.live, revisionId);
  const then = earlier && readableBy(needs.account, earlier);
  const topicId = (await then?.identity())?.topicOf.get(blockId);
  const entry = topicId === undefined ? undefined : then?.contents.byId.get(topicId);
  if (!then || entry?.kind !== "topic") return null;
  const rendered = await needs.renderTopic(then, entry.id, blockId);
  if (!rendered.html) return null;
  const { built, translator, account, live, path } = needs;
  const { msg, language } = translator;
  const { courseId, title, language: courseLanguage } = live.manifest;
  const { sequence } = then.listing;
  const now = live.contents.byId.get(followRenames((await live.identity()).renames)(entry.id));
  const here = `/courses/${courseId}/${path}`;
  const about =
    sequence === live.listing.sequence
      ? msg("page.citedPassagePresent")
      : msg("page.citedPassageEarlier", { revision: sequence, live: live.listing.sequence });
  const page = htmlPage(built, {
    translator,
    title: `${entry.title} · ${title} · Colloquy`,
    bodyClass: "front",
    sheets: ["topic", ...(rendered.hasMath ? ["katex"] : [])],
    scripts: ["course"],
    remoteImages: rendered.remoteOrigins.length > 0,
    head: html`<meta name="robots" content="noindex">`,
    body: html`${siteHeader(translator, account, here)}
<main id="content" tabindex="-1">
<article${langAttributes(courseLanguage, language)}>
<header class="page-head"><nav class="crumb" aria-label="${msg("page.breadcrumb")}"${langAttributes(language, courseLanguage)}><a href="/courses/${courseId}"${langAttributes(courseLanguage, language)}>${title}</a></nav>
<h1>${entry.title}</h1>
<p class="lede"${langAttributes(language, courseLanguage)}>${about}</p>
<p class="front-actions"${langAttributes(language, courseLanguage)}><a class="button" href="${now?.href ?? `/courses/${courseId}`}">${now ? msg("page.pageAsItIsNow") : msg("page.contentsOf", { course: title })}</a></p></header>
<div class="prose text">
${trusted(rendered.html)}
</div>
</article>
</main>
${siteFooter(translator, account, here)}`,
  });
  return { page, rendered };
}
