import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { RequestFailed } from "../../api/problems.ts";
import type { TutorApi } from "../../api/tutor.ts";
import { type CheckResult, checkLedger, entriesIn } from "./check.ts";

/** A session's ledger, with the session that resolves its ids. */
export interface Reading {
  session: TutorSession;
  entries: EvidenceEntry[];
  /** The export's exact text, for the check. */
  text: string;
  /** Every session of the conversation; empty if unknown. */
  sessions: readonly TutorSessionSummary[];
}

type Reads = Pick<TutorApi, "session" | "sessions" | "ledger">;

/**
 * Reads a ledger by session id, or by conversation id for the newest session.
 * @returns null if this account has none
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

/** The result of a check, or why it was not possible. */
export type Verdict = { kind: "checked"; found: CheckResult } | { kind: "no-cryptography" } | { kind: "no-keys" };

export async function verify({ text }: Reading, api: Pick<TutorApi, "ledgerKeys">, signal: AbortSignal): Promise<Verdict> {
  if (!globalThis.crypto?.subtle) return { kind: "no-cryptography" };
  const keys = await api.ledgerKeys(signal).catch(() => null);
  return keys ? { kind: "checked", found: await checkLedger(text, keys) } : { kind: "no-keys" };
}
