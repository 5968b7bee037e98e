import { createHash, randomUUID } from "node:crypto";
import { agreeTo } from "@colloquy/command-api/assistants/assistants.fixture.ts";

const callback = "http://localhost:9/callback";

/** Registers an assistant under a name; where its person is asked. */
export async function registered(url: string, name: string, scope: string): Promise<{ clientId: string; leave: URL; verifier: string }> {
  const response = await fetch(`${url}/oidc/reg`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [callback], token_endpoint_auth_method: "none" }),
  });
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  const verifier = randomUUID() + randomUUID();
  const leave = new URL(`${url}/oidc/auth`);
  leave.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: callback,
    scope,
    state: "state-1",
    resource: `${url}/mcp`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  return { clientId, leave, verifier };
}

/** The access token of an assistant that a demonstration account has agreed to. */
export async function accessToken(url: string, account: string, { name, scope }: { name: string; scope: string }): Promise<string> {
  const { clientId, leave, verifier } = await registered(url, name, scope);
  const code = (await agreeTo(leave, account)).get("code") ?? "";
  const given = { code, client_id: clientId, redirect_uri: callback, code_verifier: verifier, resource: `${url}/mcp` };
  const body = new URLSearchParams({ grant_type: "authorization_code", ...given });
  const answer = await fetch(`${url}/oidc/token`, { method: "POST", body });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (!token) throw new Error(`an assistant got no token: ${answer.status}`);
  return token;
}
