import type { Config } from "@colloquy/infra/config.ts";
import { signed } from "@colloquy/infra/identity/signed.ts";
import { clientId } from "@colloquy/schemas/assistants/assistant.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { credentialVariables } from "@colloquy/schemas/provider-catalog.ts";
import { z } from "zod";
import type { PlanTickets } from "../tutor/assistant-proposals.ts";

const content = z.strictObject({ sessionId: id, version: z.int(), clientId, plan: z.string().length(64) });

/** Tickets as signed texts, so that any process can take one back; good for `connectorBounds.planTicketSeconds`. */
export function planTickets(secret: string): PlanTickets {
  const tickets = signed({ secret, kind: "proposed plan", seconds: connectorBounds.planTicketSeconds, schema: content });
  return {
    issue: (of) => tickets.sign(of),
    async isFor(ticket, of) {
      const opened = await tickets.open(ticket);
      return opened !== null && (["sessionId", "version", "clientId", "plan"] as const).every((key) => opened.content[key] === of[key]);
    },
  };
}

/** Who looks at plans a second time: a model of this installation where a real one is set, else the assistant in a call of its own. */
export function planVerifier(config: Pick<Config, "CONNECTOR_VERIFIER" | (typeof credentialVariables)[number]>): "own" | "assistant" {
  return config.CONNECTOR_VERIFIER ?? (credentialVariables.some((name) => config[name] !== undefined) ? "own" : "assistant");
}
