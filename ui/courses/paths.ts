/** The page an address leads to, without what only says where on it to look. */
export const pathOf = (href: string): string => href.replace(/[?#].*$/s, "").replace(/(.)\/+$/, "$1");

/** A page of a course or one of its parts, on this site. */
export const isCoursePage = (href: string): boolean => /^\/courses\/[^/?#]/.test(href);
