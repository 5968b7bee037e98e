import { type Contract, routeKey } from "@colloquy/schemas/contracts/contract.ts";
import type { RequestHandler, Response } from "express";
import type { Logger } from "../telemetry/log.ts";

/** What a line is about; `docs/run/monitoring.md` lists the events for operators. */
type SecurityEvent = NonNullable<Contract["security"]> | "access-refused" | "access-not-found" | "limit-reached";

/** Marks lines of the security log. The launcher writes them into a file of their own (`logs/security.log`). */
export const securityMark = "security";

/**
 * Writes a line for each request that matters for security, as its contract says (`Contract.security`), and for each refusal. Beside the event
 * it holds the account's id, which is a pseudonym, the address, the request's id, the route and the status; never a text of anybody.
 */
export function recordSecurity(log: Logger): RequestHandler {
  // Written however high the level of the request log is.
  const written = log.level === "silent" ? log : log.child({ log: securityMark }, { level: "info" });
  return (request, response, next) => {
    // A socket forgets its address when the peer hangs up.
    const address = request.ip ?? null;
    response.once("close", () => {
      const event = eventOf(response);
      if (event === null) return;
      const { contract, signedIn } = response.locals;
      const { statusCode: status } = response;
      const isAllowed = event === "sign-in" ? signedIn !== undefined : status < 400;
      written.info(
        {
          event,
          outcome: isAllowed ? "allowed" : "refused",
          account: (signedIn ?? request.account)?.accountId ?? null,
          // The identity provider gives them; a change shows at the next sign-in.
          ...(signedIn && { roles: signedIn.roles }),
          address,
          requestId: request.id,
          route: contract ? routeKey(contract) : null,
          status,
        },
        "security",
      );
    });
    next();
  };
}

function eventOf({ statusCode: status, locals: { contract }, req: { account } }: Response): SecurityEvent | null {
  if (contract?.security) return contract.security;
  if (status === 429) return "limit-reached";
  if (status === 403) return "access-refused";
  return status === 404 && contract?.owned && account ? "access-not-found" : null;
}
