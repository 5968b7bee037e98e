import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { createAnchors } from "@colloquy/schemas/courses/markdown-text.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { languageFor } from "@colloquy/schemas/languages.ts";
import { withTranslator } from "@colloquy/ui/messages/page.ts";
import type { Heading } from "@colloquy/ui/rendering/headings.ts";
import { renderBlock, renderBrokenBlock } from "@colloquy/ui/rendering/server.ts";
import { imageSize, type Size } from "./image-file.ts";
import type { CourseRevision } from "./revisions.ts";

/** A topic's text as HTML, and what the page around it has to know. */
export interface RenderedTopic {
  html: string;
  /** Headings with anchors, for the list of what is on the page. */
  headings: Heading[];
  hasMath: boolean;
  /** Origins of pictures that load only when asked for. */
  remoteOrigins: string[];
}

/** A picture with no more than so many characters of source before it can stand in the first view. */
const firstView = 1_500;

export type TopicRenderer = (revision: CourseRevision, topicId: string) => Promise<RenderedTopic>;

type Sizes = ReturnType<typeof boundedCache<Size | null>>;

/** Renders topics of revisions. Revisions never change, so the last ones asked for are kept. */
export function topicRenderer(): TopicRenderer {
  const rendered = boundedCache<RenderedTopic>(200);
  const sizes: Sizes = boundedCache(2_000);
  return (revision, topicId) => {
    const { courseId, revisionId } = revision.listing;
    return rendered(`${courseId} ${revisionId} ${topicId}`, () => render(revision, topicId, sizes));
  };
}

async function render(revision: CourseRevision, topicId: string, sizes: Sizes): Promise<RenderedTopic> {
  const topic = await revision.topic(topicId);
  const pictures = await picturesOf(
    revision,
    topic.blocks.map((block) => block.source),
    sizes,
  );
  const headings: Heading[] = [];
  let [before, hasFirst] = [0, false];
  const options = {
    headingIds: true,
    headings,
    anchors: createAnchors(topic.blocks.map((block) => block.id)),
    topHeadingLevel: 2,
    blockLinks: true,
    resolveLink: (href: string) => resolveLink(revision, href),
    resolveImage: (path: string) => {
      const picture = pictures.get(decoded(path)) ?? null;
      if (!picture || hasFirst || before > firstView) return picture;
      hasFirst = true;
      return { ...picture, first: true };
    },
  };
  const drawn = () =>
    topic.blocks
      .map((block) => {
        const parsed = parseBlock(block);
        const shown = parsed.ok ? renderBlock(parsed.block, options) : renderBrokenBlock(block);
        before += block.source.length;
        return shown;
      })
      .join("");
  // What labels a text ("Exercise", "Note") is in the text's own language.
  const html = withTranslator(translatorFor(languageFor([revision.manifest.language])), drawn);
  const remote = html.matchAll(/href="(https?:\/\/[^/"?#]+)[^"]*"[^>]*data-action="load-image"/g);
  return {
    html,
    headings,
    hasMath: html.includes('class="katex'),
    remoteOrigins: [...new Set([...remote].map(([, origin = ""]) => origin))],
  };
}

/** Where the course's own addresses lead: `topic:<id>#<anchor>`, a place on the page, a path of the site, or one of its files. */
function resolveLink(revision: CourseRevision, href: string): string | null {
  if (href.startsWith("#") || href.startsWith("/")) return href;
  const topic = /^topic:([^#]*)(#.*)?$/.exec(href);
  if (topic) {
    const entry = revision.contents.byId.get(topic[1] ?? "");
    return entry ? entry.href + (topic[2] ?? "") : null;
  }
  const asset = revision.assets.get(decoded(href));
  return asset ? assetHref(revision.listing.courseId, asset.sha256) : null;
}

/** The address of a course's file. */
export function assetHref(courseId: string, sha256: string): string {
  return `/api/courses/${courseId}/assets/${sha256}`;
}

/** The files that are named in the sources, with their addresses and sizes. */
async function picturesOf(
  revision: CourseRevision,
  sources: string[],
  sizes: Sizes,
): Promise<Map<string, { src: string; width?: number; height?: number }>> {
  const named = [...revision.assets.values()].filter(({ path }) =>
    sources.some((source) => source.includes(path) || source.includes(encodeURI(path))),
  );
  const entries = await Promise.all(
    named.map(async ({ path, sha256 }) => {
      const size = await sizes(sha256, async () => {
        const bytes = await revision.asset(sha256);
        return bytes && imageSize(bytes);
      });
      return [path, { src: assetHref(revision.listing.courseId, sha256), ...size }] as const;
    }),
  );
  return new Map(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
