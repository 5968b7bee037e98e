import type { AuthoredCourse, Collection, Topic } from "../authored.ts";

/** What is compared and chosen as a whole when two people changed a course: its manifest, a topic, a collection. */
export type Unit =
  | { kind: "manifest"; manifest: AuthoredCourse["manifest"] }
  | { kind: "topic"; topic: Topic }
  | { kind: "collection"; collection: Collection };

export type UnitKey = "manifest" | `topic:${string}` | `collection:${string}`;

/** What became of a unit on one side since the base; `absent` where it neither was nor is, `unknown` where the base is lost. */
export type SideChange = "unchanged" | "changed" | "added" | "deleted" | "absent" | "unknown";

export interface UnitComparison {
  key: UnitKey;
  kind: Unit["kind"];
  /** Of the topic or collection; null for the manifest. */
  id: string | null;
  /** As readers see it now, or as it was called last. */
  title: string;
  base: Unit | null;
  live: Unit | null;
  draft: Unit | null;
  published: SideChange;
  own: SideChange;
  /** `same`: neither side changed it. `alike`: both did, in the same way. `both`: in different ways, or nobody knows which did, so somebody has to choose. */
  state: "same" | "published" | "draft" | "alike" | "both";
}

/** Which side of a unit to take. */
export type Choice = "published" | "draft";

/**
 * Compares a draft with the revision it began from and the live one, unit by unit: the manifest first, then in the order of the draft,
 * then what only the published course has.
 * @param base null where that revision is lost: whatever differs then has to be chosen
 */
export function compareCourses(base: AuthoredCourse | null, live: AuthoredCourse, draft: AuthoredCourse): UnitComparison[] {
  const [inLive, inDraft] = [unitsOf(live), unitsOf(draft)];
  if (!base) {
    const keys = new Set([...inDraft.keys(), ...inLive.keys()]);
    return [...keys].map((key) => withoutBase(key, inLive.get(key) ?? null, inDraft.get(key) ?? null));
  }
  const inBase = unitsOf(base);
  const keys = new Set([...inDraft.keys(), ...inLive.keys(), ...inBase.keys()]);
  return [...keys].map((key) => comparison(key, inBase.get(key) ?? null, inLive.get(key) ?? null, inDraft.get(key) ?? null));
}

/** The side that nobody has to be asked about: the only one that changed the unit. Null where both did, in different ways. */
export function preselected({ state }: Pick<UnitComparison, "state">): Choice | null {
  if (state === "both") return null;
  return state === "published" ? "published" : "draft";
}

type Units = Map<UnitKey, Unit>;

/** The units of a course, the manifest first. */
function unitsOf({ manifest, collections, topics }: AuthoredCourse): Units {
  return new Map<UnitKey, Unit>([
    ["manifest", { kind: "manifest", manifest }],
    ...collections.map((collection): [UnitKey, Unit] => [`collection:${collection.id}`, { kind: "collection", collection }]),
    ...topics.map((topic): [UnitKey, Unit] => [`topic:${topic.id}`, { kind: "topic", topic }]),
  ]);
}

function comparison(key: UnitKey, base: Unit | null, live: Unit | null, draft: Unit | null): UnitComparison {
  const published = sideChange(base, live);
  const own = sideChange(base, draft);
  const quiet = (change: SideChange): boolean => change === "unchanged" || change === "absent";
  const state = sameValue(live, draft) ? (quiet(own) ? "same" : "alike") : quiet(published) ? "draft" : quiet(own) ? "published" : "both";
  return { base, live, draft, published, own, state, ...namesOf(key, live ?? draft ?? base) };
}

function withoutBase(key: UnitKey, live: Unit | null, draft: Unit | null): UnitComparison {
  const state = sameValue(live, draft) ? "same" : "both";
  return { base: null, live, draft, published: "unknown", own: "unknown", state, ...namesOf(key, live ?? draft) };
}

const namesOf = (key: UnitKey, unit: Unit | null): Pick<UnitComparison, "key" | "kind" | "id" | "title"> => ({
  key,
  kind: unit?.kind ?? "manifest",
  id: key === "manifest" ? null : key.slice(key.indexOf(":") + 1),
  title: unit ? titleOf(unit) : "",
});

function sideChange(base: Unit | null, side: Unit | null): SideChange {
  if (!base) return side ? "added" : "absent";
  if (!side) return "deleted";
  return sameValue(base, side) ? "unchanged" : "changed";
}

const titleOf = (unit: Unit): string =>
  unit.kind === "topic" ? unit.topic.title : unit.kind === "collection" ? unit.collection.title : unit.manifest.title;

/** Whether two courses hold the same: what makes publishing one after the other pointless. */
export const sameCourse = (one: AuthoredCourse, other: AuthoredCourse): boolean => sameValue(one, other);

/** Whether two JSON values are alike; a field that is undefined counts as absent, the order of fields does not count. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return false;
  for (const field of fields) if (!sameValue(a[field], b[field])) return false;
  return true;
}
