import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { deriveKey, loadOrCreateSecret } from "./secrets.ts";

describe("kept secrets", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "secrets-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are made once, long, and readable by their owner alone", () => {
    const first = loadOrCreateSecret(folder, "session");
    expect(first.length).to.be.at.least(48);
    expect(loadOrCreateSecret(folder, "session")).to.equal(first);
    expect(loadOrCreateSecret(folder, "account")).not.to.equal(first);
    expect(statSync(join(folder, "secrets")).mode & 0o777).to.equal(0o700);
    expect(statSync(join(folder, "secrets/session")).mode & 0o777).to.equal(0o600);
    expect(readdirSync(join(folder, "secrets"))).to.have.members(["account", "session"]);
  });

  it("are the same for processes that ask for one at the same moment", async () => {
    // All wait for the same instant, so that they truly race.
    const at = Date.now() + 700;
    const script = `
      import { loadOrCreateSecret } from ${JSON.stringify(new URL("./secrets.ts", import.meta.url).href)};
      while (Date.now() < ${at});
      process.stdout.write(loadOrCreateSecret(${JSON.stringify(folder)}, "session"));`;
    const told = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
        let output = "";
        child.stdout.on("data", (part) => {
          output += part;
        });
        await once(child, "close");
        return output;
      }),
    );
    expect(new Set(told).size).to.equal(1);
    expect(told[0]).to.equal(readFileSync(join(folder, "secrets/session"), "utf8").trim());
    expect(readdirSync(join(folder, "secrets"))).to.deep.equal(["session"]);
  });

  it("give different keys for different purposes", () => {
    expect(deriveKey("secret", "a")).to.have.length(32);
    expect(deriveKey("secret", "a")).to.deep.equal(deriveKey("secret", "a"));
    expect(deriveKey("secret", "a")).not.to.deep.equal(deriveKey("secret", "b"));
  });
});
