/** Where what renders leave behind is kept: named by its content, so that the same bytes stand there once. */
export const filmObjects = "films/";

export const filmObjectKey = (sha256: string): string => `${filmObjects}${sha256.slice(0, 2)}/${sha256}`;

/** The SHA-256 in such a key. */
export const sha256OfKey = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
