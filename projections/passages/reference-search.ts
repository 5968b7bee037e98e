import { bounds } from "@colloquy/schemas/bounds.ts";
import type { SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import type { ReferenceResult, SourceKind } from "@colloquy/schemas/sources/references.ts";
import MiniSearch from "minisearch";
import { languageOf, termsOf } from "./tokens.ts";

/** Larger places rank first: the name of a topic rarely means one of its paragraphs. */
const kindWeights: Record<SourceKind, number> = { course: 1.6, collection: 1.4, topic: 1.5, block: 1 };

/** Search by name within one revision, as the user types. Places for instructors are not offered. */
export interface ReferenceSearch {
  search(query: string): { source: Source; score: number }[];
  resultOf(source: Source): ReferenceResult;
}

export function createReferenceSearch({ courseId, revisionId, language: tag, sources, passages }: SearchIndex): ReferenceSearch {
  const language = languageOf(tag);
  const excerpts = new Map<string, string>();
  for (const { sourceId, text } of passages) if (!excerpts.has(sourceId)) excerpts.set(sourceId, text);
  const named = withoutRepeatedTitles(sources.filter(({ audience }) => audience === undefined));
  const engine = new MiniSearch<{ id: number; title: string; trail: string }>({
    fields: ["title", "trail"],
    tokenize: (text) => termsOf(text, language),
    processTerm: (found) => found,
    searchOptions: { combineWith: "AND", boost: { title: 4, trail: 1 }, prefix: true },
  });
  engine.addAll(named.map((source, id) => ({ id, title: source.title, trail: source.trail.join(" ") })));

  return {
    search(query) {
      const boostDocument = (id: number): number => kindWeights[named[id]?.kind ?? "block"];
      const exact = engine.search(query, { boostDocument });
      const found = exact.length > 0 ? exact : engine.search(query, { boostDocument, fuzzy: 0.2 });
      return found.flatMap(({ id, score }) => {
        const source = named[id as number];
        return source ? [{ source, score }] : [];
      });
    },
    resultOf: ({ sourceId, kind, href, title, trail }) => ({
      sourceId,
      kind,
      href,
      title,
      trail,
      courseId,
      revisionId,
      excerpt: excerptOf(excerpts.get(sourceId) ?? ""),
    }),
  };
}

/** Keeps only the first of several blocks under one heading. */
function withoutRepeatedTitles(sources: Source[]): Source[] {
  const seen = new Set<string>();
  return sources.filter(({ kind, topicId, title }) => {
    if (kind !== "block") return true;
    const name = `${topicId}\n${title}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function excerptOf(text: string): string {
  const folded = text.replaceAll(/\s+/g, " ").trim();
  if (folded.length <= bounds.references.excerptLength) return folded;
  const cut = folded.slice(0, bounds.references.excerptLength - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), cut.length / 2)).trimEnd()}…`;
}
