import { randomUUID } from "node:crypto";
import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import type { OpenSession } from "@colloquy/infra/identity/ended-sessions.ts";
import { reminderEvents, reminderStream } from "@colloquy/schemas/reminders/events.ts";
import { commandHandler } from "../command-handler.ts";
import { type ReminderCommand, type ReminderState, remindersDecider } from "./decider.ts";

export interface ReviewReminders {
  of(accountId: string): Promise<ReminderState>;
  /** The state after a command. @throws {ProblemError} `unavailable` */
  handle(accountId: string, command: CommandWithoutTime, requestId: string): Promise<ReminderState>;
  /** Records that a reminder is sent now, if one is due; null otherwise, also where another process recorded it. */
  remind(accountId: string): Promise<{ due: number; state: ReminderState } | null>;
}

type WithoutTime<Command> = Command extends unknown ? Omit<Command, "at"> : never;
type CommandWithoutTime = WithoutTime<Exclude<ReminderCommand, { type: "remind" }>>;

/** The name of a session's browser; sessions of earlier versions have none but their own. */
export const reminderDevice = ({ device, sessionId }: Pick<OpenSession, "device" | "sessionId">): string => device ?? sessionId;

/** @param now as `Date.now` */
export function reviewReminders(store: EventStore, now: () => number = Date.now): ReviewReminders {
  const handler = commandHandler({
    store,
    category: "reminders",
    stream: reminderStream,
    decider: remindersDecider,
    events: reminderEvents,
    eventId: ({ id, request, event, index, revision }) =>
      eventIdFrom(reminderStream(id), event.type, String(revision + 1), String(index), request?.requestId ?? ""),
    deletion: "RemindersForgotten",
  });
  const at = (): string => new Date(now()).toISOString();
  return {
    of: async (accountId) => (await handler.load(accountId)).state,
    async handle(accountId, command, requestId) {
      return (await handler.handle(accountId, { accountId, requestId }, { ...command, at: at() } as ReminderCommand)).state;
    },
    async remind(accountId) {
      const { appended, state } = await handler.handle(accountId, { accountId, requestId: randomUUID() }, { type: "remind", at: at() });
      const [sent] = appended;
      return sent?.type === "ReviewReminderSent" ? { due: sent.data.due, state } : null;
    },
  };
}
