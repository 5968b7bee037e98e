import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { errorCodes, errorTitles } from "@colloquy/schemas/errors.ts";
import { expect } from "chai";
import { type Fault, faultsOf } from "./faults.ts";
import {
  baselineFaults,
  expectationFaults,
  expectedKinds,
  liveFaults,
  type ReadinessSample,
  readinessFaults,
  requestFaults,
  stopFaults,
} from "./judge.ts";
import { outcomeOfLastFrame, recordingClient } from "./recording-client.ts";
import { emptyRequestLog, type RecordedRequest, requestKinds } from "./request-log.ts";

/** A fault that is begun at 1,000, has its effect from 1,500, and ends at 6,000. */
const span = { from: 1_000, inForce: 1_500, until: 6_000 };
const deed = (change: Partial<RecordedRequest>): RecordedRequest => ({
  name: "push",
  who: "the witness",
  startedAt: 2_000,
  endedAt: 2_100,
  outcome: "done",
  status: 200,
  why: "",
  ...change,
});
const faultOf = (part: string, what: string): Fault =>
  faultsOf(() => 0.5).find((one) => one.part === part && one.what.includes(what)) as Fault;

describe("expectations during a fault", () => {
  const store = { mustWait: ["push"], mayWait: ["ask"] } as const;
  const everything = expectedKinds(store).map((name) => deed({ name, ...(name === "push" && { outcome: "waits" as const }) }));

  it("accepts a fault in which dependent requests wait and the others succeed", () => {
    expect(expectationFaults(store, everything, span)).to.deep.equal([]);
  });

  it("names the kinds of requests that nobody sent during the fault", () => {
    const without = everything.filter(({ name }) => name !== "push" && name !== "pull");
    const early = deed({ name: "pull", startedAt: 1_200, endedAt: 1_300 });
    expect(expectationFaults(store, [...without, early], span)).to.deep.equal([
      "not requested during the fault: pull",
      "not requested during the fault: push",
    ]);
    expect(expectationFaults(store, [], span)).to.have.length(expectedKinds(store).length);
  });

  it("reports an independent request that succeeded only after the fault", () => {
    const late = everything.map((one) => (one.name === "pull" ? deed({ name: "pull", endedAt: 6_100 }) : one));
    expect(expectationFaults(store, late, span)).to.deep.equal(["did not succeed during the fault: pull"]);
  });

  it("reports a dependent request that succeeded during the fault", () => {
    const needless = [...everything, deed({ name: "push" })];
    expect(expectationFaults(store, needless, span)).to.deep.equal(["succeeded without the part it needs: push"]);
    expect(expectationFaults(store, [...everything, deed({ name: "push", endedAt: 6_200 })], span)).to.deep.equal([]);
  });

  it("expects a read-your-writes request wherever writing is possible", () => {
    expect(expectedKinds({ mustWait: [], mayWait: ["push"] })).to.not.include("read what was just written");
    expect(expectedKinds({ mustWait: [], mayWait: [] })).to.have.members([...requestKinds]);
  });

  it("has a request that must wait for every part except the worker", () => {
    const idle = faultsOf(() => 0.5).filter(({ mustWait, mayWait }) => mustWait.length + mayWait.length === 0);
    expect(new Set(idle.map(({ part }) => part))).to.have.all.keys("worker");
  });
});

describe("requests during a fault", () => {
  const away = faultOf("event store", "killed");
  const broken = deed({ name: "read a page", outcome: "broken", why: "reset" });

  it("reports the refusal of a request that does not need the part", () => {
    expect(requestFaults(away, [deed({ name: "read a page", outcome: "waits", why: "503" })], span)).to.deep.equal([
      "waited although it does not need the part: read a page of the witness: 503",
    ]);
    expect(requestFaults(away, [deed({ name: "push", outcome: "waits" })], span)).to.deep.equal([]);
  });

  it("reports a connection that was refused or ended without an answer", () => {
    for (const outcome of ["broken", "unreachable", "hung", "wrong"] as const)
      expect(requestFaults(away, [{ ...broken, outcome }], span), outcome).to.have.length(1);
    expect(requestFaults(faultOf("front door", "killed"), [broken], span)).to.deep.equal([]);
  });

  it("reports requests that a stopping front door breaks, but not later ones", () => {
    const stop = faultOf("front door", "told to stop");
    expect(requestFaults(stop, [{ ...broken, startedAt: 900, endedAt: 1_200 }], span)).to.have.length(1);
    expect(requestFaults(stop, [broken, { ...broken, outcome: "unreachable" }], span)).to.deep.equal([]);
  });
});

describe("readiness during a fault", () => {
  const says = (at: number, ...why: string[]): ReadinessSample => ({ at, status: why.length > 0 ? 503 : 200, why, starved: false });
  const times = { from: 1_000, until: 6_000, over: 12_000 };
  const away = faultOf("event store", "refuses").readiness;
  const gone = "event store: does not answer.";

  it("accepts a readiness that names the part in time and recovers", () => {
    const told = readinessFaults(
      away,
      [says(1_200), says(2_500, gone, "relay to Kafka: not answering."), says(6_200, gone), says(7_000)],
      times,
    );
    expect(told).to.deep.equal({
      offAfter: 1.5,
      wellAfter: 1,
      named: ["event store", "relay to Kafka"],
      starved: { count: 0, of: 4 },
      wrong: [],
    });
  });

  it("reports a readiness that stays 200, is late or names another part", () => {
    expect(readinessFaults(away, [says(2_000), says(7_000)], times).wrong).to.deep.equal(["/readyz went on saying 200"]);
    expect(readinessFaults(away, [says(2_000, "object-store: gone"), says(7_000)], times).wrong[0]).to.match(
      /does not name the part: object-store/,
    );
    expect(readinessFaults(away, [says(6_900, gone), says(7_000)], times).wrong).to.deep.equal(["/readyz named the part only after 5.9 s"]);
  });

  it("reports 503 without a part that the program can do without", () => {
    const { readiness } = faultOf("identity provider", "refuses");
    expect(readinessFaults(readiness, [says(2_000), says(7_000)], times).wrong).to.deep.equal([]);
    expect(readinessFaults(readiness, [says(2_000, "identity: gone"), says(7_000)], times).wrong[0]).to.match(
      /off after 1.0 s for another reason/,
    );
  });

  it("allows 503 for an unsteady part only", () => {
    const { readiness } = faultOf("event store", "slow");
    expect(readinessFaults(readiness, [says(2_000, gone), says(7_000)], times).wrong).to.deep.equal([]);
    expect(readinessFaults(readiness, [says(2_000, gone, "command-api: gone"), says(7_000)], times).wrong).to.have.length(1);
  });

  it("reports a readiness that recovers too late or never", () => {
    expect(readinessFaults(away, [says(2_000, gone), says(11_000, gone)], times).wrong[0]).to.match(/not 200 again within 30 s/);
    const late = [says(2_000, gone), says(37_000)];
    expect(readinessFaults(away, late, { ...times, over: 40_000 }).wrong).to.have.length(1);
    expect(readinessFaults(away, [], times).wrong).to.include("/readyz was not asked");
  });

  it("ignores samples of a starved machine, and reports too many of them", () => {
    const { readiness } = faultOf("model", "refuses");
    const starved = { ...says(2_000, "object-store: late"), starved: true };
    const well = [says(2_100, "object-store: late"), says(2_200), says(2_300), says(7_000)];
    expect(readinessFaults(readiness, [starved, ...well], times).wrong).to.deep.equal([]);
    expect(readinessFaults(readiness, [starved, ...well, says(7_100, "object-store: late"), says(7_200)], times).wrong).to.have.length(1);
    expect(readinessFaults(readiness, [starved, says(7_000)], times).wrong).to.deep.equal([
      "the machine was too busy for /readyz to be judged",
    ]);
    expect(baselineFaults([starved, says(5_000)])).to.deep.equal([]);
    for (const nothing of [[], [starved, says(3_000)]]) expect(baselineFaults(nothing)[0]).to.match(/could be judged/);
    expect(baselineFaults([says(2_000, gone)])).to.have.length(1);
  });

  it("expects 503 for exactly the parts that the program needs", () => {
    const hard = faultsOf(() => 0.5).filter(({ what }) => what.includes("killed, started again"));
    const named = hard.filter(({ readiness }) => readiness.says === "503").map(({ part }) => part);
    const not = hard.filter(({ readiness }) => readiness.says === "200").map(({ part }) => part);
    expect(not).to.have.members(["identity provider", "model", "worker"]);
    expect(named).to.have.length(hard.length - not.length);
  });
});

describe("a service that is told to stop", () => {
  const told = { from: 1_000, saying: ["ask"], withinMs: 3_000 } as const;
  const underWay = deed({ name: "ask", startedAt: 500, endedAt: 1_200 });

  it("accepts a stop that finishes running answers and exits with 0 in time", () => {
    expect(stopFaults({ code: 0, ms: 400 }, [underWay], told)).to.deep.equal([]);
    expect(stopFaults({ code: 0, ms: 400 }, [{ ...underWay, outcome: "waits" }], told)).to.deep.equal([]);
  });

  it("reports a stop that cuts off an answer, or that met none", () => {
    expect(stopFaults({ code: 0, ms: 400 }, [{ ...underWay, outcome: "broken", why: "reset" }], told)).to.deep.equal([
      "it did not end what it was saying: ask: reset",
    ]);
    expect(stopFaults({ code: 0, ms: 400 }, [{ ...underWay, startedAt: 1_100 }], told)[0]).to.match(/nothing was under way/);
  });

  it("reports another exit code and a slow stop", () => {
    expect(stopFaults({ code: 1, ms: 400 }, [underWay], told)).to.deep.equal(["it ended with 1"]);
    expect(stopFaults({ code: 0, ms: 3_400 }, [underWay], told)).to.deep.equal(["it took 3.4 s to end"]);
  });
});

describe("live streams", () => {
  const followed = (name: string, acknowledged: string[], streamed: [string, number][]) => ({
    name,
    acknowledged,
    streamed: new Map(streamed),
  });

  it("accepts streams that bring every change of their account once", () => {
    const all = [followed("mira", ["a"], [["a", 1]]), followed("tomas", [], [])];
    expect(liveFaults(all)).to.deep.equal({ lost: [], doubled: [], wrong: [] });
  });

  it("reports a change that a stream lost or repeated", () => {
    const found = liveFaults([followed("mira", ["a"], []), followed("tomas", ["b"], [["b", 2]])]);
    expect(found.lost).to.deep.equal(["the live stream of mira did not bring a"]);
    expect(found.doubled).to.deep.equal(["the live stream of tomas brought b 2 times"]);
  });

  it("reports a run in which no stream brought anything", () => {
    expect(liveFaults([followed("mira", [], [])]).wrong).to.deep.equal(["no live stream brought anything"]);
  });
});

describe("recorded requests", () => {
  it("records 429 as wrong, because simulated people stay within the limits", async () => {
    const server = createServer((_request, response) => {
      const { retryable } = errorCodes.rate_limited;
      const title = errorTitles.rate_limited;
      const problem = {
        schemaVersion: 1,
        type: "about:blank",
        code: "rate_limited",
        status: 429,
        title,
        retryable,
        requestId: "request-1",
      };
      response.writeHead(429, { "content-type": "application/problem+json", "retry-after": "1" }).end(JSON.stringify(problem));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const record = emptyRequestLog();
    const client = recordingClient({ url, issuer: "http://elsewhere", who: "mira", record });
    const refused = await client.send("pull", "/api/sync/pull").catch((error: unknown) => error);
    server.close();
    server.closeAllConnections();
    expect(refused).to.include({ final: false });
    expect(record.requests.map(({ outcome, who }) => [outcome, who])).to.deep.equal([["wrong", "mira"]]);
    const nobody = await client.send("pull", "/api/sync/pull").catch((error: unknown) => error);
    expect(nobody).to.be.instanceOf(Error);
    expect(record.requests.at(-1)?.outcome).to.equal("unreachable");
  });

  it("takes the outcome of a streamed answer from its last frame", () => {
    const error = (code: string, retryable = true) => JSON.stringify({ kind: "error", code, title: "words", retryable });
    const outcomes = [
      JSON.stringify({ kind: "complete" }),
      error("unavailable"),
      error("rate_limited"),
      error("not_found", false),
      undefined,
    ];
    expect(outcomes.map((line) => outcomeOfLastFrame(line).outcome)).to.deep.equal(["done", "waits", "wrong", "wrong", "broken"]);
    expect(outcomeOfLastFrame(JSON.stringify({ kind: "status" })).outcome).to.equal("broken");
    expect(outcomeOfLastFrame(error("stale_session", false), ["stale_session"]).outcome).to.equal("done");
  });
});
