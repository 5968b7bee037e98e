import { status } from "@grpc/grpc-js";
import { type CallError, callError } from "../errors.ts";
import type { GroupName } from "./definitions.ts";

/** Errors of persistent subscriptions, by the names the client knows them by. */

/** A request that is answered with an error of its own. */
export class Refused extends Error {
  override name = "Refused";
  readonly error: CallError;
  constructor(error: CallError) {
    super(error.details);
    this.error = error;
  }
}

const about = (exception: string, { source, name }: GroupName): Record<string, string> => ({
  exception,
  "stream-name": source,
  "group-name": name,
});

export const subscriptionExists = (group: GroupName): CallError =>
  callError(
    status.ALREADY_EXISTS,
    `Subscription group ${group.name} on stream ${group.source} exists.`,
    about("persistent-subscription-exists", group),
  );

export const noSubscription = (group: GroupName): CallError =>
  callError(
    status.NOT_FOUND,
    `Subscription group ${group.name} on stream ${group.source} does not exist.`,
    about("persistent-subscription-does-not-exist", group),
  );

export const subscriptionDropped = (group: GroupName): CallError =>
  callError(
    status.CANCELLED,
    `Subscription group ${group.name} on stream ${group.source} was dropped.`,
    about("persistent-subscription-dropped", group),
  );

export const subscriptionFailed = (group: GroupName, reason: string): CallError =>
  callError(status.INTERNAL, `Subscription group ${group.name} on stream ${group.source} failed: '${reason}'`, {
    ...about("persistent-subscription-failed", group),
    reason,
  });

export const maximumSubscribersReached = (group: GroupName): CallError =>
  callError(
    status.FAILED_PRECONDITION,
    `Maximum subscriptions reached for subscription group ${group.name} on stream ${group.source}.`,
    about("maximum-subscribers-reached", group),
  );
