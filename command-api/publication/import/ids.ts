import { createHash } from "node:crypto";

/**
 * An id that follows from what it is given, for things whose authors gave them none: the same parts, the same id.
 * Topics and collections take the path of their file, blocks and objectives their content.
 */
export function idFrom(kind: "topic" | "collection" | "block" | "objective", ...parts: string[]): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([kind, ...parts]))
    .digest("hex");
  return `${kind[0]}-${hash.slice(0, 20)}`;
}
