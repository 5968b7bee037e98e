import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { ConversationTables } from "@colloquy/projections/conversations/queries.ts";
import { sessionsWithDeletedConversation, type TutorTables, tutorSessionsOf } from "@colloquy/projections/tutor/queries.ts";
import type { Kysely } from "kysely";
import type { TutorSessions } from "./sessions.ts";

/** Between two looks for texts whose deletion was interrupted, or came before the read models knew the session. Milliseconds. */
const sweepEveryMs = 600_000;

interface Needs {
  database: Kysely<TutorTables & ConversationTables>;
  sessions: Pick<TutorSessions, "deleteTexts">;
  log: Logger;
}

/** What learners wrote in a session goes with its conversation; the ledger stays, with commitments that say nothing any more. */
export function tutorForgetting({ database, sessions, log }: Needs) {
  const forget = (accountId: string, sessionId: string): Promise<void> =>
    sessions.deleteTexts({ accountId, requestId: `forget-${sessionId}`, correlationId: `forget-${sessionId}` }, sessionId);

  async function sweep(): Promise<void> {
    for (const { sessionId, accountId } of await sessionsWithDeletedConversation(database)) await forget(accountId, sessionId);
  }

  return {
    /** Told of a deletion as it happens. */
    conversationDeleted(accountId: string, conversationId: string): void {
      const work = async (): Promise<void> => {
        for (const sessionId of await tutorSessionsOf(database, accountId, conversationId)) await forget(accountId, sessionId);
      };
      work().catch((error: unknown) => log.warn({ err: error, conversationId }, "a session's texts are deleted later"));
    },
    /** At once and from time to time, until the signal. */
    async keepForgetting(signal: AbortSignal, everyMs = sweepEveryMs): Promise<void> {
      while (!signal.aborted) {
        await sweep().catch((error: unknown) => log.warn({ err: error }, "texts of deleted conversations are looked for later"));
        await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}
