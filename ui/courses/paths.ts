/** An address without query and fragment. */
export const pathOf = (href: string): string => href.replace(/[?#].*$/s, "").replace(/(.)\/+$/, "$1");

/** Whether an address is a course page of this site. */
export const isCoursePage = (href: string): boolean => /^\/courses\/[^/?#]/.test(href);
