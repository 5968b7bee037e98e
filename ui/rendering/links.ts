/** What may stand in an `href`. Anything else is shown as text. */
const external = /^(?:https?:\/\/[^\s/]|mailto:[^\s])/i;
/** A path of our own site or a place on the page. `//host` and `/\host` would leave the site. */
const internal = /^(?:\/(?![/\\])|#|\?)/;
/** Browsers drop these inside an address, so `java\nscript:` would be a scheme again. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hidden = /[\u0000-\u001f\u007f\u200b-\u200f\u2028\u2029\ufeff]/;

export interface Target {
  href: string;
  external: boolean;
}

/** Checks the scheme of an address. @returns null if it is not allowed */
export function safeTarget(href: string): Target | null {
  const address = href.trim();
  if (hidden.test(address)) return null;
  if (external.test(address)) return { href: address, external: true };
  if (internal.test(address)) return { href: address, external: false };
  return null;
}

/** The same for a template: the address, or undefined if it is not allowed. Defence in depth: addresses come from our own service. */
export const safeHref = (href: string): string | undefined => safeTarget(href)?.href;

/** Resolves an address (paths, `topic:` addresses) and checks the result. */
export function linkTarget(href: string, resolve?: (href: string) => string | null): Target | null {
  if (external.test(href)) return safeTarget(href);
  const resolved = resolve ? resolve(href) : href;
  return resolved === null ? null : safeTarget(resolved);
}

/** The host of an http(s) address, for the words of a placeholder. */
export function hostOf(address: string): string {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(address)?.[1]?.toLowerCase() ?? "";
}
