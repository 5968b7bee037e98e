/** The address of a topic's videos, optionally of one. @param of `<courseId>.<topicId>` */
export const explainerHref = (of: string, film?: string | null): string => `/ai?explainer=${of}${film ? `&film=${film}` : ""}`;
