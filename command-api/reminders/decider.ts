import { isDeepStrictEqual } from "node:util";
import type { ReminderEvent } from "@colloquy/schemas/reminders/events.ts";
import type { Forecast, PushSubscription } from "@colloquy/schemas/reminders/requests.ts";
import { evolveReminders, noReminders, type Reminders, reminderNow } from "@colloquy/schemas/reminders/state.ts";
import type { Decider } from "../decider.ts";

type OffReason = Extract<ReminderEvent, { type: "RemindersTurnedOff" }>["data"]["reason"];

export type ReminderCommand = { at: string } & (
  | { type: "turn on"; device: string; subscription: PushSubscription; forecast: Forecast }
  /** `device`: null for all. */
  | { type: "turn off"; device: string | null; reason: OffReason }
  | { type: "foresee"; forecast: Forecast }
  | { type: "remind" }
  | { type: "forget" }
);

export type ReminderState = Reminders & {
  /** By device. */
  subscriptions: Readonly<Record<string, PushSubscription>>;
};

/** The reminders of one account. */
export const remindersDecider: Decider<ReminderCommand, ReminderEvent, ReminderState> = {
  initialState: { ...noReminders, subscriptions: {} },
  decide(command, state) {
    const { at } = command;
    const schemaVersion = 1;
    const foreseen = (forecast: Forecast): ReminderEvent[] =>
      isDeepStrictEqual(forecast, state.forecast) ? [] : [{ type: "ReviewsForeseen", data: { schemaVersion, forecast, at } }];
    switch (command.type) {
      case "turn on": {
        const { device, subscription, forecast } = command;
        const on: ReminderEvent = { type: "RemindersTurnedOn", data: { schemaVersion, device, subscription, at } };
        return [...(isDeepStrictEqual(subscription, state.subscriptions[device]) ? [] : [on]), ...foreseen(forecast)];
      }
      case "turn off": {
        const { device, reason } = command;
        return state.devices
          .filter((one) => device === null || one === device)
          .map((one) => ({ type: "RemindersTurnedOff", data: { schemaVersion, device: one, reason, at } }));
      }
      case "foresee":
        // Nobody waits for it where no browser is reminded.
        return state.devices.length === 0 ? [] : foreseen(command.forecast);
      case "remind": {
        const reminder = reminderNow(state, Date.parse(at));
        if (!reminder) return [];
        const { day, due } = reminder;
        return [{ type: "ReviewReminderSent", data: { schemaVersion, day, due, at } }];
      }
      case "forget":
        return state === remindersDecider.initialState ? [] : [{ type: "RemindersForgotten", data: { schemaVersion, at } }];
    }
  },
  evolve(state, event) {
    if (event.type === "RemindersForgotten") return remindersDecider.initialState;
    const next = evolveReminders(state, event);
    const known =
      event.type === "RemindersTurnedOn" ? { ...state.subscriptions, [event.data.device]: event.data.subscription } : state.subscriptions;
    const subscriptions = Object.fromEntries(Object.entries(known).filter(([device]) => next.devices.includes(device)));
    return { ...next, subscriptions };
  },
};
