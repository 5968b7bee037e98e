import { z } from "zod";
import { connectorBounds } from "../connector-bounds.ts";
import { id, payload, time } from "../payload.ts";

/** What an assistant may be allowed. */
export const connectorScopeNames = ["sources:read", "tutor:read", "tutor:write", "tutor:answer"] as const;
export const connectorScope = z.enum(connectorScopeNames);
export type ConnectorScope = z.infer<typeof connectorScope>;

/** Where assistants connect, on the public address. */
export const connectorPath = "/mcp";
export const resourceMetadataPath = "/.well-known/oauth-protected-resource";

/** The id an assistant is registered with: an opaque text, or the https address of its metadata document. */
export const clientId = z.string().min(1).max(connectorBounds.clientIdLength);

/** An assistant that has been used on behalf of an account. */
export const assistant = z.strictObject({
  clientId,
  name: z.string().max(connectorBounds.clientNameLength),
  scopes: z.array(connectorScope),
  connectedAt: time,
  /** Null while it may be used. */
  disconnectedAt: time.nullable(),
});
export type Assistant = z.infer<typeof assistant>;

/** `GET /api/ai/assistants?after=`: goes on behind one of them. */
export const assistantsQuery = z.strictObject({ after: clientId.optional() });

/** `GET /api/ai/assistants`: those an account has used, the latest first. */
export const assistantsResponse = payload({
  assistants: z.array(assistant).max(connectorBounds.assistants),
  /** Behind which there are more: the next request's `after`; null at the end. */
  next: clientId.nullable(),
  /** Where an assistant connects; null while none can. */
  address: z.url().nullable(),
});
export type AssistantsResponse = z.infer<typeof assistantsResponse>;

/** `POST /api/ai/assistants`: ends what an assistant may do, or allows it again; the same request again changes nothing. */
export const assistantRequest = payload({ requestId: id, clientId, allowed: z.boolean() });
/** The answer to it: the assistant as it is now. */
export const assistantResponse = payload({ assistant });
export type AssistantResponse = z.infer<typeof assistantResponse>;
