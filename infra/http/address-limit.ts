import type { IncomingMessage } from "node:http";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

const loopback = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * The address a request comes from: what the nearest proxy on this machine says, else the other end of the connection. Null for this
 * machine itself. What stands further left in `x-forwarded-for` anybody may have written.
 */
export function addressOf({
  socket,
  headers,
}: Pick<IncomingMessage, "headers"> & { socket: { remoteAddress?: string | undefined } }): string | null {
  const from = socket.remoteAddress ?? "";
  if (!loopback.test(from)) return from || null;
  const said = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",").at(-1)?.trim();
  return said && !loopback.test(said) ? said : null;
}

/** Addresses of one network count as one where they are many: a home has a /64 of IPv6. */
export const networkOf = (address: string): string => {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [before = "", after] = address.split("%", 1)[0]?.split("::") ?? [];
  const groups = before.split(":").filter(Boolean);
  const rest = after === undefined ? [] : after.split(":").filter(Boolean);
  const whole =
    after === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill("0"), ...rest];
  return whole.slice(0, 4).join(":");
};

/** Counts a request; gives back the seconds to wait where its address has sent too many, else null. */
export type AddressLimit = (request: IncomingMessage) => Promise<number | null>;

/** A best-effort limit of this process. `perMinute` 0: none. Requests of this machine itself are not counted. */
export function perAddress(perMinute: number): AddressLimit {
  if (perMinute === 0) return async () => null;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (request) => {
    const address = addressOf(request);
    if (address === null) return null;
    try {
      await limiter.consume(networkOf(address));
      return null;
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      return Math.ceil(rejected.msBeforeNext / 1_000);
    }
  };
}
