import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { courseKeys, DamagedRevision, readManifest, readSearchIndex, readUnit } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { type PassageLibrary, sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import { passagesForLearners } from "@colloquy/schemas/courses/audience.ts";
import type { Asset, Topic } from "@colloquy/schemas/courses/authored.ts";
import type { BlockData } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import type { Passage, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import { type ReadPicture, readPicture } from "./pictures.ts";

/** What a passage's text does not say of its block: of a diagram its Mermaid text, of code its language and whether it is what code prints. */
interface BlockFacts {
  diagram?: string;
  code?: Pick<BlockData["core.code"], "language" | "role">;
}

/** A passage with its source; for a figure also its picture and that one's parts if a film can show it. */
export type TopicPassage = Passage & { source: Source } & BlockFacts & Partial<ReadPicture>;

/** A topic of a revision, as storyboards are drafted from it. */
export interface FilmTopic {
  courseId: string;
  courseTitle: string;
  revisionId: string;
  topicId: string;
  title: string;
  /** BCP 47. */
  language: string;
  objectives: readonly string[];
  /** Its passages in reading order, without objectives, and without solutions, which would give exercises away. */
  passages: readonly TopicPassage[];
}

export interface FilmTopics {
  /** A topic of the live revision. @throws {ProblemError} `not_found` */
  live(courseId: string, topicId: string): Promise<FilmTopic>;
  /** A topic of any revision. @throws {ProblemError} `not_found` */
  at(courseId: string, revisionId: string, topicId: string): Promise<FilmTopic>;
}

const keptRevisions = 8;
const keptTopics = 64;
const excludedRoles = new Set<Passage["role"]>(["objectives", "solution"]);

/** Longer diagrams are not used. */
const maxDiagramLength = 2_000;

/** The facts of a topic's diagrams and code by source id. */
export const blockFacts = (courseId: string, { blocks }: Topic): [string, BlockFacts][] =>
  blocks.flatMap((block): [string, BlockFacts][] => {
    const parsed = parseBlock(block);
    if (!parsed.ok) return [];
    const sourceId = sourceIdOf(courseId, block.id);
    if (parsed.block.type === "core.code") {
      const { language, role } = parsed.block.data;
      return [[sourceId, { code: { language, role } }]];
    }
    if (parsed.block.type !== "core.diagram" || parsed.block.data.code.length > maxDiagramLength) return [];
    return [[sourceId, { diagram: parsed.block.data.code }]];
  });

/**
 * The topics of a revision as films are drawn up from them, in reading order, by their ids. Pure.
 * @param facts of their blocks, by the source they are
 */
export function topicsOf(index: SearchIndex, facts: ReadonlyMap<string, BlockFacts>): ReadonlyMap<string, FilmTopic> {
  const { courseId, revisionId, language, sources, passages } = index;
  const bySource = new Map(sources.map((source) => [source.sourceId, source]));
  const courseTitle = sources.find(({ kind }) => kind === "course")?.title ?? courseId;
  const texts = Map.groupBy(
    passages.flatMap((passage): TopicPassage[] => {
      const source = bySource.get(passage.sourceId);
      return source ? [{ ...passage, source, ...facts.get(passage.sourceId) }] : [];
    }),
    ({ source }) => source.topicId,
  );
  return new Map(
    sources.flatMap(({ kind, entityId: topicId, title }): [string, FilmTopic][] => {
      if (kind !== "topic") return [];
      const own = texts.get(topicId) ?? [];
      const objectives = own.flatMap(({ role, text }) => (role === "objectives" ? text.split("\n") : []));
      const told = own.filter(({ role }) => !excludedRoles.has(role));
      return [[topicId, { courseId, courseTitle, revisionId, topicId, title, language, objectives, passages: told }]];
    }),
  );
}

/** A topic with the pictures of its figures. @param bytesOf null for a file that is not there */
export async function withPictures(
  topic: FilmTopic,
  { blocks }: Topic,
  assets: readonly Asset[],
  bytesOf: (asset: Asset) => Promise<Uint8Array | null>,
): Promise<FilmTopic> {
  const pictures = new Map<string, ReadPicture>();
  for (const block of blocks) {
    const parsed = parseBlock(block);
    if (!parsed.ok || parsed.block.type !== "core.figure") continue;
    const { path, alt } = parsed.block.data;
    const asset = assets.find((one) => one.path === path);
    const sourceId = sourceIdOf(topic.courseId, block.id);
    const read = asset && (await readPicture({ sourceId, alt, asset }, () => bytesOf(asset)));
    if (read) pictures.set(sourceId, read);
  }
  const passages = topic.passages.map((passage): TopicPassage => {
    const read = pictures.get(passage.sourceId);
    return read ? { ...passage, ...read } : passage;
  });
  return { ...topic, passages };
}

interface FilmRevision {
  topics: ReadonlyMap<string, FilmTopic>;
  /** Topics with diagrams, figures or code, as authored. */
  units: ReadonlyMap<string, Topic>;
  assets: readonly Asset[];
}

export function filmTopics({ objectStore, library }: { objectStore: ObjectStore; library: PassageLibrary }): FilmTopics {
  const revisions = boundedCache<FilmRevision>(keptRevisions);
  const illustrated = boundedCache<FilmTopic>(keptTopics);

  async function open(courseId: string, revisionId: string): Promise<FilmRevision> {
    const index = passagesForLearners(await readSearchIndex(objectStore, courseId, revisionId));
    const topicOf = new Map(index.sources.map(({ sourceId, topicId }) => [sourceId, topicId]));
    const wanted = new Set(
      index.passages.flatMap(({ role, sourceId }) => (role === "figure" || role === "code" ? (topicOf.get(sourceId) ?? []) : [])),
    );
    const { topics, assets } = await readManifest(objectStore, courseId, revisionId);
    const read = await Promise.all(topics.filter(({ id }) => wanted.has(id)).map(({ unit }) => readUnit(objectStore, courseId, unit)));
    const units = read.flatMap((unit) => (unit.kind === "topic" ? unit.topic : []));
    const facts = new Map(units.flatMap((unit) => blockFacts(courseId, unit)));
    return { topics: topicsOf(index, facts), units: new Map(units.map((unit) => [unit.id, unit])), assets };
  }

  async function at(courseId: string, revisionId: string, topicId: string): Promise<FilmTopic> {
    try {
      const { topics, units, assets } = await revisions(`${courseId} ${revisionId}`, () => open(courseId, revisionId));
      const [topic, unit] = [topics.get(topicId), units.get(topicId)];
      const bytesOf = async ({ sha256 }: Asset) => (await objectStore.get(courseKeys.asset(courseId, sha256)))?.bytes ?? null;
      if (topic && unit) return await illustrated(`${courseId} ${revisionId} ${topicId}`, () => withPictures(topic, unit, assets, bytesOf));
      if (topic) return topic;
    } catch (error) {
      if (error instanceof DamagedRevision) throw new ProblemError("unavailable", { cause: error });
      throw error;
    }
    throw new ProblemError("not_found", { detail: "There is no such topic." });
  }

  return {
    at,
    async live(courseId, topicId) {
      const found = await library.resolve({ href: `/courses/${courseId}` });
      if (found?.source.kind !== "course") throw new ProblemError("not_found", { detail: "There is no such course." });
      return at(courseId, found.revisionId, topicId);
    },
  };
}
