import { status } from "@grpc/grpc-js";

/**
 * What an event store, or the way to it, refuses: each in a sentence that says what to do. They name no address and no user, so they may be
 * shown to anybody.
 */
const sentences = {
  credentials:
    "The event store refuses the user name or the password in EVENTSTORE_URL. Correct them. A server that has just been installed may refuse the right ones for a few seconds.",
  rights: "The event store's user lacks a right. It needs to read $all and to read and write streams; see docs/run/stores.md.",
  authority: "The event store's certificate is by an authority that is not known here. Name its file as tlsCAFile in EVENTSTORE_URL.",
  certificateName: "The event store's certificate is for another host name than the one in EVENTSTORE_URL.",
  certificateExpired: "The event store's certificate has expired. Renew it, and check the clocks of both machines.",
  plain: "The event store does not use TLS, or something else answers at its port. Check tls and the port in EVENTSTORE_URL.",
  closed: "The event store's port closes the connection. If it uses TLS, write tls=true in EVENTSTORE_URL.",
  nothingListens: "Nothing listens at the address in EVENTSTORE_URL. Start the event store, or correct host and port.",
  unknownHost: "The host name in EVENTSTORE_URL is not known. Correct it, or the name service.",
  noLeader: "The event store is starting, or its cluster has no leader. Check its nodes if this lasts.",
  noQuorum: "Fewer than half of the event store's nodes stand, so nothing can be saved. Start the others.",
  tooSlow: "The event store dropped a subscription that read too slowly. It goes on from where it was.",
  cannotStart: "The event store cannot begin at the position that was asked for.",
} as const;

/** The sentence for an error of the official client or of the connection, or for the cause of one of ours; null for any other error. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  const text = error.message;
  const kind = kindOf(code, text);
  return kind ? sentences[kind] : refusalOf(error.cause);
}

const forOperators: readonly string[] = [
  sentences.credentials,
  sentences.rights,
  sentences.authority,
  sentences.certificateName,
  sentences.certificateExpired,
  sentences.plain,
];
/** Whether a sentence is about something that only an operator can put right. */
export const needsOperator = (sentence: string): boolean => forOperators.includes(sentence);

function kindOf(code: unknown, text: string): keyof typeof sentences | null {
  if (code === status.UNAUTHENTICATED) return "credentials";
  if (code === status.PERMISSION_DENIED || /access denied/i.test(text)) return "rights";
  if (code === status.ABORTED && /too slow/i.test(text)) return "tooSlow";
  if (code === status.UNKNOWN && notThere.test(text)) return "cannotStart";
  if (/no quorum/i.test(text) || text === sentences.noQuorum) return "noQuorum";
  if (/not ready|no leader|leader info available|not leader/i.test(text)) return "noLeader";
  if (/altnames|hostname.*certificate/i.test(text)) return "certificateName";
  if (/certificate has expired|CERT_HAS_EXPIRED/i.test(text)) return "certificateExpired";
  if (/self.signed|unable to (verify|get).*(certificate|issuer)|unknown authority/i.test(text)) return "authority";
  if (/wrong version number|packet length too long|EPROTO|ssl routines/i.test(text)) return "plain";
  if (/ECONNREFUSED/.test(text)) return "nothingListens";
  if (/ENOTFOUND|EAI_AGAIN|name resolution/i.test(text)) return "unknownHost";
  if (/ECONNRESET|protocol error/i.test(text)) return "closed";
  return null;
}

const notThere = /Unexpected ReadAllResult|Exception was thrown by handler|no record at position/i;

/** Whether the server has no record at the position from which it was to read. */
export const isNotThere = (failure: unknown): boolean =>
  failure instanceof Error && (failure as { code?: unknown }).code === status.UNKNOWN && notThere.test(failure.message);

/** Whether the server answered, though with an error: its connection is well, and other calls on it go on. */
export function isAnswer(failure: unknown): boolean {
  const answered: unknown[] = [
    status.UNAUTHENTICATED,
    status.PERMISSION_DENIED,
    status.ABORTED,
    status.FAILED_PRECONDITION,
    status.INVALID_ARGUMENT,
    status.RESOURCE_EXHAUSTED,
    status.UNIMPLEMENTED,
  ];
  return failure instanceof Error && (answered.includes((failure as { code?: unknown }).code) || isNotThere(failure));
}
