import type { IncomingMessage } from "node:http";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { trustedProxies } from "./trusted-proxies.ts";

const ofThisMachine = trustedProxies([]);

/**
 * The address a request comes from: the nearest one that is no trusted proxy's. Null for this machine itself. What stands further left in
 * `x-forwarded-for` anybody may have written.
 */
export function clientAddress(
  {
    socket,
    headers,
  }: Pick<IncomingMessage, "headers"> & {
    socket: { remoteAddress?: string | undefined };
  },
  trusted: (address: string) => boolean = ofThisMachine,
): string | null {
  const said = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const chain = [...said.map((address) => address.trim()).filter(Boolean), socket.remoteAddress ?? ""];
  const from = chain.findLast((address) => !trusted(address)) ?? chain[0] ?? "";
  return from === "" || ofThisMachine(from) ? null : from;
}

/** Addresses of one network count as one where they are many: a home has a /64 of IPv6. */
export const networkPrefix = (address: string): string => {
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

/** A best-effort limit of this process. `perMinute` 0: none. `proxies`: who is believed besides this machine. Requests of this machine itself are not counted. */
export function rateLimitPerAddress(perMinute: number, proxies: readonly string[] = []): AddressLimit {
  if (perMinute === 0) return async () => null;
  const trusted = trustedProxies(proxies);
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (request) => {
    const address = clientAddress(request, trusted);
    if (address === null) return null;
    try {
      await limiter.consume(networkPrefix(address));
      return null;
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      return Math.ceil(rejected.msBeforeNext / 1_000);
    }
  };
}
