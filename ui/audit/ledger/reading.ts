import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { RequestFailed } from "../../api/problems.ts";
import type { TutorApi } from "../../api/tutor.ts";
import { type CheckResult, checkLedger, entriesIn } from "./check.ts";

/** A session's ledger with the session that says what its ids stand for. */
export interface Reading {
  session: TutorSession;
  entries: EvidenceEntry[];
  /** The export, to the letter: what is checked. */
  text: string;
  /** Every session of its conversation; none when that cannot be told. */
  sessions: readonly TutorSessionSummary[];
}

type Reads = Pick<TutorApi, "session" | "sessions" | "ledger">;

/**
 * Reads a ledger by its session, or the newest one of a conversation.
 * @returns null when there is none for this account
 * @throws {RequestFailed}
 */
export async function readLedger(api: Reads, of: string, signal: AbortSignal): Promise<Reading | null> {
  const ofConversation = await api.sessions({ conversationId: of }, signal);
  const [newest] = ofConversation.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
  const found = await sessionOf(api, newest?.sessionId ?? of, signal);
  if (!found) return null;
  const { session, position } = found;
  const [text, sessions] = await Promise.all([
    api.ledger(session.sessionId, { after: position }, signal),
    api.sessions({ conversationId: session.conversationId }, signal).catch(() => []),
  ]);
  return { session, text, entries: entriesIn(text), sessions };
}

async function sessionOf(api: Reads, sessionId: string, signal: AbortSignal) {
  try {
    return await api.session(sessionId, {}, signal);
  } catch (error) {
    if (error instanceof RequestFailed && error.problem.code === "not_found") return null;
    throw error;
  }
}

/** What a check of a ledger came to; a browser that cannot do it, or keys that did not come, are said as such. */
export type Verdict = { kind: "checked"; found: CheckResult } | { kind: "no-cryptography" } | { kind: "no-keys" };

export async function verify({ text }: Reading, api: Pick<TutorApi, "ledgerKeys">, signal: AbortSignal): Promise<Verdict> {
  if (!globalThis.crypto?.subtle) return { kind: "no-cryptography" };
  const keys = await api.ledgerKeys(signal).catch(() => null);
  return keys ? { kind: "checked", found: await checkLedger(text, keys) } : { kind: "no-keys" };
}
