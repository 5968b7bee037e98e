import type { Asset, AuthoredCourse, Collection, ContainerRef, Topic } from "../authored.ts";
import { type Remark, remark } from "../remarks.ts";
import { type Mint, within } from "./edit.ts";
import { withKeptBlocks } from "./kept-blocks.ts";
import { withOwnPictures } from "./own-pictures.ts";
import { withOwnSlugs } from "./own-slugs.ts";
import { type Choice, compareCourses, preselected, type Unit, type UnitComparison, type UnitKey } from "./units.ts";

export interface Sides {
  /** What the draft began from; null where that is lost. */
  base: AuthoredCourse | null;
  live: AuthoredCourse;
  draft: AuthoredCourse;
}

export interface Merged {
  course: AuthoredCourse;
  /** What had to be put right so that the chosen units fit together, in words for the author. */
  notes: Remark[];
}

/**
 * The course that the choices make. Chosen units need not fit together, so this puts them right and says so: a topic or collection that no
 * chosen container lists goes where it stood on its own side, or to the end of the course; what stands twice keeps its first place; a
 * block whose id another chosen topic has, too, stays and gets a new id; one that nobody deleted and no chosen topic has goes back; neighbours
 * with one address get two. No text that was chosen is ever left out, and each shows its own side's pictures.
 * @param choices for units that are not named, the side that is `preselected`, or else the published one
 */
export function mergeCourses({ base, live, draft }: Sides, choices: ReadonlyMap<UnitKey, Choice>, mint: Mint): Merged {
  const sides = { base, live, draft: withOwnPictures(base, live, draft) };
  const notes: Remark[] = [];
  const chosen = compareCourses(sides.base, sides.live, sides.draft).flatMap((compared): [UnitComparison, Unit][] => {
    const choice = choices.get(compared.key) ?? preselected(compared) ?? "published";
    const unit = choice === "draft" ? compared.draft : compared.live;
    return unit ? [[compared, unit]] : [];
  });
  let manifest = sides.live.manifest;
  const collections: Collection[] = [];
  const topics: Topic[] = [];
  for (const [, unit] of chosen) {
    if (unit.kind === "manifest") manifest = unit.manifest;
    else if (unit.kind === "topic") topics.push(unit.topic);
    else collections.push(unit.collection);
  }
  const placed = withPlaces({ manifest, collections, topics, assets: [] }, [sides.draft, sides.live], notes);
  const whole = { ...placed, topics: withKeptBlocks(withOwnBlocks(placed.topics, mint, notes), sides, notes) };
  const course = withOwnSlugs(whole, sides.live, notes);
  return { course: { ...course, assets: mergedAssets(sides, course) }, notes };
}

/** Every unit in one place, and the root leading to all of them. */
function withPlaces(course: AuthoredCourse, sides: readonly AuthoredCourse[], notes: Remark[]): AuthoredCourse {
  const titles = new Map([...course.topics, ...course.collections].map(({ id, title }) => [id, title]));
  const kinds = new Map<string, ContainerRef["kind"]>([
    ...course.topics.map(({ id }) => [id, "topic"] as const),
    ...course.collections.map(({ id }) => [id, "collection"] as const),
  ]);
  const containers = new Map<string | null, ContainerRef[]>([[null, course.manifest.root]]);
  for (const { id, children } of course.collections) containers.set(id, children);
  const reached = new Set<string>();
  const kept = new Map<string | null, ContainerRef[]>();
  const walk = (container: string | null): void => {
    const own: ContainerRef[] = [];
    kept.set(container, own);
    for (const ref of containers.get(container) ?? []) {
      if (kinds.get(ref.id) !== ref.kind || reached.has(ref.id)) continue;
      reached.add(ref.id);
      own.push(ref);
      if (ref.kind === "collection") walk(ref.id);
    }
  };
  walk(null);
  for (const [id, kind] of kinds) {
    if (reached.has(id)) continue;
    const home = homeOf(id, sides, kept);
    reached.add(id);
    kept.get(home)?.push({ kind, id });
    const title = titles.get(id) ?? "";
    notes.push(home === null ? remark("merged-to-course", { title }) : remark("merged-to-part", { title, home: titles.get(home) ?? "" }));
    if (kind === "collection") walk(id);
  }
  return {
    ...course,
    manifest: { ...course.manifest, root: kept.get(null) ?? [] },
    collections: course.collections.map((collection) => ({ ...collection, children: kept.get(collection.id) ?? [] })),
  };
}

/** The container something had on either side, where that is in the result and reached; the course itself otherwise. */
function homeOf(id: string, sides: readonly AuthoredCourse[], kept: ReadonlyMap<string | null, unknown>): string | null {
  for (const side of sides) {
    const home = side.collections.find(({ children }) => children.some((ref) => ref.id === id))?.id;
    if (home !== undefined && kept.has(home) && !within(side, id).has(home)) return home;
  }
  return null;
}

/** A block moved on one side and kept on the other may stand in two chosen topics; so may an objective. */
function withOwnBlocks(topics: readonly Topic[], mint: Mint, notes: Remark[]): Topic[] {
  const taken = new Set<string>();
  return topics.map((topic) => {
    const own = <Part extends { id: string }>(part: Part): Part => {
      if (!taken.has(part.id)) {
        taken.add(part.id);
        return part;
      }
      notes.push(remark("merged-copy", { title: topic.title }));
      return { ...part, id: mint() };
    };
    return { ...topic, objectives: topic.objectives.map(own), blocks: topic.blocks.map(own) };
  });
}

/** The files of both sides; of one that both changed the draft's; of one a side deleted, only what the result still names. */
function mergedAssets({ base, live, draft }: Sides, { topics }: Pick<AuthoredCourse, "topics">): Asset[] {
  const byPath = (course: AuthoredCourse | null) => new Map(course?.assets.map((asset) => [asset.path, asset]));
  const [before, published, own] = [byPath(base), byPath(live), byPath(draft)];
  const isNamed = (path: string): boolean =>
    topics.some(({ blocks }) => blocks.some(({ source }) => source.includes(path) || source.includes(encodeURI(path))));
  return [...new Set([...published.keys(), ...own.keys()])].flatMap((path) => {
    const [old, theirs, mine] = [before.get(path), published.get(path), own.get(path)];
    const asset = mine && theirs ? (old && mine.sha256 === old.sha256 ? theirs : mine) : (mine ?? theirs);
    const deleted = old !== undefined && !(mine && theirs);
    return asset && (!deleted || isNamed(path)) ? [asset] : [];
  });
}
