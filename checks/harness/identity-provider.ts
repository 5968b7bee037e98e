import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readCookies } from "@colloquy/infra/http/cookies.ts";
import { recordStore } from "@colloquy/infra/identity/embedded/store.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { Provider } from "oidc-provider";

export const client = { id: "colloquy", secret: "between the provider and the program" } as const;

/** Says who a browser's person is, on the provider's own host. */
export const whoCookie = "who";

/** Somebody else's OpenID provider, whose people are whoever they say they are: `owner-…` owns courses. */
export interface IdentityProvider {
  port: number;
  /** Ends it with all it remembers but its keys. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  start(): Promise<void>;
}

/**
 * @param issuer its address as browsers and the program know it
 * @param callback where it may send browsers back to
 */
export async function startIdentityProvider(issuer: string, callback: string): Promise<IdentityProvider> {
  const key = { ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" };
  let server: Server | null = null;
  let port = 0;

  async function start(): Promise<void> {
    const provider = new Provider(issuer, {
      clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [callback] }],
      claims: { openid: ["sub"], profile: ["name", "roles"] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      adapter: recordStore(),
      jwks: { keys: [key] },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 600, Interaction: 60, Session: 60 },
      expiresWithSession: async () => false,
      cookies: { keys: ["a key of the provider"] },
      interactions: { url: (_context, { uid }) => `/here/${uid}` },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, name: accountId, roles: [/^owner/.test(accountId) ? "owner" : "learner"] }),
      }),
      async loadExistingGrant(context) {
        const grant = new context.oidc.provider.Grant({ accountId: context.oidc.session?.accountId ?? "", clientId: client.id });
        grant.addOIDCScope("openid profile");
        await grant.save();
        return grant;
      },
    });
    const answer = provider.callback();
    const started = createServer((request, response) => {
      if (!request.url?.startsWith("/here/")) return void answer(request, response);
      const login = { accountId: readCookies(request.headers.cookie).get(whoCookie) ?? "nobody", remember: false };
      // The page has run out when the provider was started anew meanwhile.
      provider.interactionFinished(request, response, { login }).catch(() => response.writeHead(400).end());
    });
    await new Promise<void>((resolve) => started.listen(port, "127.0.0.1", resolve));
    port = (started.address() as AddressInfo).port;
    server = started;
  }
  await start();
  return {
    port,
    start,
    async kill() {
      if (server) await closeServer(server, 0);
      server = null;
    },
  };
}
