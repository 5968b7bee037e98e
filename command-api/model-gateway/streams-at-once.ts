import { concurrencyLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";

/** Lets an account have something written by a model; what comes back says that it is written. @throws {ProblemError} `rate_limited` */
export type ModelStreams = (accountId: string) => () => void;

/** So much is written by models for each account at once, in this process: answers, tutoring and storyboards together. */
export const modelStreams = (atOnce: number = bounds.gateway.streamsPerAccount): ModelStreams =>
  concurrencyLimitPerAccount(atOnce, "So much is being written for this account already. Wait for some of it, or stop it.");
