import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { readConfig } from "../config.ts";
import { closeServer, openPort } from "../process/http-server.ts";
import { type AccessTokens, accessTokens } from "./access-tokens.ts";

describe("access tokens of a provider of OIDC_ISSUER", () => {
  let folder: string;
  let server: Server;
  let issuer: string;
  let tokens: AccessTokens;
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "tokens-"));
    keys = await generateKeyPair("RS256");
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "RS256", use: "sig" };
    server = createServer((request, response) => {
      const body = request.url === "/jwks" ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/jwks` };
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    });
    issuer = `http://127.0.0.1:${await openPort(server, 0, { onError: () => undefined })}`;
    const config = readConfig({
      DATA_DIR: folder,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "us",
      PUBLIC_URL: "https://learn.example",
      CONNECTOR_AUDIENCE: "urn:colloquy",
    });
    const made = accessTokens(config);
    if (!made) throw new Error("no tokens");
    tokens = made;
  });
  after(async () => {
    await closeServer(server, 0);
    rmSync(folder, { recursive: true, force: true });
  });

  const claims = { azp: "assistant-1", scope: "openid sources:read admin tutor:read", sub: "grace", aud: "urn:colloquy" };
  const sign = (
    change: Record<string, unknown> = {},
    { by = keys.privateKey, expires = "5m" }: { by?: CryptoKey; expires?: string } = {},
  ) =>
    new SignJWT({ ...claims, iss: issuer, ...change })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(by);

  it("are read: whose, through which client, for what of ours", async () => {
    const open = await tokens.open(await sign());
    expect(open).to.deep.include({ clientId: "assistant-1", scopes: ["sources:read", "tutor:read"] });
    expect(open?.accountId).to.match(/^acc_/);
    expect((await tokens.open(await sign({ scope: undefined, scp: ["tutor:write"] })))?.scopes).to.deep.equal(["tutor:write"]);
  });

  it("count for nothing when they are for another audience, of another issuer, expired, or signed by somebody else", async () => {
    const other = await generateKeyPair("RS256");
    expect(await tokens.open(await sign({ aud: "https://learn.example/mcp" })), "audience").to.equal(null);
    expect(await tokens.open(await sign({ iss: "https://elsewhere.example" })), "issuer").to.equal(null);
    expect(await tokens.open(await sign({}, { expires: "-1m" })), "expired").to.equal(null);
    expect(await tokens.open(await sign({}, { by: other.privateKey })), "key").to.equal(null);
    expect(await tokens.open(await sign({ azp: undefined })), "client").to.equal(null);
    const secret = await new SignJWT({ ...claims, iss: issuer })
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(new TextEncoder().encode("a secret of at least thirty-two bytes"));
    expect(await tokens.open(secret), "shared secret").to.equal(null);
  });

  it("of an auditor who is no learner allow reading alone, where the provider says so", async () => {
    const scope = "sources:read tutor:read tutor:write tutor:answer";
    const allowed = async (roles: unknown) => (await tokens.open(await sign({ scope, roles })))?.scopes;
    expect(await allowed(["auditor"])).to.deep.equal(["sources:read", "tutor:read"]);
    for (const roles of [undefined, [], ["learner", "auditor"], "owner"]) expect(await allowed(roles), String(roles)).to.have.lengthOf(4);
  });

  it("are as old as what their person agreed to, where the provider says when that was", async () => {
    const long = Math.floor(Date.now() / 1000) - 86_400;
    expect((await tokens.open(await sign({ granted_at: long })))?.issuedAt).to.equal(long);
    expect((await tokens.open(await sign()))?.issuedAt).to.be.greaterThan(long);
  });

  it("cannot be judged while the provider is away", async () => {
    const away = accessTokens(readConfig({ DATA_DIR: folder, OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "us" }));
    const error = await away?.open(await sign()).catch((thrown: Error) => thrown);
    expect(error).to.include({ name: "ProblemError", code: "unavailable" });
  });
});
