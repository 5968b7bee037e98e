import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { eventOfChange } from "@colloquy/schemas/events/personal.ts";
import { type Change, changeData, type Domain } from "@colloquy/schemas/sync/changes.ts";
import { workspaceEntity } from "@colloquy/schemas/sync/entities.ts";
import type { z } from "zod";
import type { ChangeCommand } from "../change-decider.ts";

/**
 * Validates a change and turns it into a command.
 * @throws {ProblemError} with the code of the refusal.
 */
export function commandOf(accountId: string, change: Change): ChangeCommand {
  const { changeId, domain, entityId, type } = change;
  const schema = schemaOf(domain, type);
  if (!schema || (domain === "preferences" && entityId !== workspaceEntity)) throw new ProblemError("invalid_request");
  const text = JSON.stringify(change.data);
  if (Buffer.byteLength(text) > bounds.sync.changeBytes) throw new ProblemError("too_large");
  const data = parse(schema, wellFormed(text, change.data)) as Record<string, unknown>;
  return { accountId, changeId, event: eventOfChange(accountId, { domain, entityId, type, data }) };
}

function schemaOf(domain: Domain, type: string): z.ZodType | undefined {
  const types: Readonly<Record<string, z.ZodType>> = changeData[domain];
  return Object.hasOwn(types, type) ? types[type] : undefined;
}

/** Repairs text that stores reject: an answer cut within a surrogate pair, or NUL characters. */
function wellFormed(text: string, data: unknown): unknown {
  // JSON escapes both, so the text shows whether there is anything to repair.
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return data;
  return JSON.parse(text, (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value));
}
