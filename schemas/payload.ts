import { z } from "zod";
import { bounds } from "./bounds.ts";
import { textRules } from "./courses/field-rules.ts";

/** The version every body, response and frame carries. */
export const schemaVersion = 1;

/** A payload that crosses a wall: versioned, and without fields we do not know. */
export function payload<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ schemaVersion: z.literal(schemaVersion), ...shape });
}

/** An opaque id, minted as UUIDv7. */
export const id = z.string().regex(textRules.id.pattern, textRules.id.expected.message);

/** An RFC 3339 time in UTC. */
export const time = z.iso.datetime();

/** A commit position in the event store: a decimal string, because it may pass 2^53. */
export const position = z.string().regex(/^\d{1,20}$/, "expected a decimal position");

/** The query string of a request that has none. */
export const noQuery = z.strictObject({});

/** The query string of a read that has no other parameters: `after` waits until the read model holds that commit position. */
export const readQuery = z.strictObject({ after: position.optional() });

/** Adds the version to a value on its way out. */
export function versioned<T extends object>(value: T): { schemaVersion: 1 } & T {
  return { schemaVersion, ...value };
}

/**
 * A path on this site, with its query and anchor: what a link of ours may lead to. Never a scheme, never another host; nor what browsers
 * leave out of an address before they read it (tabs, line breaks) or take for a slash.
 */
export const localHref = z
  .string()
  .max(bounds.ask.hrefLength)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^\/(?!\/)[^\\\u0000-\u001f\u007f]*$/, "expected a path on this site");

/** The address of a source: a place in a published course, with the anchor of a block. */
export const sourceHref = z
  .string()
  .max(bounds.ask.hrefLength)
  .regex(
    new RegExp(`^/courses/[A-Za-z0-9_-]{${bounds.idLength.min},${bounds.idLength.max}}(?:/[a-z0-9-]+)*(?:#[A-Za-z0-9_-]+)?$`),
    "expected the address of a place in a course",
  );

/** The course that a source's address belongs to. */
export const courseOfHref = (href: string): string => href.split(/[/#]/, 3)[2] ?? "";
