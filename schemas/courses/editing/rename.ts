import type { AuthoredCourse, Block, ContainerRef, Topic } from "../authored.ts";
import { idPattern } from "../field-rules.ts";
import { linksOf } from "../markdown-text.ts";
import { type Mint, within } from "./edit.ts";
import { withHeaderIds } from "./question-source.ts";

/** From an id that was published to the one it has now. */
export interface RenamedId {
  from: string;
  to: string;
}

/** What is published, and the renames that a draft has made since. */
interface Known {
  readonly baseCourse: AuthoredCourse;
  readonly renamedIds: readonly RenamedId[];
}

/**
 * Gives a topic or collection another id, and with it everything it holds, because the ids of blocks and objectives (by which notes,
 * progress and review items are kept) belong to their container: those that begin with the old id begin with the new one afterwards,
 * others are minted. Links are mended in the whole course.
 * @param published an id of it goes to what had it there and to nothing else: what readers keep under it would be mixed up
 * @returns null where `from` is no topic or collection, or `to` is no id, is taken, or was published for something else.
 */
export function renameContainer(
  course: AuthoredCourse,
  from: string,
  to: string,
  mint: Mint,
  published?: Known,
): { course: AuthoredCourse; renamedIds: RenamedId[] } | null {
  const known = new Set(idsOf(course));
  const isContainer = [...course.topics, ...course.collections].some(({ id }) => id === from);
  const belongsElsewhere = published ? ownedElsewhere(published) : () => false;
  if (!isContainer || known.has(to) || !idPattern.test(to) || belongsElsewhere(to, from)) return null;
  const present = new Map([[from, to]]);
  const contained = within(course, from);
  const rename = (id: string): void => {
    if (present.has(id)) return;
    const scoped = id.startsWith(`${from}-`) ? to + id.slice(from.length) : "";
    const fits = idPattern.test(scoped) && !known.has(scoped) && !belongsElsewhere(scoped, id);
    const given = fits ? scoped : mint();
    known.add(given);
    present.set(id, given);
  };
  for (const collection of course.collections) if (contained.has(collection.id)) rename(collection.id);
  for (const topic of course.topics) {
    if (!contained.has(topic.id)) continue;
    rename(topic.id);
    for (const { id } of [...topic.objectives, ...topic.blocks]) rename(id);
  }
  return {
    course: withIds(course, (id) => present.get(id) ?? id),
    renamedIds: [...present].map(([old, now]) => ({ from: old, to: now })),
  };
}

/** Whether an id was published for something else than what has another id now. */
function ownedElsewhere({ baseCourse, renamedIds }: Known): (id: string, now: string) => boolean {
  const published = publishedIds(baseCourse);
  const first = new Map(renamedIds.map(({ from, to }) => [to, from]));
  return (id, now) => published.has(id) && (first.get(now) ?? now) !== id;
}

/**
 * Renames one after the other as one list: what was renamed twice leads from its first id to its last, and what came back to its first
 * id is no rename. What is not in the course any more is left out: it was deleted.
 * @param held for many courses that share their parts
 */
export function composedRenames(
  earlier: readonly RenamedId[],
  later: readonly RenamedId[],
  course: AuthoredCourse,
  held: HeldIds = heldAmong(earlier, later),
): RenamedId[] {
  if (earlier.length === 0 && later.length === 0) return [];
  const next = new Map(later.map(({ from, to }) => [from, to]));
  const known = held(course);
  const first = earlier.map(({ from, to }) => ({ from, to: next.get(to) ?? to }));
  const continued = new Set(earlier.map(({ to }) => to));
  const fresh = later.filter(({ from }) => !continued.has(from));
  return [...first, ...fresh].filter(({ from, to }) => from !== to && known.has(to) && !known.has(from));
}

/** Which of the ids that renames name a course holds. */
export type HeldIds = (course: AuthoredCourse) => ReadonlySet<string>;

/** Looks into each topic once, for all the courses that share it, as the steps of a session do. */
export function heldAmong(...lists: (readonly RenamedId[])[]): HeldIds {
  const wanted = new Set(lists.flatMap((renames) => renames.flatMap(({ from, to }) => [from, to])));
  const inTopic = new WeakMap<Topic, readonly string[]>();
  const heldBy = (topic: Topic): readonly string[] => {
    const found = inTopic.get(topic) ?? [...idsOfTopic(topic)].filter((id) => wanted.has(id));
    inTopic.set(topic, found);
    return found;
  };
  return ({ collections, topics }) => new Set([...collections.map(({ id }) => id), ...topics.flatMap(heldBy)]);
}

const knownIds = new WeakMap<AuthoredCourse, ReadonlySet<string>>();

function publishedIds(base: AuthoredCourse): ReadonlySet<string> {
  const known = knownIds.get(base) ?? new Set(idsOf(base));
  knownIds.set(base, known);
  return known;
}

/**
 * The renames to publish with a draft over a revision: from what is in the revision alone to what is in the draft. What somebody else
 * deleted or renamed meanwhile is renamed no more, what is kept of it in a draft is new; and what the draft deleted is not renamed. One to
 * an id that the revision has for something else is told, too: the service refuses it, where silence would mix up what readers keep.
 * @param held for many drafts that share their parts
 */
export function renamesOver(
  base: AuthoredCourse,
  renames: readonly RenamedId[],
  draft: AuthoredCourse,
  held: HeldIds = heldAmong(renames),
): RenamedId[] {
  if (renames.length === 0) return [];
  const known = publishedIds(base);
  const present = held(draft);
  return renames.filter(({ from, to }) => known.has(from) && !present.has(from) && present.has(to));
}

/** Every id of a course but its own. */
export function* idsOf(course: AuthoredCourse): Generator<string> {
  for (const { id } of course.collections) yield id;
  for (const topic of course.topics) yield* idsOfTopic(topic);
}

function* idsOfTopic({ id, objectives, blocks }: Topic): Generator<string> {
  yield id;
  for (const one of objectives) yield one.id;
  for (const one of blocks) yield one.id;
}

function withIds(course: AuthoredCourse, now: (id: string) => string): AuthoredCourse {
  const refs = (list: ContainerRef[]): ContainerRef[] => list.map((ref) => ({ ...ref, id: now(ref.id) }));
  return {
    ...course,
    manifest: { ...course.manifest, root: refs(course.manifest.root) },
    collections: course.collections.map((one) => ({ ...one, id: now(one.id), children: refs(one.children) })),
    topics: course.topics.map((one) => ({
      ...one,
      id: now(one.id),
      objectives: one.objectives.map((each) => ({ ...each, id: now(each.id) })),
      blocks: one.blocks.map((block) => ({ ...withLinks(withHeader(block, now), now), id: now(block.id) })),
    })),
  };
}

/** Mends the objective and the blocks that a question names. */
const withHeader = (block: Block, now: (id: string) => string): Block =>
  block.type === "core.question" ? { ...block, source: withHeaderIds(block.source, now) } : block;

/** Mends `topic:<id>#<anchor>` and `#<anchor>` in the links of a block; the same words elsewhere are left as they are. */
function withLinks(block: Block, now: (id: string) => string): Block {
  if (block.type === "core.code" || (!block.source.includes("#") && !block.source.includes("topic:"))) return block;
  const lines = block.source.split("\n");
  let changed = false;
  for (const { href, line } of linksOf(block.source.replaceAll(/\r\n?/g, "\n"))) {
    const [, topic, anchor] = /^(?:topic:([A-Za-z0-9_-]+))?(?:#([A-Za-z0-9_-]+))?$/.exec(href) ?? [];
    const mended = (topic === undefined ? "" : `topic:${now(topic)}`) + (anchor === undefined ? "" : `#${now(anchor)}`);
    const text = lines[line - 1];
    if (text === undefined || mended === href || (topic === undefined && anchor === undefined)) continue;
    lines[line - 1] = replaceHref(text, href, mended);
    changed = true;
  }
  return changed ? { ...block, source: lines.join("\n") } : block;
}

/** Replaces an address where it stands as one: between what opens and what closes it. */
function replaceHref(text: string, href: string, to: string): string {
  return text.replaceAll(new RegExp(`(?<=[(<\\s])${href.replaceAll("-", "\\-")}(?=[)>\\s]|$)`, "g"), to);
}
