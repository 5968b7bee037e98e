import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AdapterConstructor, type AdapterPayload, Provider } from "oidc-provider";

/** Keeps sessions, which the store of the embedded provider does not. */
function keptInMemory(): AdapterConstructor {
  const kept = new Map<string, AdapterPayload>();
  return class {
    readonly #kind: string;
    constructor(kind: string) {
      this.#kind = kind;
    }
    async upsert(id: string, payload: AdapterPayload) {
      kept.set(`${this.#kind} ${id}`, payload);
    }
    async find(id: string) {
      return kept.get(`${this.#kind} ${id}`);
    }
    async findByUid(uid: string) {
      return [...kept.values()].find((payload) => payload.uid === uid);
    }
    async findByUserCode() {
      return undefined;
    }
    async consume(id: string) {
      kept.set(`${this.#kind} ${id}`, { ...kept.get(`${this.#kind} ${id}`), consumed: 1 });
    }
    async destroy(id: string) {
      kept.delete(`${this.#kind} ${id}`);
    }
    async revokeByGrantId() {}
  };
}

interface ProviderOptions {
  port: number;
  /** The public address of the service whose people sign in here. */
  publicUrl: string;
  /** What it tells of Grace, who is everybody that signs in; read at each sign-in. */
  claims(): Record<string, unknown>;
  /** With them it serves HTTPS, which production demands. */
  tls?: { key: string | Buffer; cert: string | Buffer };
}

/** The credentials of the service at the provider. */
export const providerClient = { OIDC_CLIENT_ID: "us", OIDC_CLIENT_SECRET: "between us", OIDC_ROLES_CLAIM: "realm_access.roles" };

/** Somebody else's OpenID provider at localhost. It keeps claims for the user-info answer, as strict providers do. */
export function serveProvider({ port, publicUrl, claims, tls }: ProviderOptions): Promise<Server> {
  const provider = new Provider(`${tls ? "https" : "http"}://localhost:${port}`, {
    clients: [
      {
        client_id: providerClient.OIDC_CLIENT_ID,
        client_secret: providerClient.OIDC_CLIENT_SECRET,
        redirect_uris: [`${publicUrl}/auth/callback`],
        post_logout_redirect_uris: [`${publicUrl}/`],
        backchannel_logout_uri: `${publicUrl}/auth/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ["sub"], profile: ["name", "preferred_username", "realm_access"] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    jwks: {
      keys: [{ ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }],
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    expiresWithSession: async () => false,
    adapter: keptInMemory(),
    // The program is on this machine, to which providers send nothing otherwise.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    cookies: { keys: ["a key of the other provider"] },
    interactions: { url: (_context, interaction) => `/here/${interaction.uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...claims() }) }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({ accountId: context.oidc.session?.accountId ?? "", clientId: "us" });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  const listener: RequestListener = (request, response) => {
    if (request.url?.startsWith("/here/")) void provider.interactionFinished(request, response, { login: { accountId: "grace-1" } });
    else void answer(request, response);
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}
