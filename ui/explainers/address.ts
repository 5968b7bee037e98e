/** Where the films of a topic are, one of them if it is named. @param of `<courseId>.<topicId>` */
export const explainerHref = (of: string, film?: string | null): string => `/ai?explainer=${of}${film ? `&film=${film}` : ""}`;
