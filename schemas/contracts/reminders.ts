import { bounds } from "../bounds.ts";
import { noQuery } from "../payload.ts";
import { forecastRequest, remindersOffRequest, remindersOnRequest, remindersResponse } from "../reminders/requests.ts";
import { contract, json, perMinute } from "./contract.ts";
import { exampleForecast, exampleSubscription } from "./example-ids.ts";

const limit = perMinute(bounds.reminders.requestsPerMinute);
const responses = { 200: json("Whether this browser is reminded.", remindersResponse) } as const;

export const readReminders = contract({
  method: "GET",
  path: "/api/reminders",
  summary: "Whether this browser is reminded of due reviews",
  access: "account",
  query: noQuery,
  limit,
  responses,
});

export const turnRemindersOn = contract({
  method: "POST",
  path: "/api/reminders/on",
  summary: "Remind this browser of due reviews",
  access: "account",
  query: noQuery,
  request: remindersOnRequest,
  limit,
  responses,
  problems: ["not_found"],
  example: {
    schemaVersion: 1,
    subscription: exampleSubscription,
    forecast: exampleForecast,
  },
});

export const turnRemindersOff = contract({
  method: "POST",
  path: "/api/reminders/off",
  summary: "Do not remind this browser any more",
  access: "account",
  query: noQuery,
  request: remindersOffRequest,
  limit,
  responses,
});

export const tellForecast = contract({
  method: "POST",
  path: "/api/reminders/forecast",
  summary: "Tell what the browser's schedule of reviews foresees",
  access: "account",
  query: noQuery,
  request: forecastRequest,
  limit,
  responses,
  example: { schemaVersion: 1, forecast: exampleForecast },
});
