import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { ConversationTables } from "@colloquy/projections/conversations/queries.ts";
import { sessionsWithDeletedConversation, type TutorTables, tutorSessionsOf } from "@colloquy/projections/tutor/queries.ts";
import type { Kysely } from "kysely";
import type { TutorSessions } from "./sessions.ts";

/** Milliseconds between sweeps for texts whose deletion was interrupted or came before the read models had the session. */
const sweepEveryMs = 600_000;

interface Needs {
  database: Kysely<TutorTables & ConversationTables>;
  sessions: Pick<TutorSessions, "deleteTexts">;
  log: Logger;
}

/** Deletes the learner's texts of a session with its conversation. The ledger stays; without texts its commitments reveal nothing. */
export function textDeletion({ database, sessions, log }: Needs) {
  const forget = (accountId: string, sessionId: string): Promise<void> =>
    sessions.deleteTexts({ accountId, requestId: `forget-${sessionId}`, correlationId: `forget-${sessionId}` }, sessionId);

  async function sweep(): Promise<void> {
    for (const { sessionId, accountId } of await sessionsWithDeletedConversation(database)) await forget(accountId, sessionId);
  }

  return {
    /** Called when a conversation is deleted. */
    conversationDeleted(accountId: string, conversationId: string): void {
      const work = async (): Promise<void> => {
        for (const sessionId of await tutorSessionsOf(database, accountId, conversationId)) await forget(accountId, sessionId);
      };
      work().catch((error: unknown) =>
        log.warn({ err: error, conversationId }, "the texts of a session could not be deleted; the next sweep deletes them"),
      );
    },
    /** Sweeps now and at intervals until the signal aborts. */
    async sweepUntil(signal: AbortSignal, everyMs = sweepEveryMs): Promise<void> {
      while (!signal.aborted) {
        await sweep().catch((error: unknown) =>
          log.warn({ err: error }, "the sweep for texts of deleted conversations failed; it is repeated"),
        );
        await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}
