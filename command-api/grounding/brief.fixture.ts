import { createPassageIndex } from "@colloquy/projections/passages/passage-index.ts";
import type { RankedPassage, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { buildSearchIndex } from "../publication/search-index.ts";
import type { BriefSources } from "./brief.ts";
import { pageHrefOf } from "./course-pages.ts";
import { pageText } from "./page-text.ts";

/** What briefs of one course are made from, without stores. */
export interface CourseForBriefs extends BriefSources {
  /** A reference to the place at an address. */
  reference(href: string): ResolvedReference;
}

export async function courseForBriefs(course: AuthoredCourse): Promise<CourseForBriefs> {
  const index = createPassageIndex(course.manifest.language);
  const searchIndex = buildSearchIndex(course, "revision-1");
  await index.add(searchIndex);
  const { courseId, sources, passages } = searchIndex;
  const bySourceId = new Map(sources.map((source) => [source.sourceId, source]));
  const all = passages.flatMap((passage): RankedPassage[] => {
    const source = bySourceId.get(passage.sourceId);
    return source ? [{ ...passage, source, courseId, revisionId: "revision-1", score: 0 }] : [];
  });
  const topics = new Map(course.topics.map((topic) => [topic.id, topic]));
  const sourceAt = (href: string) => sources.find((source) => source.href === href);
  return {
    library: { search: async (query, options) => index.search(query, () => true, options?.limit ?? 20) },
    pages: {
      async pageOf({ source: { href } }) {
        const source = sourceAt(pageHrefOf({ href }));
        const own = all.filter((passage) => pageHrefOf(passage.source) === source?.href);
        return source && own.length > 0 ? pageText(source, topics.get(source.topicId ?? "") ?? null, own) : null;
      },
    },
    reference(href) {
      const source = sourceAt(href);
      if (!source) throw new Error(`nothing stands at ${href}`);
      const under = all.filter(({ source: { href: own } }) => own === href || own.startsWith(`${href}/`) || own.startsWith(`${href}#`));
      return { source, courseId, revisionId: "revision-1", passages: under };
    },
  };
}
