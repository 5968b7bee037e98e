/** An address without query and fragment. */
export const pathOf = (href: string): string => href.replace(/[?#].*$/s, "").replace(/(.)\/+$/, "$1");

/** Whether an address is a course page of this site. */
export const isCoursePage = (href: string): boolean => /^\/courses\/[^/?#]/.test(href);

interface Reference {
  href: string;
  sourceId?: string | undefined;
}

/** Whether a reference leads to the same place as another, newer one; its address may have changed since. */
export const isSamePlace = (one: Reference, other: Reference): boolean =>
  one.href === other.href || (one.sourceId !== undefined && one.sourceId === other.sourceId);
