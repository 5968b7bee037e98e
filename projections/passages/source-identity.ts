import { createHash } from "node:crypto";
import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import type { Passage } from "@colloquy/schemas/courses/revision.ts";

/** The id by which a place of a course is cited: the same in every revision, and opaque. */
export function sourceIdOf(courseId: string, entityId: string): string {
  const hash = createHash("sha256").update(`${courseId}\n${entityId}`).digest("base64url");
  return `s_${hash.slice(0, 22)}`;
}

/** Digests of the text of each source, by source id; equal text has an equal digest. */
export function sourceDigests(passages: readonly Pick<Passage, "sourceId" | "role" | "text">[]): Map<string, string> {
  const bySource = Map.groupBy(passages, ({ sourceId }) => sourceId);
  return new Map(
    [...bySource].map(([sourceId, own]) => {
      const hash = createHash("sha256");
      for (const { role, text } of own) hash.update(`${role}\n${text.length}\n${text}`);
      return [sourceId, hash.digest("hex")];
    }),
  );
}

/** The id of the objective that tutoring derives from a topic without objectives; the same for the same topic. */
export const derivedObjectiveId = (topicId: string): string => eventIdFrom("derived objective", topicId);
