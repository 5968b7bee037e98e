import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** Equal for equal content, whatever the order of its fields. */
export function digestOf(event: { type: string; data: object }): string {
  return createHash("sha256")
    .update(canonicalize({ type: event.type, data: event.data }) ?? "")
    .digest("base64");
}
