import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import { reminderPublicKey } from "@colloquy/infra/push/vapid.ts";
import { readReminders, tellForecast, turnRemindersOff, turnRemindersOn } from "@colloquy/schemas/contracts/reminders.ts";
import type { Request, Router } from "express";
import type { ReminderState } from "./decider.ts";
import { type ReviewReminders, reminderDevice } from "./reminders.ts";

/** `GET /api/reminders` and the routes that turn reminders on and off for the browser that asks. */
export function reminderRoutes({ config, reminders }: { config: Config; reminders: ReviewReminders }): Router {
  const publicKey = reminderPublicKey(config);
  const deviceOf = ({ openSession }: Request): string => {
    if (!openSession) throw new ProblemError("sign_in_required");
    return reminderDevice(openSession);
  };
  const response = ({ devices }: ReminderState, device: string) => ({
    publicKey,
    here: devices.includes(device),
    anywhere: devices.length > 0,
  });
  return serve([
    route(readReminders, async ({ request, account: { accountId } }) => response(await reminders.of(accountId), deviceOf(request))),
    route(turnRemindersOn, async ({ request, account: { accountId }, body: { subscription, forecast } }) => {
      if (publicKey === null) throw new ProblemError("not_found", { detail: "Reminders are not offered here." });
      const device = deviceOf(request);
      const command = { type: "turn on", device, subscription, forecast } as const;
      return response(await reminders.handle(accountId, command, request.id), device);
    }),
    route(turnRemindersOff, async ({ request, account: { accountId } }) => {
      const device = deviceOf(request);
      return response(await reminders.handle(accountId, { type: "turn off", device, reason: "chosen" }, request.id), device);
    }),
    route(tellForecast, async ({ request, account: { accountId }, body: { forecast } }) =>
      response(await reminders.handle(accountId, { type: "foresee", forecast }, request.id), deviceOf(request)),
    ),
  ]);
}
