import type { AuthoredCourse, Block, Collection, Objective, Topic } from "@colloquy/schemas/courses/authored.ts";
import { idFrom } from "./ids.ts";
import { pairEqual, pairSimilar, wordsOf } from "./similarity.ts";

/**
 * Gives a freshly imported course the ids of the previous revision wherever a thing is the same, has moved or was edited,
 * so that progress, notes and links stay attached; what is new gets an id that follows from its content.
 * Links in sources (`topic:<id>#<anchor>`, `#<block id>`) and container lists follow.
 * @param course with the importer's own ids, made by `idFrom`.
 */
export function withStableIds(course: AuthoredCourse, previous: AuthoredCourse | null): AuthoredCourse {
  const known = new Set([...idsOf(course), ...(previous ? idsOf(previous) : [])]);
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const give = (from: string, to: string): void => {
    ids.set(from, to);
    taken.add(to);
  };

  const collectionPairs = pairInSteps(course.collections, previous?.collections ?? [], [
    (one) => one.id,
    (one) => `${one.slug}\n${one.title}`,
    (one) => one.title,
  ]);
  for (const [now, before] of collectionPairs) give(now.id, before.id);

  const topicPairs = pairTopics(course, previous, known);
  for (const [now, before] of topicPairs) give(now.id, before.id);

  for (const [now, before] of topicPairs) for (const [objective, old] of pairObjectives(now, before)) give(objective.id, old.id);
  for (const [now, before] of pairBlocks(course, previous, topicPairs, known)) give(now.id, before.id);

  for (const fresh of idsOf(course)) {
    if (ids.has(fresh)) continue;
    let id = fresh;
    for (let number = 2; taken.has(id); number += 1) id = idFrom(kindOf(fresh), fresh, String(number));
    give(fresh, id);
  }
  return rename(course, ids);
}

function* idsOf(course: AuthoredCourse): Generator<string> {
  for (const { id } of course.collections) yield id;
  for (const topic of course.topics) {
    yield topic.id;
    for (const { id } of topic.objectives) yield id;
    for (const { id } of topic.blocks) yield id;
  }
}

const kindOf = (id: string): "topic" | "collection" | "block" | "objective" =>
  id.startsWith("t") ? "topic" : id.startsWith("c") ? "collection" : id.startsWith("o") ? "objective" : "block";

/** Pairs things by the first key that fits, then what is left by the next. */
function pairInSteps<Thing>(now: Thing[], before: Thing[], keys: ((thing: Thing) => string)[]): Map<Thing, Thing> {
  const pairs = new Map<Thing, Thing>();
  const used = new Set<Thing>();
  for (const key of keys) {
    const open = now.filter((thing) => !pairs.has(thing));
    const free = before.filter((thing) => !used.has(thing));
    for (const [one, other] of pairEqual(open, free, key)) {
      pairs.set(one, other);
      used.add(other);
    }
  }
  return pairs;
}

/** By id (the same file), then by title, then by what they hold: a renamed file keeps most of its blocks. */
function pairTopics(course: AuthoredCourse, previous: AuthoredCourse | null, known: Set<string>): Map<Topic, Topic> {
  const before = previous?.topics ?? [];
  const pairs = pairInSteps(course.topics, before, [
    (topic) => topic.id,
    (topic) => `${topic.slug}\n${topic.title}`,
    (topic) => topic.title,
  ]);
  const used = new Set(pairs.values());
  const open = course.topics.filter((topic) => !pairs.has(topic));
  const free = before.filter((topic) => !used.has(topic));
  const content = (topic: Topic): Set<string> => new Set(topic.blocks.map((block) => fingerprint(block, known)));
  for (const [now, then] of pairSimilar(open, free, content, 0.5)) pairs.set(now, then);
  return pairs;
}

function pairObjectives(now: Topic, before: Topic): Map<Objective, Objective> {
  const pairs = pairEqual(now.objectives, before.objectives, (objective) => objective.text);
  const used = new Set(pairs.values());
  const open = now.objectives.filter((objective) => !pairs.has(objective));
  const free = before.objectives.filter((objective) => !used.has(objective));
  for (const [one, other] of pairSimilar(open, free, (objective) => wordsOf(objective.text), 0.5)) pairs.set(one, other);
  return pairs;
}

/** The same block in the same topic, then the same block anywhere, then the most similar one of its type in the same topic. */
function pairBlocks(
  course: AuthoredCourse,
  previous: AuthoredCourse | null,
  topics: Map<Topic, Topic>,
  known: Set<string>,
): Map<Block, Block> {
  const pairs = new Map<Block, Block>();
  const used = new Set<Block>();
  const add = (found: Map<Block, Block>): void => {
    for (const [now, before] of found) {
      pairs.set(now, before);
      used.add(before);
    }
  };
  const open = (blocks: Block[]): Block[] => blocks.filter((block) => !pairs.has(block));
  const free = (blocks: Block[]): Block[] => blocks.filter((block) => !used.has(block));
  const key = (block: Block): string => fingerprint(block, known);
  for (const [now, before] of topics) add(pairEqual(now.blocks, before.blocks, key));
  const everywhere = (topicsOf: Topic[]): Block[] => topicsOf.flatMap((topic) => topic.blocks);
  add(pairEqual(open(everywhere(course.topics)), free(everywhere(previous?.topics ?? [])), key));
  for (const [now, before] of topics)
    for (const type of new Set(now.blocks.map((block) => block.type))) {
      const ofType = (blocks: Block[]): Block[] => blocks.filter((block) => block.type === type);
      add(pairSimilar(open(ofType(now.blocks)), free(ofType(before.blocks)), (block) => wordsOf(block.source), 0.4));
    }
  return pairs;
}

const linkedId = /(topic:|#)([A-Za-z0-9_-]{8,64})/g;

/** A block's content without the ids it links to: those may be the importer's own on one side and kept ones on the other. */
function fingerprint(block: Block, known: Set<string>): string {
  const source = withNamedIds(block, (id) => (known.has(id) ? "" : id)).replaceAll(linkedId, (whole, mark: string, id: string) =>
    known.has(id) ? mark : whole,
  );
  return `${block.type}\n${source}`;
}

/** The source of a block, with the ids in a question's header (`objective`, `about`) given by `to`. */
function withNamedIds({ type, source }: Block, to: (id: string) => string): string {
  if (type !== "core.question") return source;
  const end = source.indexOf("\n---", 3);
  const header = source.slice(0, end).replaceAll(/^(?:objective|about): .*$/gm, (line) => line.replaceAll(/[A-Za-z0-9_-]{8,64}(?!:)/g, to));
  return header + source.slice(end);
}

function rename(course: AuthoredCourse, ids: Map<string, string>): AuthoredCourse {
  const to = (id: string): string => ids.get(id) ?? id;
  const inSource = (block: Block): string =>
    withNamedIds(block, to).replaceAll(linkedId, (whole, mark: string, id: string) => {
      const renamed = ids.get(id);
      return renamed === undefined || renamed === id ? whole : `${mark}${renamed}`;
    });
  const refs = (list: Collection["children"]): Collection["children"] => list.map((ref) => ({ ...ref, id: to(ref.id) }));
  return {
    ...course,
    manifest: { ...course.manifest, root: refs(course.manifest.root) },
    collections: course.collections.map((collection) => ({ ...collection, id: to(collection.id), children: refs(collection.children) })),
    topics: course.topics.map((topic) => ({
      ...topic,
      id: to(topic.id),
      objectives: topic.objectives.map((objective) => ({ ...objective, id: to(objective.id) })),
      blocks: topic.blocks.map((block) => ({ ...block, id: to(block.id), source: inSource(block) })),
    })),
  };
}
