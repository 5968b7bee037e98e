import { type Metadata, ServerCredentials, type ServerInterceptor } from "@grpc/grpc-js";
import { parseMetadata } from "../metadata.ts";
import type { Store } from "../store.ts";
import { metastreamOf } from "../streams.ts";
import { type AccessLists, mayAccess, type Operation, settingsStream } from "./access.ts";
import { authenticating } from "./authenticate.ts";
import { serverCertificate } from "./certificate.ts";
import { type Caller, openUsers } from "./users.ts";

/** Asked by each service before it does anything for a call, which it names by the metadata it came with. */
export interface Guard {
  may(call: Metadata, deed: Operation, stream: string): boolean;
}

export interface Security {
  credentials: ServerCredentials;
  interceptors: ServerInterceptor[];
  guard: Guard;
}

/** Without TLS everybody who reaches the port may do everything, as in EventStoreDB's insecure mode. */
export const noSecurity = (): Security => ({
  credentials: ServerCredentials.createInsecure(),
  interceptors: [],
  guard: { may: () => true },
});

/** Calls that a server refuses at its start though their credentials are right, in strict mode. */
const refusedFirst = 3;

/** TLS, users and access control lists for a folder. Only whoever holds its lock may call it. */
export async function openSecurity(
  folder: string,
  dataDir: string,
  store: Pick<Store, "state" | "reader">,
  { refuseFirst = false } = {},
): Promise<Security> {
  const [{ certificate, key }, users] = await Promise.all([serverCertificate(folder), openUsers(folder, dataDir)]);
  const callers = new WeakMap<Metadata, Caller>();
  const lists = accessLists(store);
  return {
    credentials: ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }]),
    interceptors: [authenticating(users, callers, refuseFirst ? refusedFirst : 0)],
    guard: {
      may(call, deed, stream) {
        const caller = callers.get(call);
        return caller !== undefined && mayAccess(caller, deed, stream, lists);
      },
    },
  };
}

/** The lists as they stand in the store, read when they are asked for. */
function accessLists({ state: stateOf, reader }: Pick<Store, "state" | "reader">): AccessLists {
  const newest = (stream: string): Record<string, unknown> => {
    const state = stateOf(stream);
    const event = state && state.next > 0 ? reader.stream(stream, state, state.next - 1, true, 1).events[0] : undefined;
    return event ? parseMetadata(event.data) : {};
  };
  return { metadataOf: (stream) => newest(metastreamOf(stream)), settings: () => newest(settingsStream) };
}
