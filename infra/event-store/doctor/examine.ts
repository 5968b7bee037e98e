import { AccessDeniedError, type EventStoreDBClient, jsonEvent, WrongExpectedVersionError } from "@eventstore/db-client";
import { addressError, addressParts } from "../address.ts";
import { type Connection, openConnection } from "../connection.ts";
import { lastPosition } from "../head.ts";
import { refusalOf } from "../refusal.ts";
import { lastScavenges } from "../scavenges.ts";
import { hasQuorum, type Member, readMembers, serverVersion } from "../server-calls.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";
import { greetingOf } from "./greeting.ts";
import { certificateFinding, clockFinding, roundTripFinding, scavengeFindings, versionFinding } from "./judge.ts";

const notReached = "host";
/** Round trips that are measured. */
const roundTrips = 7;
/** A revision that no stream reaches: a write that expects it is checked for its right and then refused. */
const noRevision = 1_000_000_000n;

/**
 * Asks an event store everything the program needs of it and writes nothing. Where it cannot be reached the examination ends with that.
 * @param isEmbedded it is the program's own, which removes deleted text at once
 */
export async function examineEventStore(url: string, { isEmbedded }: { isEmbedded: boolean }): Promise<Finding[]> {
  const wrong = addressError(url);
  if (wrong) return [failure("address", `EVENTSTORE_URL cannot be read: ${wrong}. See docs/run/stores.md.`)];
  const findings = await examineHosts(url, isEmbedded);
  if (findings.every(({ subject }) => subject === notReached)) return findings;
  const connection = openConnection(url);
  try {
    const version = await connection.attempt(serverVersion);
    findings.push(versionFinding(version));
    const members = connection.isCluster ? await connection.attempt(readMembers) : [];
    if (connection.isCluster) findings.push(clusterFinding(members));
    const rights = await examineRights(connection);
    findings.push(rights);
    if (rights.level === "failure") return findings;
    findings.push(await examineRoundTrip(connection));
    if (!isEmbedded) findings.push(...(await examineScavenges(connection, members)));
  } catch (error) {
    findings.push(failure("connection", reasonOf(error)));
  } finally {
    await connection.close();
  }
  return findings;
}

const reasonOf = (error: unknown): string => refusalOf(error) ?? (error instanceof Error ? error.message : String(error));

/** Each host of the address: whether it answers, its certificate, its clock. */
async function examineHosts(url: string, isEmbedded: boolean): Promise<Finding[]> {
  const parts = addressParts(url);
  const findings = await Promise.all(
    parts.hosts.map(async (host) => {
      const name = `${host.name}:${host.port}`;
      try {
        const { clockAheadMs, certificateEnds } = await greetingOf(host, parts);
        return [certificateFinding(name, { certificateEnds, isEmbedded }), ...clockFinding(name, clockAheadMs)];
      } catch (error) {
        // A cluster is well with a node less, and says so itself.
        return [(parts.hosts.length > 1 ? warning : failure)(notReached, `${name} does not answer: ${reasonOf(error)}`)];
      }
    }),
  );
  return findings.flat();
}

function clusterFinding(members: readonly Member[]): Finding {
  const alive = members.filter(({ isAlive, isVoter }) => isAlive && isVoter).length;
  const all = members.filter(({ isVoter }) => isVoter).length;
  if (!hasQuorum(members))
    return failure("cluster", `No leader with a majority behind it: ${alive} of ${all} nodes are alive. Start the others.`);
  return alive < all
    ? warning("cluster", `${alive} of ${all} nodes are alive. Start the others: with one less nothing may be written.`)
    : ok("cluster", `${all} nodes, all alive, with a leader`);
}

/** What the user may do. Nothing is written: the store checks a right before it looks at the expected revision, which no stream has. */
async function examineRights(connection: Connection): Promise<Finding> {
  const requiresLeader = connection.isCluster;
  const stream = `doctor-${crypto.randomUUID()}`;
  const event = () => jsonEvent({ type: "Looked", data: {} });
  const expected = { expectedRevision: noRevision, requiresLeader };
  const deeds: [string, (client: EventStoreDBClient) => Promise<unknown>][] = [
    ["read $all (grant it $r on $all)", (client) => lastPosition(connection, client)],
    ["write streams", (client) => client.appendToStream(stream, event(), expected)],
    ["write streams' metadata", (client) => client.appendToStream(`$$${stream}`, event(), expected)],
    ["delete streams", (client) => client.deleteStream(stream, expected)],
  ];
  const missing: string[] = [];
  for (const [name, deed] of deeds) {
    try {
      await connection.attempt(deed);
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) continue;
      if (!(error instanceof AccessDeniedError)) throw error;
      missing.push(name);
    }
  }
  return missing.length === 0
    ? ok("rights", "the user may read $all, and write and delete streams and their metadata")
    : failure("rights", `The user of EVENTSTORE_URL may not ${missing.join(", nor ")}. See docs/run/stores.md.`);
}

async function examineRoundTrip(connection: Connection): Promise<Finding> {
  const took: number[] = [];
  for (let trip = 0; trip < roundTrips; trip += 1) {
    const began = performance.now();
    await connection.attempt((client) => lastPosition(connection, client));
    took.push(performance.now() - began);
  }
  return roundTripFinding(took);
}

async function examineScavenges(connection: Connection, members: readonly Member[]): Promise<Finding[]> {
  try {
    return scavengeFindings(await connection.attempt((client) => lastScavenges(client, { requiresLeader: connection.isCluster })), members);
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    return [
      warning("scavenge", "The user may not read when the last scavenge was. Run this with the address of a member of $ops or $admins."),
    ];
  }
}
