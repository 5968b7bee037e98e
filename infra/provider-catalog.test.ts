import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { ConfigurationError, demoModelEnabled, readConfig } from "./config.ts";
import { loadProviderCatalog, slotAddress, slotCredential } from "./provider-catalog.ts";

const demonstration = { DEMO_MODEL_URL: "http://127.0.0.1:4000/v1" };
const load = (environment: Record<string, string>) => loadProviderCatalog(readConfig(environment));
const slot = (environment: Record<string, string>, name: string) => {
  const found = load(environment).find((entry) => entry.slot === name);
  if (!found) throw new Error(`no slot ${name}`);
  return found;
};

describe("the provider catalogue", () => {
  it("has exactly the allowlists of the service", () => {
    const slots = load({});
    expect(slots.map((entry) => [entry.slot, entry.models.length, entry.models.filter((model) => model.tutor).length])).to.deep.equal([
      ["p1", 4, 2],
      ["p2", 4, 4],
      ["p3", 4, 4],
      ["p4", 2, 2],
      ["p5", 1, 0],
      ["p6", 2, 0],
      ["p7", 1, 0],
    ]);
    expect(
      slot({}, "p1")
        .models.filter((model) => !model.tutor)
        .every((model) => /llama/i.test(model.name)),
    ).to.equal(true);
    expect(slot({}, "p3").models.find((model) => model.default)?.serviceId).to.equal("openrouter/free");
    expect(slots.flatMap((entry) => entry.models).filter((model) => model.newestFlash)).to.have.length(1);
  });

  it("reads a credential from its variable, and from the alternate when that is not set", () => {
    const credential = (environment: Record<string, string>, name: string) => slotCredential(slot({}, name), readConfig(environment));
    expect(credential({}, "p2")).to.equal(undefined);
    expect(credential({ P2_ALTERNATE_API_KEY: "b" }, "p2")).to.equal("b");
    expect(credential({ P2_API_KEY: "a", P2_ALTERNATE_API_KEY: "b" }, "p2")).to.equal("a");
    expect(credential({ P6_ALTERNATE_API_KEY: "c" }, "p6")).to.equal("c");
    expect(credential({ P2_ALTERNATE_API_KEY: "b" }, "p1")).to.equal(undefined);
  });

  it("lets variables change the default model, its name and the address of P5 to P7", () => {
    const known = slot({ P1_MODEL_ID: "openai/gpt-oss-20b", P1_MODEL_NAME: "The small one" }, "p1");
    expect(known.models.filter((model) => model.default).map((model) => [model.id, model.name])).to.deep.equal([
      ["gpt-oss-20b", "The small one"],
    ]);
    const unknown = slot({ P2_MODEL_ID: "vendor/new model" }, "p2");
    expect(unknown.models[0]).to.deep.include({ id: "vendor/new-model", serviceId: "vendor/new model", newestFlash: false, tutor: true });
    expect(unknown.models).to.have.length(4);
    const config = readConfig({ P7_BASE_URL: "http://localhost:11434/v1/" });
    expect(slotAddress(slot({ P7_BASE_URL: "http://localhost:11434/v1/" }, "p7"), config)).to.equal("http://localhost:11434/v1");
  });

  it("binds P1 to the demonstration model only while P1 has no credential", () => {
    expect(slot(demonstration, "p1").label).to.equal("Demonstration");
    expect(slot({ ...demonstration, P1_MODEL_ID: "something" }, "p1").models[0]?.id).to.equal("demonstration");
    expect(slot({ ...demonstration, DEMO_MODEL: "on", P1_API_KEY: "a" }, "p1").label).to.not.equal("Demonstration");
    expect(slot({ ...demonstration, DEMO_MODEL: "on", P2_API_KEY: "a" }, "p1").label).to.equal("Demonstration");
    expect(slot({ ...demonstration, DEMO_MODEL: "off" }, "p1").label).to.not.equal("Demonstration");
  });

  it("runs the demonstration model unless a credential, production or DEMO_MODEL says otherwise", () => {
    const enabled = (environment: Record<string, string>) => demoModelEnabled(readConfig(environment));
    expect(enabled({})).to.equal(true);
    expect(enabled({ P6_ALTERNATE_API_KEY: "a" })).to.equal(false);
    expect(enabled({ P6_API_KEY: "a", DEMO_MODEL: "on" })).to.equal(true);
    expect(enabled({ DEMO_MODEL: "off" })).to.equal(false);
    expect(enabled({ NODE_ENV: "production", DEMO_MODEL: "on" })).to.equal(false);
  });

  it("stops the start for a catalogue it cannot use, naming the file and the field", () => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-"));
    try {
      const file = join(folder, "catalog.json");
      const refuses = (content: string, message: RegExp) => {
        writeFileSync(file, content);
        expect(() => load({ PROVIDER_CATALOG: file })).to.throw(ConfigurationError, message);
      };
      refuses("{", /PROVIDER_CATALOG: .*catalog\.json: is no JSON/);
      expect(() => load({ PROVIDER_CATALOG: folder })).to.throw(ConfigurationError, /is a folder/);
      refuses(JSON.stringify({ schemaVersion: 1, slots: [{ slot: "p9" }] }), /slots\.0\.slot/);
      const model = { id: "m", serviceId: "m", name: "M", tutor: false, quiz: false };
      const timeouts = { connectMs: 1000, firstTokenMs: 1000, idleMs: 1000, wholeMs: 1000 };
      const entry = { slot: "p1", label: "L", baseUrl: "http://localhost:1/v1", credentials: [], timeouts, models: [model] };
      refuses(JSON.stringify({ schemaVersion: 1, slots: [entry] }), /exactly one model is the default/);
      refuses(
        JSON.stringify({ schemaVersion: 1, slots: [{ ...entry, credentials: ["PATH"], models: [{ ...model, default: true }] }] }),
        /credentials/,
      );
      expect(() => load({ PROVIDER_CATALOG: join(folder, "missing.json") })).to.throw(
        ConfigurationError,
        /missing\.json: there is no such file\. Name a catalogue, or leave the variable out/,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
