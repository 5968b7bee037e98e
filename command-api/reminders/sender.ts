import { setTimeout as pause } from "node:timers/promises";
import { rethrowRetryable } from "@colloquy/infra/backoff.ts";
import { limitConcurrency } from "@colloquy/infra/limit-concurrency.ts";
import type { SendReminder } from "@colloquy/infra/push/send.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { dueReminders, type ReminderTables } from "@colloquy/projections/reminders/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { reminderNow, secondsLeftOfDay } from "@colloquy/schemas/reminders/state.ts";
import type { Kysely } from "kysely";
import pRetry, { type Options } from "p-retry";
import type { ReviewReminders } from "./reminders.ts";

/** Attempts at a push service that fails: over about 20 minutes. */
const usualRetry = { retries: 7, minTimeout: 5_000, factor: 3, maxTimeout: 600_000, randomize: true };
/** Requests to push services at a time. */
const requestsAtATime = 8;

interface Needs {
  database: Kysely<ReminderTables>;
  reminders: ReviewReminders;
  send: SendReminder;
  /** Whether the browser was signed out, here or at the identity provider. */
  isSignedOut(accountId: string, device: string): Promise<boolean>;
  log: Logger;
  /** Stops sending. */
  signal: AbortSignal;
  /** As `Date.now`. */
  now?: () => number;
  retry?: Options;
}

/**
 * Sends reminders of due reviews. Each is recorded before it is sent: after a crash in between it is not sent at all, and never twice. Logs
 * hold no addresses of subscriptions.
 */
export function reminderSender({ database, reminders, send, isSignedOut, log, signal, now = Date.now, retry = usualRetry }: Needs) {
  const limit = limitConcurrency(requestsAtATime);
  const running = new Set<Promise<void>>();

  async function remind(accountId: string): Promise<void> {
    const reminder = await reminders.remind(accountId);
    const { forecast, devices = [], subscriptions = {} } = reminder?.state ?? {};
    if (!reminder || !forecast) return;
    for (const device of devices) {
      const subscription = subscriptions[device];
      const turnOff = (reason: "gone" | "ended") =>
        reminders.handle(accountId, { type: "turn off", device, reason }, `reminder-${reason}-${device}`);
      if (!subscription) continue;
      if (await isSignedOut(accountId, device)) {
        await turnOff("ended");
        continue;
      }
      const attempt = async (): Promise<void> => {
        const secondsLeft = secondsLeftOfDay(forecast.zone, now());
        if (secondsLeft === 0) return;
        const message = { due: reminder.due, language: forecast.language, secondsLeft };
        const result = await limit(() => send(subscription, message, signal));
        if (result.outcome === "gone") await turnOff("gone");
        else if (result.outcome === "refused") log.warn({ status: result.status }, "a push service refused a reminder");
        else if (result.outcome === "failed") throw new Error(`the push service answered ${result.status}`);
      };
      const delivery = pRetry(() => attempt().catch(rethrowRetryable), { ...retry, signal, unref: true })
        // The message of a network error may name the push service's address.
        .catch((error: unknown) => signal.aborted || log.warn({ code: codeOf(error) }, "a reminder could not be delivered"))
        .then(() => void running.delete(delivery));
      running.add(delivery);
    }
  }

  /** One round over all accounts whose time has come. */
  async function round(): Promise<void> {
    for await (const { accountId, state } of dueReminders(database, new Date(now()).toISOString(), bounds.reminders.atATime)) {
      if (signal.aborted) return;
      if (!reminderNow(state, now())) continue;
      await remind(accountId).catch((error: unknown) =>
        log.warn({ err: error }, "a reminder could not be sent; the next round tries again"),
      );
    }
  }

  return {
    round,
    /** Resolves when no delivery is left. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
    async keepSending(everyMs = bounds.reminders.everyMs): Promise<void> {
      while (!signal.aborted) {
        await round().catch((error: unknown) => log.warn({ err: error }, "reminders could not be sent; the next round tries again"));
        await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "unknown");
