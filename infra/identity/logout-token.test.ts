import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import { readLogoutToken } from "./logout-token.ts";

describe("a logout token of an identity provider", () => {
  const issuer = "https://id.example";
  const event = { "http://schemas.openid.net/event/backchannel-logout": {} };
  let ours: CryptoKey;
  let others: CryptoKey;
  let keys: ReturnType<typeof createLocalJWKSet>;
  before(async () => {
    const pair = await generateKeyPair("ES256");
    ours = pair.privateKey;
    others = (await generateKeyPair("ES256")).privateKey;
    keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), alg: "ES256" }] });
  });

  const claims = (): Record<string, unknown> => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: issuer, aud: "colloquy", iat: now, exp: now + 120, jti: randomUUID(), events: event, sub: "grace", sid: "session-1" };
  };
  const token = (more: Record<string, unknown> = {}, { key = ours, typ = "logout+jwt" as string | undefined } = {}) =>
    new SignJWT({ ...claims(), ...more }).setProtectedHeader({ alg: "ES256", ...(typ && { typ }) }).sign(key);
  const read = (text: string) => readLogoutToken(text, { issuer, clientId: "colloquy", keys });
  const outcome = async (text: string): Promise<string> =>
    read(text).then(
      () => "taken",
      () => "refused",
    );

  it("names a subject, a session, or both", async () => {
    expect(await read(await token())).to.deep.equal({ subject: "grace", sid: "session-1" });
    expect(await read(await token({ sid: undefined }))).to.deep.equal({ subject: "grace", sid: null });
    expect(await read(await token({ sub: undefined }))).to.deep.equal({ subject: null, sid: "session-1" });
    expect(await outcome(await token({ sub: undefined, sid: undefined }))).to.equal("refused");
  });

  it("may be untyped, but not of another type", async () => {
    expect(await outcome(await token({}, { typ: undefined }))).to.equal("taken");
    expect(await outcome(await token({}, { typ: "at+jwt" }))).to.equal("refused");
  });

  const old = Math.floor(Date.now() / 1000) - 3_600;
  for (const [what, more] of [
    ["another issuer", { iss: "https://other.example" }],
    ["another audience", { aud: "another-client" }],
    ["no event", { events: undefined }],
    ["another event", { events: { "http://schemas.openid.net/event/other": {} } }],
    ["an event that is no object", { events: { "http://schemas.openid.net/event/backchannel-logout": true } }],
    ["a nonce, as id tokens have", { nonce: "n" }],
    ["no time of issue", { iat: undefined }],
    ["no expiry", { exp: undefined }],
    ["no id", { jti: undefined }],
    ["an expiry that has passed", { iat: old, exp: old + 120 }],
    ["a session that is no text", { sid: 7 }],
  ] as const)
    it(`is refused with ${what}`, async () => {
      expect(await outcome(await token(more))).to.equal("refused");
    });

  it("is refused when another key signed it, or none", async () => {
    expect(await outcome(await token({}, { key: others }))).to.equal("refused");
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    expect(await outcome(`${part({ alg: "none" })}.${part(claims())}.`)).to.equal("refused");
  });

  it("is refused the second time", async () => {
    const once = await token();
    expect([await outcome(once), await outcome(once)]).to.deep.equal(["taken", "refused"]);
  });
});
