import { EventStoreDBClient } from "@eventstore/db-client";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { createLog } from "../telemetry/log.ts";
import { addressError, addressOfNode, addressParts } from "./address.ts";
import { openEventStore, StoreUnavailable } from "./client.ts";

const canary = "canary7secret";

describe("the address of an EventStoreDB", () => {
  const right = [
    "esdb://127.0.0.1:2113?tls=false",
    `esdb://admin:${canary}@host:2113?tls=true&tlsCAFile=${encodeURIComponent(import.meta.filename)}`,
    `esdb+discover://admin:${canary}%3A%40@a.example:2113,b.example,c.example/?nodePreference=leader&keep_alive_interval=10000`,
    "esdb://host",
  ];
  const wrong = [
    `esdb://admin:${canary}@host:port`,
    `esdb://admin:${canary}@host:2113?tls=maybe`,
    `esdb://admin:${canary}@host:2113?tls=true?tlsCAFile=x`,
    `esdb://admin:${canary}@host:2113?colour=blue`,
    `esdb://admin:${canary}@host:2113?tls=true&tlsVerifyCert=false`,
    `esdb://admin:${canary}@host:99999`,
    `esdb://admin:p@${canary}@host:2113`,
    `esdb://admin:${canary}%@host:2113`,
    `esdb://admin:${canary}:more@host:2113`,
    `esdb://admin:${canary}`,
    `http://admin:${canary}@host:2113`,
  ];

  it("is taken when the official client takes it without a word", () => {
    const warnings: unknown[] = [];
    const warn = console.warn;
    console.warn = (...said) => warnings.push(said);
    try {
      for (const address of right) {
        expect(addressError(address), address).to.equal(null);
        EventStoreDBClient.connectionString(address);
      }
    } finally {
      console.warn = warn;
    }
    expect(warnings).to.deep.equal([]);
  });

  it("that is wrong stops the start, in words that do not repeat it", () => {
    for (const address of wrong)
      expect(() => readConfig({ EVENTSTORE_URL: address }), address)
        .to.throw(Error)
        .with.property("message")
        .that.matches(/EVENTSTORE_URL: \S/)
        .and.does.not.contain(canary);
  });

  it("that is wrong reaches no log by an error of the client either", async () => {
    for (const address of wrong) {
      const store = openEventStore(address);
      const lines: string[] = [];
      const error = await Array.fromAsync(store.readAll({ limit: 1 })).catch((thrown: unknown) => thrown);
      expect(error, address).to.be.instanceOf(StoreUnavailable);
      createLog("test", { LOG_LEVEL: "info" }, { write: (line) => lines.push(line) }).error({ err: error }, "failed");
      expect(lines.join("")).to.include("address cannot be read").and.not.contain(canary);
      await store.close();
    }
  });

  it("is read by its parts, and changed to one node's", () => {
    const cluster = "esdb+discover://me:s%40crt@node1:2114,node2/?tls=true&tlsCAFile=%2Fca.crt";
    expect(addressParts(cluster)).to.deep.equal({
      hosts: [
        { name: "node1", port: 2114 },
        { name: "node2", port: 2113 },
      ],
      isTls: true,
      hasCredentials: true,
      authorityFile: "/ca.crt",
    });
    expect(addressParts("esdb://127.0.0.1:2113?tls=false")).to.include({ isTls: false, authorityFile: null });
    expect(addressOfNode(cluster, { name: "node2", port: 2113 })).to.equal("esdb://me:s%40crt@node2:2113?tls=true&tlsCAFile=%2Fca.crt");
    expect(addressOfNode("esdb://a,b?tls=false", { name: "b", port: 7 })).to.equal("esdb://b:7?tls=false");
  });
});
