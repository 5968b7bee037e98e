import { concurrencyLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";

/** Starts a model stream of an account; call the result when it ends. @throws {ProblemError} `rate_limited` */
export type ModelStreamLimit = (accountId: string) => () => void;

/** Limits the concurrent model streams of each account in this process: answers, tutoring and storyboards together. */
export const modelStreamLimit = (limit: number = modelBounds.gateway.streamsPerAccount): ModelStreamLimit =>
  concurrencyLimitPerAccount(limit, "Too many answers are being written for this account. Wait for one to finish, or stop one.");
