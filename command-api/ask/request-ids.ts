import { createHash } from "node:crypto";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { AskRequest } from "@colloquy/schemas/ask/ask.ts";
import canonicalize from "canonicalize";

/** Requests that are remembered; some 2 MB. */
const rememberedRequests = 10_000;

export interface AskRequestIds {
  /**
   * Notes what an id was used for.
   * @throws {ProblemError} `request_id_reused` when it was used for another question.
   */
  note(accountId: string, asked: AskRequest): void;
}

/**
 * Which ids Ask was called with, best effort and in this process. The same question again under its id gets the running turn, or a
 * kept one; when there is none any more it is answered anew, because a turn that was read leaves no event.
 */
export function askRequestIds(): AskRequestIds {
  const known = new Map<string, string>();
  return {
    note(accountId, asked) {
      const key = `${accountId} ${asked.requestId}`;
      const digest = createHash("sha256")
        .update(canonicalize(asked) ?? "")
        .digest("base64");
      const before = known.get(key);
      if (before !== undefined && before !== digest)
        throw new ProblemError("request_id_reused", {
          detail: "Another question was asked with this id. Send a new id with each question.",
        });
      known.delete(key);
      known.set(key, digest);
      if (known.size > rememberedRequests) known.delete(known.keys().next().value ?? "");
    },
  };
}
