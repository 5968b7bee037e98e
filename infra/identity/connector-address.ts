import { connectorPath, resourceMetadataPath } from "@colloquy/schemas/assistants/assistant.ts";
import type { Config } from "../config.ts";

/** What assistants know the connector by (RFC 8707). */
export const connectorResource = (config: Pick<Config, "publicUrl">): string => `${config.publicUrl}${connectorPath}`;

/** What an access token has to name as its audience. */
export const connectorAudience = (config: Pick<Config, "publicUrl" | "CONNECTOR_AUDIENCE">): string =>
  config.CONNECTOR_AUDIENCE ?? connectorResource(config);

/** Where assistants read who may let them in (RFC 9728). */
export const connectorMetadataUrl = (config: Pick<Config, "publicUrl">): string =>
  `${config.publicUrl}${resourceMetadataPath}${connectorPath}`;

/** The claim of the embedded provider's access tokens that says when their person agreed. */
export const grantedAtClaim = "granted_at";
