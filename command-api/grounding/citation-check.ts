import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { readSearchIndex } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import { courseOfHref } from "@colloquy/schemas/payload.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";

/** Whether this service can have made these citations; see `citationCheck`. */
export type CitationCheck = (citations: readonly Citation[]) => Promise<boolean>;

/** Sources of a revision with their passages, by source id. */
type Citable = ReadonlyMap<string, { source: Source; texts: string[] }>;

/** Revisions in memory; their texts take some megabytes each. */
const cachedRevisions = 8;

/**
 * Compares each citation with the revision that it names: the source must exist with this address and title, and one of its passages must
 * contain the quote. Citations of a revision that cannot be read are accepted: their schema was checked.
 */
export function citationCheck({ objectStore, log }: { objectStore: ObjectStore; log: Logger }): CitationCheck {
  const revisions = boundedCache<Citable>(cachedRevisions);

  async function citable(courseId: string, revisionId: string): Promise<Citable | null> {
    try {
      return await revisions(`${courseId} ${revisionId}`, async () => citableOf(await readSearchIndex(objectStore, courseId, revisionId)));
    } catch (error) {
      log.debug({ err: error, courseId, revisionId }, "citations of a revision cannot be checked");
      return null;
    }
  }

  return async (citations) => {
    for (const citation of citations) {
      const revision = await citable(courseOfHref(citation.href), citation.revisionId);
      if (revision && !matchesRevision(citation, revision)) return false;
    }
    return true;
  };
}

function matchesRevision({ sourceId, href, title, trail, quote }: Citation, revision: Citable): boolean {
  const found = revision.get(sourceId);
  if (!found) return false;
  const { source, texts } = found;
  const named = source.href === href && source.title === title && source.trail.join("\n") === trail.join("\n");
  return named && texts.some((text) => text.includes(quote));
}

function citableOf({ sources, passages }: SearchIndex): Citable {
  const citable = new Map(sources.map((source) => [source.sourceId, { source, texts: [] as string[] }]));
  for (const { sourceId, text } of passages) citable.get(sourceId)?.texts.push(text.replace(/\s+/g, " ").trim());
  return citable;
}
