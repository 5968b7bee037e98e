import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { compareCourses } from "@colloquy/schemas/courses/editing/units.ts";
import type { PublishedAt } from "../revisions.ts";

/** The changes from one revision to the next, a line for each unit: `Pipes: changed (3 blocks)`. */
export function changesText(before: AuthoredCourse | null, after: AuthoredCourse): string[] {
  if (!before) return [`${after.topics.length} topics`];
  const changes = compareCourses(before, after, after).filter(({ own }) => own !== "unchanged" && own !== "absent");
  const lines = changes.map(({ kind, title, own, base, draft }) => {
    const name = kind === "manifest" ? "the course itself" : `${kind === "topic" ? "" : "collection "}${title}`;
    const old = base?.kind === "topic" ? new Map(base.topic.blocks.map((block) => [block.id, block])) : null;
    const now = draft?.kind === "topic" ? draft.topic.blocks : null;
    if (!old || !now) return `${name}: ${own}`;
    const touched = now.filter(({ id, source, type }) => old.get(id)?.source !== source || old.get(id)?.type !== type).length;
    const gone = [...old.keys()].filter((id) => !now.some((block) => block.id === id)).length;
    const counts = [touched > 0 && blocks(touched), gone > 0 && `${blocks(gone)} gone`].filter(Boolean).join(", ");
    return `${name}: ${own}${counts && ` (${counts})`}`;
  });
  const files = JSON.stringify(before.assets) === JSON.stringify(after.assets) ? [] : ["the list of pictures: changed"];
  return [...lines, ...files];
}

const blocks = (count: number): string => `${count} block${count === 1 ? "" : "s"}`;

/** A revision as one line, with its changes below. */
export function revisionText(
  { sequence, revisionId, at, publishedBy, title }: PublishedAt,
  live: boolean,
  changes: string[] | null,
): string {
  const head = `${String(sequence).padStart(5)}  ${at.slice(0, 19).replace("T", " ")}  ${publishedBy}  ${revisionId.slice(0, 12)}  ${title}${live ? "  (live)" : ""}`;
  const below = changes === null ? ["its objects are not all there"] : changes.length > 0 ? changes : ["nothing a reader sees"];
  return [head, ...below.map((line) => `         ${line}`)].join("\n");
}
