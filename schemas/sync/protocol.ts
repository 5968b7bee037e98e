import { z } from "zod";
import { bounds } from "../bounds.ts";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { id, payload, position, time } from "../payload.ts";
import { change, domain } from "./changes.ts";

/** `POST /api/sync/push`. */
export const pushRequest = payload({ deviceId: id, changes: z.array(change).min(1).max(bounds.sync.changesPerPush) });
export type PushRequest = z.infer<typeof pushRequest>;

export const changeResult = z.strictObject({
  changeId: id,
  outcome: z.enum(["accepted", "duplicate", "refused"]),
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]).optional(),
});
export type ChangeResult = z.infer<typeof changeResult>;

export const pushResponse = payload({ results: z.array(changeResult), position });
export type PushResponse = z.infer<typeof pushResponse>;

/** A change as every device of the account receives it, in server order. */
export const remoteChange = z.strictObject({
  cursor: position,
  changeId: id,
  deviceId: id.nullable(),
  domain,
  entityId: id,
  type: z.string(),
  at: time,
  data: z.record(z.string(), z.unknown()),
});
export type RemoteChange = z.infer<typeof remoteChange>;

/** The same as the data of a server-sent event. */
export const streamedChange = payload(remoteChange.shape);

/** The query string of `GET /api/sync/pull`; `after` is a cursor: what was pulled last. */
export const pullQuery = z.strictObject({
  after: position.default("0"),
  limit: z.coerce.number().int().min(1).max(bounds.sync.changesPerPull).default(bounds.sync.changesPerPull),
});

/** The query string of `GET /api/sync/stream`; `after` is a cursor. */
export const streamQuery = z.strictObject({ after: position.default("0") });

/** `GET /api/sync/pull`. `cursor` is where to go on; `more` says whether to go on at once. */
export const pullResponse = payload({ changes: z.array(remoteChange), cursor: position, more: z.boolean() });
export type PullResponse = z.infer<typeof pullResponse>;

/** `GET /api/annotations`: whether the account has marked or drawn anything. */
export const annotatedResponse = payload({ annotated: z.boolean() });
