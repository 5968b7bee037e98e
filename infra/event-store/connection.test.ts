import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { openConnection } from "./connection.ts";
import { rejection } from "./event-store.fixture.ts";

describe("a connection to an event store", () => {
  afterEach(() => mock.timers.reset());

  it("says what the store refused, though the deadline cut the last attempt short", async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    const connection = openConnection("esdb://admin:changeit@localhost:1?tls=false");
    let attempts = 0;
    const refused = rejection(
      connection.attempt(() => {
        attempts += 1;
        const refusal = Object.assign(new Error("16 UNAUTHENTICATED"), { code: status.UNAUTHENTICATED });
        return attempts === 1 ? Promise.reject(refusal) : new Promise(() => undefined);
      }),
    );
    let outcome: unknown;
    void refused.then((error) => (outcome = error));
    while (outcome === undefined) {
      mock.timers.tick(100);
      await turn();
    }
    expect(attempts).to.equal(2);
    expect(outcome).to.match(/refuses the user name or the password/);
  });
});
