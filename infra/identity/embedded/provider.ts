import { createHash, generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import type { Config } from "../../config.ts";
import { calmPage, lookSecurity } from "../../http/look.ts";
import type { Logger } from "../../telemetry/log.ts";
import { demonstrationAccounts } from "../accounts.ts";
import { embeddedClientId, embeddedClientSecret, embeddedProviderUrl } from "../provider-client.ts";
import { keptSecret } from "../secrets.ts";
import { signInPage } from "./sign-in-page.ts";
import { memoryStore } from "./store.ts";

/** Lifetimes in seconds: long enough to sign in, no longer, for our own session is what lasts. */
const lifetimes = { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 60 };
const mountPath = "/oidc";
const longestForm = 1_000;

/** The embedded OpenID provider, answering everything under `/oidc`. Its one client is Colloquy itself. */
export function embeddedProvider(config: Config, log: Logger): RequestListener {
  const provider = new Provider(embeddedProviderUrl(config), {
    adapter: memoryStore(),
    clients: [
      {
        client_id: embeddedClientId,
        client_secret: embeddedClientSecret(config),
        client_name: "Colloquy",
        redirect_uris: [`${config.publicUrl}/auth/callback`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_basic",
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [signingKey(config)] },
    cookies: {
      keys: [keptSecret(config.DATA_DIR, "oidc-cookies")],
      long: { path: mountPath, sameSite: "lax", httpOnly: true, signed: true },
      // Without a path of their own these are kept per sign-in, so that two tabs do not disturb each other.
      short: { sameSite: "lax", httpOnly: true, signed: true },
    },
    responseTypes: ["code"],
    scopes: ["openid", "profile"],
    claims: { openid: ["sub"], profile: ["name", "roles"] },
    // Name and roles stand in the id token, so that one exchange is enough.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_context, interaction) => `${mountPath}/interaction/${interaction.uid}` },
    ttl: lifetimes,
    expiresWithSession: async () => false,
    findAccount(_context, subject) {
      const found = demonstrationAccounts.find(({ key }) => key === subject);
      return found && { accountId: subject, claims: () => ({ sub: subject, name: found.name, roles: found.roles }) };
    },
    // Colloquy asks on its own behalf, so nobody has to agree to anything.
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({ accountId: session?.accountId ?? "", clientId: client?.clientId ?? "" });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
    renderError(context, _out, error) {
      log.warn({ reason: error.message }, "the embedded provider refused a request");
      context.type = "html";
      context.set("content-security-policy", pageSecurity(config));
      context.body = troublePage();
    },
  });
  provider.proxy = true;
  provider.on("server_error", (_context, error) => log.error({ err: error }, "the embedded provider failed"));
  const answer = provider.callback();
  const { host, protocol } = new URL(config.publicUrl);

  return (request, response) => {
    // The provider has one address, whatever name the front door was reached by.
    request.headers["x-forwarded-host"] = host;
    request.headers["x-forwarded-proto"] = protocol.replace(":", "");
    const url = request.url ?? "/";
    if (url !== mountPath && !url.startsWith(`${mountPath}/`)) return void response.writeHead(404).end();
    if (/^\/oidc\/interaction\/[\w-]+$/.test(url)) return void chooseAccount(provider, config, request, response);
    Object.assign(request, { originalUrl: url });
    request.url = url.slice(mountPath.length) || "/";
    answer(request, response);
  };
}

/** The page that asks who is there, and what it sends back. */
async function chooseAccount(provider: Provider, config: Config, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await provider.interactionDetails(request, response);
  } catch {
    return sendPage(config, response, 400, troublePage());
  }
  if (request.method !== "POST") return sendPage(config, response, 200, signInPage(request.url ?? ""));
  const chosen = new URLSearchParams(await formOf(request)).get("account");
  const known = demonstrationAccounts.some(({ key }) => key === chosen);
  if (chosen && !known) return sendPage(config, response, 400, signInPage(request.url ?? ""));
  const result = chosen
    ? { login: { accountId: chosen, remember: false } }
    : { error: "access_denied", error_description: "the person chose not to sign in" };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** A small form's body; a longer one counts as empty. */
async function formOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) {
    body += String(part);
    if (body.length > longestForm) return "";
  }
  return body;
}

function sendPage(config: Config, response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": pageSecurity(config),
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  response.end(page);
}

/** Forms may lead back to the public address, where the redirect after signing in goes. */
function pageSecurity(config: Config): string {
  return lookSecurity(`'self' ${new URL(config.publicUrl).origin}`);
}

function troublePage(): string {
  return calmPage({
    title: "This sign-in has run out",
    text: ["It was begun too long ago, in another browser, or has been finished already. Starting again takes a moment."],
    actions: [{ href: "/auth/login", label: "Sign in" }],
  });
}

/** The key that signs id tokens, made once. */
function signingKey(config: Config): Record<string, string> {
  const kept = keptSecret(config.DATA_DIR, "oidc-signing-key", () =>
    JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })),
  );
  const kid = createHash("sha256").update(kept).digest("base64url").slice(0, 16);
  return { ...JSON.parse(kept), kid, use: "sig", alg: "ES256" };
}
