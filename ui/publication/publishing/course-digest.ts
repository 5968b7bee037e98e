import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { asPublished } from "@colloquy/schemas/courses/order.ts";

/** SHA-256 of a course's content: the same for a draft and its published form. */
export async function courseDigest(course: AuthoredCourse): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(asPublished(course), inOrder));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Makes the digest independent of field order. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
