import { inLatinLetters } from "./latin-letters.ts";

/** One segment of a page's address: lower-case letters and digits, parted by single hyphens. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** First segments of a course's addresses that are not for topics and collections: the product may need them itself. */
export const reservedSlugs: readonly string[] = ["api", "assets", "draw", "edit", "revisions", "search"];

/** Slugs made of titles are shorter than what may be typed, so that addresses stay readable. */
const madeLength = 60;

/**
 * One segment of an address from a file's name or a title: lower-case ASCII letters and digits, parted by hyphens, at most 60. Scripts that
 * have no common writing in Latin letters give `page`.
 */
export function slugFrom(name: string): string {
  const slug = inLatinLetters(name)
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, madeLength)
    .replace(/-+$/, "");
  return slug || "page";
}

/** Whether a slug is one that `freeSlug` makes of a title, and not one that somebody thought of. */
export function isSlugOf(slug: string, title: string): boolean {
  const made = slugFrom(title);
  return slug === made || slug.replace(/-\d+$/, "") === made;
}

/** A slug made of a title that no neighbour has: `pipes`, `pipes-2`, … @param taken slugs of the neighbours */
export function freeSlug(title: string, taken: Iterable<string>, atRoot: boolean): string {
  const used = new Set(atRoot ? [...taken, ...reservedSlugs] : taken);
  const wanted = slugFrom(title);
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!used.has(slug)) return slug;
  }
}
