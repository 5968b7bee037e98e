import { lookup as systemLookup } from "node:dns";
import { Agent, request } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Networks that are nobody's on the internet (IANA's special-purpose registries): a server asked from outside never goes there. */
const special = new BlockList();
for (const network of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]) {
  const [address = "", length = ""] = network.split("/");
  special.addSubnet(address, Number(length), "ipv4");
}
/** What of IPv6 is given out to anybody at all, and the parts of it that lead elsewhere: to IPv4 addresses or to nobody. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
for (const [address, length] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const)
  special.addSubnet(address, length, "ipv6");

/** Whether an address is one of the internet's, not of this machine or of any network of its own. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, "ipv4");
    case 6:
      return global6.check(address, "ipv6") && !special.check(address, "ipv6");
    default:
      return false;
  }
}

type Lookup = typeof systemLookup;

interface Options {
  /** The most of an answer that is read. */
  bytes: number;
  /** Of the whole exchange. */
  ms: number;
  /** As `dns.lookup`. */
  lookup?: Lookup;
  /** Certificates to trust instead of the usual ones. */
  ca?: string;
  allows?: (address: string) => boolean;
}

/** Reads an address that somebody outside has named. @throws for any but https, any that leads into a network of our own, and what is too long or too slow */
export type PublicFetch = (
  url: string | URL,
  options?: { method?: string; headers?: HeadersInit; body?: Uint8Array | null; signal?: AbortSignal | null },
) => Promise<Response>;

/**
 * As `fetch`, for addresses that a client has named: they are judged by what their names resolve to, and the very address that was
 * judged is connected to, so that a name which resolves otherwise a moment later leads nowhere. Redirects are told, not followed.
 */
export function publicFetch({ bytes, ms, lookup = systemLookup, ca, allows = isPublicAddress }: Options): PublicFetch {
  const refused = (): Error => new Error("the address leads into a network that is not public");
  const judged: LookupFunction = (name, options, answer) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      // One that is not public among others that are is a trap rather than a mistake.
      if (error || !first || !found.every(({ address }) => allows(address))) answer(error ?? refused(), "", 0);
      else if (options.all) answer(null, found);
      else answer(null, first.address, first.family);
    });
  };
  // Connections of others were not judged: none is shared.
  const agent = new Agent({ keepAlive: false, lookup: judged, ca });

  return (asked, { method = "GET", headers, body = null, signal } = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(asked);
      const host = url.hostname.replace(/^\[|\]$/g, "");
      // Names alone are looked up: an address in the address itself is judged here.
      if (url.protocol !== "https:" || url.username || url.password || (isIP(host) && !allows(host))) return reject(refused());
      const signals = AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]);
      const sent = request(url, { method, agent, headers: Object.fromEntries(new Headers(headers)), signal: signals });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const parts: Buffer[] = [];
        let length = 0;
        response.on("data", (part: Buffer) => {
          length += part.length;
          if (length > bytes) sent.destroy(new Error("the answer is too long"));
          else parts.push(part);
        });
        response.once("error", reject);
        response.once("end", () => {
          const status = response.statusCode ?? 502;
          const given = new Headers();
          for (const [name, values] of Object.entries(response.headersDistinct))
            for (const value of values ?? []) given.append(name, value);
          const isEmpty = [204, 205, 304].includes(status);
          resolve(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: given }));
        });
      });
      sent.end(body);
    });
}
