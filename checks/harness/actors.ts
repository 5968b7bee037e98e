import { createHash, randomUUID } from "node:crypto";
import { agreeTo } from "@colloquy/command-api/assistants/assistants.fixture.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { sessionCookieName } from "@colloquy/infra/identity/session.ts";
import { signed } from "@colloquy/infra/identity/signed.ts";
import { account as accountSchema, type Role } from "@colloquy/schemas/accounts/account.ts";
import { createClient } from "../../client/client.ts";

/** The people and programs that act in checks: learners, owners, auditors, render workers and assistants. */
export interface Actor {
  accountId: string;
  /** What signs its requests in. */
  headers: Record<string, string>;
  /** The typed client, signed in. */
  call: ReturnType<typeof createClient>;
}

const sessionSeconds = 86_400;

/** Where and how sessions are signed. */
export interface SignInOptions {
  url: string;
  /** The program's SESSION_SECRET. */
  secret: string;
  /** The program's PUBLIC_URL, when `url` is the address of one of its services. */
  publicUrl?: string;
}

/** Signs a session for an account without the sign-in page. */
export async function signIn(
  { url, secret, publicUrl = url }: SignInOptions,
  { accountId, name, roles }: { accountId: string; name: string; roles: Role[] },
): Promise<Actor> {
  const config = readConfig({ SESSION_SECRET: secret, PUBLIC_URL: publicUrl });
  const cookie = signed({ secret, kind: "session", seconds: sessionSeconds, schema: accountSchema });
  const headers = { cookie: `${sessionCookieName(config)}=${await cookie.sign({ accountId, name, roles })}` };
  return { accountId, headers, call: createClient({ address: url, headers }) };
}

/** New learners, owners or auditors: as many as a check needs, because limits apply to each account. */
export const signInMany = (options: SignInOptions, count: number, roles: Role[]): Promise<Actor[]> =>
  Promise.all(Array.from({ length: count }, () => signIn(options, { accountId: `acc_${randomUUID()}`, name: roles.at(-1) ?? "", roles })));

/** The session cookie of a demonstration account (`learner`, `learner2`, `owner`, `auditor`). */
export async function demoCookie(url: string, demoAccount: string): Promise<string> {
  const response = await fetch(`${url}/auth/demo?as=${demoAccount}&return=/`, { redirect: "manual" });
  const [set = ""] = response.headers.getSetCookie();
  if (!set) throw new Error(`signing in as ${demoAccount} answered ${response.status} without a cookie`);
  return set.split(";", 1)[0] ?? "";
}

const callback = "http://localhost:9/callback";

/** Registers an assistant (OAuth dynamic registration); `consentUrl` is where its person is asked to agree. */
export async function registerAssistant(url: string, { name, scope }: { name: string; scope: string }) {
  const response = await fetch(`${url}/oidc/reg`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [callback], token_endpoint_auth_method: "none" }),
  });
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  const verifier = randomUUID() + randomUUID();
  const consentUrl = new URL(`${url}/oidc/auth`);
  consentUrl.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: callback,
    scope,
    state: "state-1",
    resource: `${url}/mcp`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  return { clientId, consentUrl, verifier };
}

/** The access token of a new assistant that a demonstration account has agreed to. */
export async function assistantToken(url: string, demoAccount: string, assistant: { name: string; scope: string }): Promise<string> {
  const { clientId, consentUrl, verifier } = await registerAssistant(url, assistant);
  const code = (await agreeTo(consentUrl, demoAccount)).get("code") ?? "";
  const given = { code, client_id: clientId, redirect_uri: callback, code_verifier: verifier, resource: `${url}/mcp` };
  const body = new URLSearchParams({ grant_type: "authorization_code", ...given });
  const answer = await fetch(`${url}/oidc/token`, { method: "POST", body });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (!token) throw new Error(`an assistant got no token: ${answer.status}`);
  return token;
}
