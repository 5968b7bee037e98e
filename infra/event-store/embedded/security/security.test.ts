import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AccessDeniedError, EventStoreDBClient, jsonEvent, UnavailableError } from "@eventstore/db-client";
import { GossipClient } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import { ServerFeaturesClient } from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import { credentials, status } from "@grpc/grpc-js";
import { expect } from "chai";
import { openEventStore } from "../../client.ts";
import { collect, newEvent, rejection, temporaryFolder } from "../../event-store.fixture.ts";
import { reachEventStore } from "../../reach.ts";
import { eventStoreFolder, runningEventStore } from "../running.ts";
import { type EmbeddedEventStore, startEventStore } from "../server.ts";
import { spawnEventStore } from "../spawn-server.fixture.ts";
import { programUrl } from "./address.ts";
import { authorityFile, serverCertificate } from "./certificate.ts";
import { openUsers, passwordOf } from "./users.ts";

/** The official client, unchanged, against a server that speaks TLS and asks who is there. */
describe("the embedded event store with TLS and users", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  const clients: EventStoreDBClient[] = [];
  before(async function () {
    this.timeout(120_000);
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0 });
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.dispose()));
    await server.close();
    folder.remove();
  });

  const inFolder = (name: string): string => join(eventStoreFolder(folder.path), name);
  const authority = (): string => authorityFile(eventStoreFolder(folder.path));
  /** A client that signs in as `user:password`, or not at all. */
  function clientFor(user: string | null): EventStoreDBClient {
    const who = user === null ? "" : `${user}@`;
    const client = EventStoreDBClient.connectionString(
      `esdb://${who}localhost:${server.port}?tls=true&tlsCAFile=${encodeURIComponent(authority())}`,
    );
    clients.push(client);
    return client;
  }
  const as = (user: "admin" | "ops"): EventStoreDBClient => clientFor(`${user}:${passwordOf(folder.path, user)}`);
  const event = (data: Record<string, unknown> = {}) => jsonEvent({ type: "Noted", data });

  /** Everything the official client may ask of a stream, each by its name. */
  const deedsOf = (client: EventStoreDBClient, stream: string): Record<string, () => Promise<unknown>> => ({
    append: () => client.appendToStream(stream, event()),
    read: () => collect(client.readStream(stream)),
    subscribe: () => collect(client.subscribeToStream(stream), 1),
    readMetadata: () => client.getStreamMetadata(stream),
    writeMetadata: () => client.setStreamMetadata(stream, {}),
    delete: () => client.deleteStream(stream),
    tombstone: () => client.tombstoneStream(stream),
  });
  const expectDenied = async (deed: () => Promise<unknown>, name: string, code?: status): Promise<void> => {
    const error = await rejection(deed());
    expect(error, name).to.be.instanceOf(AccessDeniedError);
    if (code !== undefined) expect(error, name).to.include({ code });
  };

  for (const [who, user] of [
    ["nobody in particular", null],
    ["admin with a wrong password", "admin:changeit"],
    ["somebody unknown", "root:changeit"],
    ["somebody whose password is a word of the protocol", "$admins:$all"],
  ] as const)
    it(`lets ${who} do nothing`, async () => {
      await as("admin").appendToStream("there", event());
      const client = clientFor(user);
      const deeds = {
        ...deedsOf(client, "there"),
        readAll: () => collect(client.readAll()),
        subscribeToAll: () => collect(client.subscribeToAll(), 1),
        appendWithCredentials: () =>
          client.appendToStream("there", event(), { credentials: { username: "admin", password: "not this one" } }),
      };
      for (const [name, deed] of Object.entries(deeds)) await expectDenied(deed, name, status.UNAUTHENTICATED);
      expect((await collect(as("admin").readStream("there"))).length).to.be.greaterThan(0);
    });

  it("tells anybody what it is and that it stands alone", async () => {
    const channel = credentials.createSsl(readFileSync(authority()));
    const features = new ServerFeaturesClient(`localhost:${server.port}`, channel);
    const gossip = new GossipClient(`localhost:${server.port}`, channel);
    const empty = new shared.Empty();
    const [version, members] = await Promise.all([
      new Promise<string>((resolve, reject) =>
        features.getSupportedMethods(empty, (error, told) => (error ? reject(error) : resolve(told.getEventStoreServerVersion()))),
      ),
      new Promise<number>((resolve, reject) =>
        gossip.read(empty, (error, info) => (error ? reject(error) : resolve(info.getMembersList().length))),
      ),
    ]);
    for (const client of [features, gossip]) client.close();
    expect(version).to.match(/^\d+\./);
    expect(members).to.equal(1);
  });

  it("lets admin do everything but write or delete $all and delete metadata", async () => {
    const admin = as("admin");
    for (const [name, deed] of Object.entries(deedsOf(admin, "of-admin"))) await deed().catch((error) => expect.fail(`${name}: ${error}`));
    expect((await collect(admin.readAll())).length).to.be.greaterThan(0);
    expect((await collect(admin.subscribeToAll(), 1)).length).to.equal(1);
    await admin.appendToStream("$some-system-stream", event());
    const { append, delete: remove } = deedsOf(admin, "$all");
    for (const [name, deed] of Object.entries({ append, remove, deleteMetadata: () => admin.deleteStream("$$of-admin") }))
      await expectDenied(deed as () => Promise<unknown>, name, name === "append" ? undefined : status.PERMISSION_DENIED);
  });

  it("lets ops use users' streams, as anybody who signed in may, and no system stream", async () => {
    const ops = as("ops");
    for (const [name, deed] of Object.entries(deedsOf(ops, "of-ops"))) await deed().catch((error) => expect.fail(`${name}: ${error}`));
    await as("admin").appendToStream("$reserved", event());
    for (const [name, deed] of Object.entries(deedsOf(ops, "$reserved"))) await expectDenied(deed, name);
    await expectDenied(() => collect(ops.readAll()), "readAll", status.PERMISSION_DENIED);
    await expectDenied(() => collect(ops.subscribeToAll(), 1), "subscribeToAll", status.PERMISSION_DENIED);
    // The same append over the other method, which the client uses when a call has credentials of its own.
    const own = { credentials: { username: "ops", password: passwordOf(folder.path, "ops") } };
    await expectDenied(() => as("admin").appendToStream("$reserved", event(), own), "Append", status.PERMISSION_DENIED);
  });

  it("follows a stream's $acl, and its change at once", async () => {
    const [admin, ops] = [as("admin"), as("ops")];
    await admin.appendToStream("private", event());
    const { append, read, readMetadata, writeMetadata, delete: remove } = deedsOf(ops, "private");
    const deeds = { append, read, readMetadata, writeMetadata, remove } as Record<string, () => Promise<unknown>>;
    await admin.setStreamMetadata("private", {
      acl: { readRoles: ["$admins"], writeRoles: ["$admins"], deleteRoles: ["$admins"], metaReadRoles: ["$admins"], metaWriteRoles: [] },
    });
    for (const [name, deed] of Object.entries(deeds)) await expectDenied(deed, name);
    await admin.setStreamMetadata("private", { acl: { readRoles: ["ops"], writeRoles: ["$ops"], deleteRoles: ["somebody"] } });
    await read?.();
    await append?.();
    await expectDenied(remove as () => Promise<unknown>, "delete");
  });

  it("follows the default lists in $settings", async () => {
    const [admin, ops] = [as("admin"), as("ops")];
    await admin.appendToStream("$settings", event({ $userStreamAcl: { $r: "$admins" }, $systemStreamAcl: { $r: ["$ops"] } }));
    await expectDenied(() => collect(ops.readStream("there")), "read");
    expect((await collect(ops.readAll())).length).to.be.greaterThan(0);
    await admin.appendToStream("$settings", event({}));
    expect((await collect(ops.readStream("there"))).length).to.be.greaterThan(0);
    await expectDenied(() => collect(ops.readAll()), "readAll");
  });

  it("is spoken to in no other way than over TLS, and vouches for itself by its authority alone", async () => {
    for (const query of ["tls=false", "tls=true"]) {
      const client = EventStoreDBClient.connectionString(`esdb://admin:x@localhost:${server.port}?${query}`);
      clients.push(client);
      expect(await rejection(collect(client.readStream("there")))).to.be.instanceOf(UnavailableError);
    }
  });

  it("serves the program's own client, which is told how by the launcher's address", async () => {
    const store = openEventStore(programUrl(folder.path, { port: server.port, tls: true }));
    await store.append("note-1", [newEvent({ number: 1 })], "none");
    expect((await collect(store.readAll({ prefixes: ["note-"] }))).length).to.equal(1);
    await store.close();
    const reached = await reachEventStore({ DATA_DIR: folder.path, EVENTSTORE_URL: undefined, EVENTSTORE_EMBEDDED_INSECURE: "on" });
    expect((await collect(reached.store.read("note-1"))).length).to.equal(1);
    await reached.close();
  });

  it("keeps keys, hashes and passwords for their owner alone, and no password where people look", () => {
    const mode = (path: string): number => statSync(path).mode & 0o777;
    for (const file of ["users.json", "tls/server.key", "tls/server.crt", "tls/ca.crt"]) expect(mode(inFolder(file)), file).to.equal(0o600);
    expect(mode(inFolder("tls"))).to.equal(0o700);
    expect(readdirSync(inFolder("tls"))).to.have.members(["ca.crt", "server.crt", "server.key"]);
    for (const user of ["admin", "ops"] as const) {
      const password = passwordOf(folder.path, user);
      expect(password.length).to.be.greaterThan(40);
      expect(mode(join(folder.path, "secrets", `event-store-${user}`))).to.equal(0o600);
      for (const file of ["users.json", "running.json", "events.db", "events.db-wal"])
        expect(readFileSync(inFolder(file)).includes(password), file).to.equal(false);
    }
    expect(runningEventStore(folder.path)).to.include({ tls: true, url: `esdb://127.0.0.1:${server.port}?tls=true` });
  });

  it("names its machine in a certificate that only its authority signed", () => {
    const certificate = new X509Certificate(readFileSync(inFolder("tls/server.crt")));
    const root = new X509Certificate(readFileSync(authority()));
    expect(certificate.checkIP("127.0.0.1")).to.equal("127.0.0.1");
    expect(certificate.checkHost("localhost")).to.equal("localhost");
    expect([certificate.ca, root.ca]).to.deep.equal([false, true]);
    expect(certificate.verify(root.publicKey)).to.equal(true);
    expect(certificate.checkIssued(root)).to.equal(true);
  });
});

describe("what the event store keeps for TLS and users", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());
  const basic = (name: string, password: string): string => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

  it("is made once: certificate, users and passwords outlive a restart, and no log or argument tells them", async function () {
    this.timeout(120_000);
    const first = await spawnEventStore(folder.path, 0, { tls: true });
    let said = "";
    for (const output of [first.process.stdout, first.process.stderr])
      output?.on("data", (bytes: Buffer) => {
        said += bytes.toString();
      });
    const client = EventStoreDBClient.connectionString(first.url);
    await client.appendToStream("a", jsonEvent({ type: "Noted", data: {} }));
    if (process.platform === "linux") {
      const seen = execFileSync("ps", ["-o", "args=", "-p", String(first.process.pid)]).toString();
      expect(seen).not.to.include(passwordOf(folder.path, "admin"));
    }
    await client.dispose();
    await first.stop();
    expect(said).not.to.include(passwordOf(folder.path, "admin"));
    const kept = readFileSync(join(eventStoreFolder(folder.path), "tls/server.crt"), "utf8");
    const second = await spawnEventStore(folder.path, first.port, { tls: true });
    expect(second.url).to.equal(first.url);
    expect(readFileSync(join(eventStoreFolder(folder.path), "tls/server.crt"), "utf8")).to.equal(kept);
    const again = EventStoreDBClient.connectionString(second.url);
    expect((await collect(again.readStream("a"))).length).to.equal(1);
    await again.dispose();
    await second.stop();
  });

  it("is made anew when a certificate is about to run out, is damaged, or has lost its key", async function () {
    this.timeout(120_000);
    const made = await serverCertificate(folder.path);
    expect(await serverCertificate(folder.path)).to.deep.equal(made);
    const days = (count: number): number => Date.now() + count * 24 * 60 * 60 * 1000;
    expect(await serverCertificate(folder.path, days(360))).to.deep.equal(made);
    const renewed = await serverCertificate(folder.path, days(370));
    expect(renewed).not.to.deep.equal(made);
    rmSync(join(folder.path, "tls/server.key"));
    const replaced = await serverCertificate(folder.path);
    expect(replaced.certificate).not.to.equal(renewed.certificate);
    writeFileSync(join(folder.path, "tls/server.crt"), "no certificate");
    expect((await serverCertificate(folder.path)).certificate).not.to.equal(replaced.certificate);
    expect(readdirSync(folder.path)).to.deep.equal(["tls"]);
  });

  it("takes a replaced password file from the next start on", async function () {
    this.timeout(120_000);
    const users = await openUsers(folder.path, folder.path);
    const old = passwordOf(folder.path, "admin");
    expect(await users.signIn(basic("admin", old))).to.deep.equal({ name: "admin", groups: ["$admins"] });
    expect(await users.signIn(basic("ops", old))).to.equal(null);
    for (const wrong of ["", "Basic", "Basic !", `Bearer ${old}`, basic("admin", ""), `Basic ${Buffer.from("admin").toString("base64")}`])
      expect(await users.signIn(wrong), wrong).to.equal(null);
    writeFileSync(join(folder.path, "secrets/event-store-admin"), "another password\n");
    const reopened = await openUsers(folder.path, folder.path);
    expect(await reopened.signIn(basic("admin", old))).to.equal(null);
    expect((await reopened.signIn(basic("admin", "another password")))?.name).to.equal("admin");
  });
});
