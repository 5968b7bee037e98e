import { readConfig } from "@colloquy/infra/config.ts";
import { loadProviderCatalog, slotCredential } from "@colloquy/infra/provider-catalog.ts";
import { expect } from "chai";
import { type Canaries, plantCanaries, planted } from "./canaries.ts";

describe("planted credentials", () => {
  let canaries: Canaries;
  before(async () => {
    canaries = await plantCanaries();
  });
  after(() => canaries.close());

  it("are each found wherever they are told", () => {
    expect(planted).to.include.members(["P1_API_KEY", "P2_ALTERNATE_API_KEY", "OIDC_CLIENT_SECRET", "KAFKA_SASL_PASSWORD"]);
    for (const name of planted) expect(canaries.in(`x${canaries.environment[name]}x`)).to.deep.equal([name]);
    expect(canaries.in("nothing")).to.deep.equal([]);
  });

  it("are read by the configuration, one for every provider slot", () => {
    const config = readConfig(canaries.environment);
    const slots = loadProviderCatalog(config);
    expect(slots.map(({ slot }) => slot)).to.deep.equal(["p2", "p3", "p4", "p5", "p6", "p7"]);
    for (const slot of slots) expect(canaries.in(String(slotCredential(slot, config)))).to.have.lengthOf(1);
  });

  it("count a request for an answer, not a health check", async () => {
    const { slot, baseUrl = "" } = loadProviderCatalog(readConfig(canaries.environment))[0] ?? {};
    await fetch(baseUrl, { method: "HEAD" });
    await fetch(`${baseUrl}/models`);
    expect([...canaries.asked]).to.deep.equal([]);
    const told = await fetch(`${baseUrl}/chat/completions`, { method: "POST", headers: { authorization: "Bearer canary" } });
    expect([...canaries.asked]).to.deep.equal([slot]);
    expect(told.headers.get("x-your-key")).to.equal("Bearer canary");
  });
});
