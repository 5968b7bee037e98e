import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { isBankQuestion } from "@colloquy/schemas/courses/audience.ts";
import { courseLink } from "@colloquy/schemas/courses/course-link.ts";
import { imageSize, type Size } from "@colloquy/schemas/courses/image-size.ts";
import { createAnchors } from "@colloquy/schemas/courses/markdown-text.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { languageFor } from "@colloquy/schemas/languages.ts";
import { withTranslator } from "@colloquy/ui/messages/page.ts";
import type { Heading } from "@colloquy/ui/rendering/headings.ts";
import { renderBlock, renderBrokenBlock } from "@colloquy/ui/rendering/server.ts";
import type { CourseRevision } from "./revisions.ts";

/** A topic as HTML, and what the page around it needs. */
export interface RenderedTopic {
  html: string;
  /** Headings with anchors, for the page's table of contents. */
  headings: Heading[];
  hasMath: boolean;
  /** Origins of external pictures, which load on request. */
  remoteOrigins: string[];
}

/** A picture after at most this many characters of source may be in the first viewport. */
const firstViewportCharacters = 1_500;

/** Renders a topic, or one of its blocks. */
export type TopicRenderer = (revision: CourseRevision, topicId: string, blockId?: string) => Promise<RenderedTopic>;

type Sizes = ReturnType<typeof boundedCache<Size | null>>;

/** Renders topics of revisions, which are immutable and therefore cached. */
export function topicRenderer(): TopicRenderer {
  const rendered = boundedCache<RenderedTopic>(200);
  const sizes: Sizes = boundedCache(2_000);
  return (revision, topicId, blockId) => {
    const { courseId, revisionId } = revision.listing;
    return rendered(`${courseId} ${revisionId} ${revision.audience} ${topicId} ${blockId ?? ""}`, () =>
      render(revision, topicId, blockId, sizes),
    );
  };
}

async function render(revision: CourseRevision, topicId: string, blockId: string | undefined, sizes: Sizes): Promise<RenderedTopic> {
  const topic = await revision.topic(topicId);
  const shownBlocks = topic.blocks.filter((block) => (blockId === undefined || block.id === blockId) && !isBankQuestion(block));
  const pictures = await picturesOf(
    revision,
    shownBlocks.map((block) => block.source),
    sizes,
  );
  const { topicOf } = await revision.identity();
  const headings: Heading[] = [];
  let [before, hasFirst] = [0, false];
  const options = {
    headingIds: true,
    headings,
    anchors: createAnchors(topic.blocks.map((block) => block.id)),
    topHeadingLevel: 2,
    blockLinks: true,
    resolveLink: (href: string) => resolveLink(revision, href, topicId, topicOf),
    resolveImage: (path: string) => {
      const picture = pictures.get(decoded(path)) ?? null;
      if (!picture || hasFirst || before > firstViewportCharacters) return picture;
      hasFirst = true;
      return { ...picture, first: true };
    },
  };
  const drawn = () =>
    shownBlocks
      .map((block) => {
        const parsed = parseBlock(block);
        const shown = parsed.ok ? renderBlock(parsed.block, options) : renderBrokenBlock(block);
        before += block.source.length;
        return shown;
      })
      .join("");
  // Labels such as "Exercise" and "Note" are in the language of the course.
  const html = withTranslator(translatorFor(languageFor([revision.manifest.language])), drawn);
  const remote = html.matchAll(/href="(https?:\/\/[^/"?#]+)[^"]*"[^>]*data-action="load-image"/g);
  return {
    html,
    headings,
    hasMath: html.includes('class="katex'),
    remoteOrigins: [...new Set([...remote].map(([, origin = ""]) => origin))],
  };
}

/** Resolves a link in a course: `topic:<id>#<anchor>`, an anchor, a path of the site, or a file of the course. */
function resolveLink(revision: CourseRevision, href: string, here: string, topicOf: ReadonlyMap<string, string>): string | null {
  if (href.startsWith("/")) return href;
  const link = courseLink(href, here, (id) => topicOf.get(id));
  if (link) {
    if (href.startsWith("#") && link.topicId === here) return href;
    const entry = revision.contents.byId.get(link.topicId);
    return entry ? entry.href + link.hash : null;
  }
  const asset = revision.assets.get(decoded(href));
  return asset ? assetHref(revision.listing.courseId, asset.sha256) : null;
}

/** The address of a course's file. */
export function assetHref(courseId: string, sha256: string): string {
  return `/api/courses/${courseId}/assets/${sha256}`;
}

/** The pictures that the sources name, with their addresses and sizes. */
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
