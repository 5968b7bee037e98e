import type { AuthoredCourse } from "../authored.ts";
import { sameValue } from "./units.ts";

/**
 * The draft with a path of its own for each picture that the live course has another one under: two who each paste an `image.png` begin from
 * the same free path. What the base had under a path already keeps it. The same draft where there is no such picture.
 */
export function withOwnPictures(base: AuthoredCourse | null, live: AuthoredCourse, draft: AuthoredCourse): AuthoredCourse {
  const before = new Set(base?.assets.map(({ path }) => path));
  const theirs = new Map(live.assets.map(({ path, sha256 }) => [path, sha256]));
  const taken = new Set([...theirs.keys(), ...draft.assets.map(({ path }) => path)]);
  const own = new Map<string, string>();
  for (const { path, sha256 } of draft.assets) {
    if (before.has(path) || (theirs.get(path) ?? sha256) === sha256) continue;
    const free = freePath(path, taken);
    taken.add(free);
    own.set(path, free);
  }
  if (own.size === 0) return draft;
  const written = new Map([...own].flatMap(([from, to]) => [[from, to] as const, [encodeURI(from), encodeURI(to)] as const]));
  const paths = [...written.keys()].map((path) => path.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const named = new RegExp(`(?<![\\p{L}\\p{N}_./@+-])(?:${paths.join("|")})(?![\\p{L}\\p{N}_/@+-]|\\.[\\p{L}\\p{N}])`, "gu");
  const published = new Map(live.topics.map((topic) => [topic.id, topic]));
  const shown = new Set<string>();
  const topics = draft.topics.map((topic) => {
    // A text that both have alike shows what is published.
    if (sameValue(topic, published.get(topic.id))) return topic;
    const rewritten = (source: string): string =>
      source.replaceAll(named, (path) => {
        const to = written.get(path) ?? path;
        shown.add(decodeURI(to));
        return to;
      });
    return { ...topic, blocks: topic.blocks.map((block) => ({ ...block, source: rewritten(block.source) })) };
  });
  const assets = draft.assets.flatMap((asset) => {
    const path = own.get(asset.path);
    return path === undefined ? asset : shown.has(path) ? { ...asset, path } : [];
  });
  return { ...draft, topics, assets };
}

function freePath(path: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const free = path.replace(/(?:\.[^./]*)?$/, (ending) => `-${number}${ending}`);
    if (!taken.has(free)) return free;
  }
}
