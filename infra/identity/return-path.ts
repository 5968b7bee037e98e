const longest = 2_000;

/**
 * Where to go after signing in: a path of this site, or the fallback. Nothing that a browser could read as another site's
 * address gets through (`//host`, `/\host`, a scheme, control characters), and nothing that would sign in again.
 */
export function returnPath(value: unknown, fallback = "/ai"): string {
  if (typeof value !== "string" || value.length > longest || !/^\/(?![/\\])/.test(value)) return fallback;
  // Browsers drop tabs and line breaks inside addresses, so "/<tab>/host" would become "//host".
  if ([...value].some((character) => character <= " " || character === "\\" || character === "\u007f")) return fallback;
  const base = "http://colloquy.invalid";
  const url = URL.parse(value, base);
  if (url?.origin !== base || url.pathname.startsWith("//")) return fallback;
  if (/^\/(auth|oidc|api)(\/|$)/.test(url.pathname)) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
