import type { Scavenged } from "../scavenges.ts";
import type { Member } from "../server-calls.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

/** What the answers of an event store mean. Pure. */

/** The lowest version that the program supports. */
const lowestVersion = "23.10";
const dayMs = 24 * 60 * 60 * 1_000;
/** Deleted text must not stay longer than this. */
const scavengeWithinMs = 7 * dayMs;
const certificateWarnsMs = 30 * dayMs;
/** A clock further off makes times in the interface wrong and certificates doubtful. */
const clockWithinMs = 5_000;
const slowTripMs = 20;

export function versionFinding(version: string): Finding {
  const parts = version.split(".").map(Number);
  if (parts.length < 2 || parts.some(Number.isNaN))
    return warning("version", `The server calls its version ${JSON.stringify(version)}; ${lowestVersion} or newer is needed.`);
  const [major = 0, minor = 0] = parts;
  const [leastMajor = 0, leastMinor = 0] = lowestVersion.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? ok("version", `${version} (${lowestVersion} or newer is needed)`)
    : failure("version", `${version} is older than ${lowestVersion}, the lowest that is supported. Upgrade the server.`);
}

export function certificateFinding(
  host: string,
  { certificateEnds, isEmbedded }: { certificateEnds: number | null; isEmbedded: boolean },
  now = Date.now(),
): Finding {
  if (certificateEnds === null)
    return isEmbedded
      ? ok("connection", `${host}, on this machine, without TLS`)
      : warning("connection", `${host} is reached without TLS. Use tls=true unless nobody else can read this network.`);
  const until = new Date(certificateEnds).toISOString().slice(0, 10);
  return certificateEnds - now < certificateWarnsMs
    ? warning("connection", `The certificate of ${host} ends on ${until}. Renew it.`)
    : ok("connection", `${host}, with TLS; its authority is known, its certificate ends on ${until}`);
}

/** Nothing for a server that does not tell the time. */
export function clockFinding(host: string, aheadMs: number | null): Finding[] {
  if (aheadMs === null) return [];
  const off = `${(Math.abs(aheadMs) / 1_000).toFixed(0)} s ${aheadMs < 0 ? "behind" : "ahead of"}`;
  return [
    Math.abs(aheadMs) <= clockWithinMs
      ? ok("clock", `${host} agrees with this machine`)
      : warning("clock", `The clock of ${host} is ${off} this machine's. Keep both right, with NTP for instance.`),
  ];
}

export function roundTripFinding(tookMs: readonly number[]): Finding {
  // The fastest: a busy machine makes the others slow.
  const best = Math.min(...tookMs);
  const text = `${best.toFixed(1)} ms to the store and back at best`;
  return best <= slowTripMs
    ? ok("round trip", text)
    : warning("round trip", `${text}. Every command waits for several of them: put the program nearer to the store.`);
}

/** One for each node of a cluster that was not scavenged within a week, because a scavenge cleans one node only. */
export function scavengeFindings(
  last: readonly Scavenged[],
  members: readonly Pick<Member, "name" | "port">[],
  now = Date.now(),
): Finding[] {
  const advice = "It keeps deleted text until then. Run: npm run eventstore:scavenge";
  const late = (node: string, at: number | null): Finding[] => {
    if (at !== null && now - at <= scavengeWithinMs) return [];
    const since = at === null ? "no scavenge that is still recorded" : `its last scavenge ${Math.floor((now - at) / dayMs)} days ago`;
    return [warning("scavenge", `${node} had ${since}. ${advice}`)];
  };
  const newest = Math.max(...last.map(({ at }) => at));
  const findings =
    members.length > 1
      ? members.map(({ name, port }) => `${name}:${port}`).flatMap((node) => late(node, last.find((one) => one.node === node)?.at ?? null))
      : late("The store", last.length > 0 ? newest : null);
  return findings.length > 0 ? findings : [ok("scavenge", `last on ${new Date(newest).toISOString().slice(0, 10)}`)];
}
