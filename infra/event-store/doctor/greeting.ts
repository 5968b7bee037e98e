import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { AddressParts } from "../address.ts";

/** What a server tells anybody who connects. */
export interface Greeting {
  /** Its clock minus this machine's, in milliseconds, to a second or so; null when it does not tell the time. */
  clockAheadMs: number | null;
  /** When its certificate ends (milliseconds since 1970); null without TLS. */
  certificateEnds: number | null;
}

/** The header tells whole seconds: half of one on average. */
const halfSecondMs = 500;

/** Connects to one host. @throws Error of the connection, of TLS, or after `withinMs` */
export async function greetingOf(
  { name, port }: AddressParts["hosts"][number],
  { isTls, authorityFile }: Pick<AddressParts, "isTls" | "authorityFile">,
  withinMs = 3_000,
): Promise<Greeting> {
  const session = connect(`${isTls ? "https" : "http"}://${name}:${port}`, authorityFile ? { ca: readFileSync(authorityFile) } : {});
  const end = endOf(session);
  end.catch(() => undefined);
  const timer = setTimeout(() => session.destroy(new Error(`ETIMEDOUT: ${name} did not answer within ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([once(session, "connect"), end]);
    const request = session.request({ ":path": "/info" });
    // Whatever follows the header does not matter.
    request.on("error", () => undefined);
    const began = Date.now();
    const [{ date }] = (await Promise.race([once(request, "response"), end])) as [{ date?: string }];
    const between = (began + Date.now()) / 2;
    const { valid_to } = isTls ? (session.socket as TLSSocket).getPeerCertificate() : { valid_to: undefined };
    return {
      clockAheadMs: date === undefined ? null : Date.parse(date) + halfSecondMs - between,
      certificateEnds: valid_to === undefined ? null : Date.parse(valid_to),
    };
  } finally {
    clearTimeout(timer);
    session.destroy();
  }
}

/** Rejects when the connection ends: a port that expects TLS closes a plain one without an error. */
function endOf(session: ClientHttp2Session): Promise<never> {
  return new Promise((_resolve, reject) => {
    session.once("error", reject);
    session.once("close", () => reject(new Error("ECONNRESET: the port closed the connection")));
  });
}
