import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { asPublished } from "@colloquy/schemas/courses/order.ts";

/** A short name for what a course holds: the same for a draft and for what is published of it. */
export async function courseDigest(course: AuthoredCourse): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(asPublished(course), inOrder));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The order of fields does not count. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
