import { z } from "zod";
import { id, payload, time } from "../payload.ts";

export const roles = ["learner", "owner", "auditor"] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

/** Who is signed in. `accountId` is a pseudonym: it says nothing of the identity provider's subject. */
export const account = z.strictObject({ accountId: id, name: z.string().max(200), roles: z.array(role) });
export type Account = z.infer<typeof account>;

/** Whether an account is an auditor and nothing else: it reads, and writes nothing. */
export const isAuditorOnly = ({ roles }: Pick<Account, "roles">): boolean => roles.length > 0 && roles.every((one) => one === "auditor");

/** Whether an account may edit courses, and reads what they hold for instructors. */
export const isOwner = (account: Pick<Account, "roles"> | null | undefined): boolean => account?.roles.includes("owner") ?? false;

/** `GET /api/me`. */
export const meResponse = payload({ account: account.nullable() });
export type MeResponse = z.infer<typeof meResponse>;

/** `POST /auth/sign-out`. Connected assistants lose their access, too, unless they are kept. */
export const signOutRequest = payload({
  /** Ends every session of the account, not only this one. */
  everywhere: z.boolean().optional(),
  keepAssistants: z.boolean().optional(),
});
export type SignOutRequest = z.infer<typeof signOutRequest>;

/** `POST /auth/sign-out`: where the browser goes next, a path of ours or the identity provider's own sign-out. */
export const signOutResponse = payload({ redirect: z.string() });
export type SignOutResponse = z.infer<typeof signOutResponse>;

/** A browser in which an account is signed in, by its latest session. */
export const openSession = z.strictObject({
  sessionId: id,
  /** The session that asks. */
  current: z.boolean(),
  /** Null where the browser did not say. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  signedInAt: time,
  /** When it expires at the latest. */
  until: time,
});
export type OpenSessionEntry = z.infer<typeof openSession>;

/** `GET /auth/sessions`: the caller's own browser first, then the latest. Those begun before sign-ins were recorded are missing. */
export const sessionsResponse = payload({ sessions: z.array(openSession) });
export type SessionsResponse = z.infer<typeof sessionsResponse>;

/** `POST /auth/sessions/end`: ends a session and others of its browser; those that have ended already stay so. */
export const endSessionRequest = payload({ sessionId: id });
