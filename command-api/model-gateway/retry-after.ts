import { bounds } from "@colloquy/schemas/bounds.ts";

/**
 * What a `Retry-After` header asks for (RFC 9110 §10.2.3: seconds or a date), in milliseconds from `now`, at most
 * `bounds.gateway.retryAfterMs`. Undefined for no header, nonsense, and a time that has passed.
 * @param now milliseconds since 1970
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (!Number.isFinite(wait) || wait <= 0) return undefined;
  return Math.min(wait, bounds.gateway.retryAfterMs);
}
