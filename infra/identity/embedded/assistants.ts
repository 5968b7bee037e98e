import { isIP } from "node:net";
import { connectorScopeNames } from "@colloquy/schemas/assistants/assistant.ts";
import { type Configuration, errors } from "oidc-provider";
import type { Config } from "../../config.ts";
import { assistantName } from "../access-tokens.ts";
import { connectorAudience, connectorResource, grantedAtClaim } from "../connector-address.ts";
import { embeddedClientId } from "../provider-client.ts";

/** Seconds: an access token is renewed often, so that what was taken back stays usable for minutes at most. */
const lifetimes = { AccessToken: 600, RefreshToken: 30 * 24 * 3600 };

type Features = NonNullable<Configuration["features"]>;

/** How assistants register and get tokens for the connector: dynamic registration, metadata documents, one resource, no secrets. */
export function assistantFeatures(config: Config): Features {
  const resource = connectorResource(config);
  return {
    registration: { enabled: config.CONNECTOR === "on", initialAccessToken: false, issueRegistrationAccessToken: false },
    revocation: { enabled: true },
    clientIdMetadataDocument: {
      enabled: config.CONNECTOR === "on",
      // The provider's name for the state of the draft this was written against.
      ack: "draft-02",
      allowFetch: async (_context: unknown, clientId: string) => isPublicName(clientId),
      allowClient: async () => true,
    },
    resourceIndicators: {
      enabled: true,
      // Assistants that do not name the resource mean the only one there is.
      defaultResource: async (_context, client, oneOf) => oneOf ?? (client.clientId === embeddedClientId ? undefined : resource),
      useGrantedResource: async () => true,
      async getResourceServerInfo(_context, asked, client) {
        if (asked !== resource || config.CONNECTOR === "off" || client.clientId === embeddedClientId) throw new errors.InvalidTarget();
        return {
          scope: connectorScopeNames.join(" "),
          audience: connectorAudience(config),
          accessTokenTTL: lifetimes.AccessToken,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "ES256" } },
        };
      },
    },
  } as Features;
}

/** Lifetimes that depend on who asks: ours as given, an assistant's as long as it may stay connected. */
export function assistantLifetimes(own: { AccessToken: number; Grant: number }): NonNullable<Configuration["ttl"]> {
  return {
    // A number here would win over the resource's own.
    AccessToken: (_context, token) => token.resourceServer?.accessTokenTTL ?? own.AccessToken,
    Grant: (_context, grant) => (grant.clientId === embeddedClientId ? own.Grant : lifetimes.RefreshToken),
    RefreshToken: lifetimes.RefreshToken,
  };
}

/** What an assistant calls itself, for the connector's list; a claim of its own, never more than a label. */
export const nameClaim = (name: string | undefined) => ({ client_name: assistantName(name) });

/** When its person agreed, in seconds since 1970: what is renewed is no newer than that. */
export const grantClaim = (grant: { iat?: number } | undefined) => (grant?.iat === undefined ? {} : { [grantedAtClaim]: grant.iat });

/** Codes may go back to an https address, to this machine, or to a program's own scheme; never in the open over the network. */
export function isRedirectUri(uri: string): boolean {
  const url = URL.parse(uri);
  if (url?.hash !== "") return false;
  if (url.protocol === "https:") return true;
  if (url.protocol === "http:") return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return !["javascript:", "data:", "file:", "blob:", "vbscript:", "about:"].includes(url.protocol);
}

/** Whether a metadata document may be fetched from there: a name, and none of this network's. What it resolves to is judged at the fetch. */
function isPublicName(clientId: string): boolean {
  const host = URL.parse(clientId)?.hostname ?? "";
  if (!host.includes(".") || isIP(host.replace(/^\[|\]$/g, "")) !== 0) return false;
  return !/\.(?:localhost|local|internal|lan|home|corp|test)$/i.test(host);
}
