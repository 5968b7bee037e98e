import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type EventStore, openEventStore } from "../client.ts";
import { eventStoreFolder } from "../embedded/running.ts";
import { authorityFile } from "../embedded/security/certificate.ts";
import { passwordOf } from "../embedded/security/users.ts";
import { type EmbeddedEventStore, startEventStore } from "../embedded/server.ts";
import { newEvent, rejection, temporaryFolder } from "../event-store.fixture.ts";
import { ScavengeFailed, scavenge } from "../scavenge.ts";
import { examineEventStore } from "./examine.ts";

describe("the examination of an event store that keeps what is deleted", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let store: EventStore;
  before(async function () {
    this.timeout(120_000);
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, strict: true });
    store = openEventStore(server.url);
  });
  after(async () => {
    await store.close();
    await server.close();
    folder.remove();
  });
  const levels = async (url: string) =>
    (await examineEventStore(url, { isEmbedded: false })).map(({ subject, level }) => `${subject} ${level}`);
  const addressWith = (user: string): string => {
    const authority = encodeURIComponent(authorityFile(eventStoreFolder(folder.path)));
    return `esdb://${user}@localhost:${server.port}?tls=true&tlsCAFile=${authority}`;
  };

  it("warns until a scavenge, which removes the deleted text from the file and tells when it is done", async () => {
    const secret = "kryptonite-4711";
    await store.append("work-1", [newEvent({ secret }), newEvent({})], "none");
    await store.truncateBefore("work-1", 1);
    const file = (): string => readFileSync(join(eventStoreFolder(folder.path), "events.db"), "latin1");
    expect(await levels(server.url)).to.include("scavenge warning");
    const said: string[] = [];
    await scavenge(server.url, (line) => said.push(line));
    expect(said.at(-1)).to.match(/^the event store: done, /);
    expect(file()).not.to.include(secret);
    // How long a round trip takes is this machine's affair.
    expect((await levels(server.url)).filter((one) => !one.startsWith("round trip"))).to.deep.equal(
      ["connection", "clock", "version", "rights", "scavenge"].map((one) => `${one} ok`),
    );
  });

  it("names the right that a user lacks, and lets only administrators scavenge", async () => {
    const ops = addressWith(`ops:${encodeURIComponent(passwordOf(folder.path, "ops"))}`);
    const findings = await examineEventStore(ops, { isEmbedded: false });
    expect(findings.at(-1)).to.deep.include({ subject: "rights", level: "failure" });
    expect(findings.at(-1)?.text).to.include("$r on $all");
    expect(await rejection(scavenge(ops, () => undefined))).to.be.instanceOf(ScavengeFailed);
  });

  it("says which part of the address is wrong", async () => {
    const text = async (url: string) => (await examineEventStore(url, { isEmbedded: false })).at(-1)?.text;
    expect(await text(addressWith("admin:changeit"))).to.match(/refuses the user name or the password/);
    expect(await text(`esdb://localhost:${server.port}?tls=true`)).to.match(/authority that is not known here/);
    expect(await text(`esdb://localhost:${server.port}?tls=false`)).to.match(/write tls=true/);
    expect(await text("esdb://localhost:1?tls=false")).to.match(/Nothing listens/);
    expect(await text("http://localhost:1")).to.match(/cannot be read: expected esdb/);
  });
});
