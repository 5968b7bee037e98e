import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { errorCodes } from "@colloquy/schemas/errors.ts";
import { expect } from "chai";
import { clientOf, lastWord } from "./client.ts";
import { type Deed, deedNames, emptyRecord } from "./deeds.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { calmFaults, deedFaults, liveFaults, readinessFaults, type Sample, stopFaults, toMeet, unmet } from "./judge.ts";

/** A fault that is begun at 1,000, has its effect from 1,500, and ends at 6,000. */
const span = { from: 1_000, inForce: 1_500, until: 6_000 };
const deed = (change: Partial<Deed>): Deed => ({
  name: "push",
  who: "the witness",
  began: 2_000,
  ended: 2_100,
  outcome: "done",
  status: 200,
  why: "",
  ...change,
});
const faultOf = (part: string, what: string): Fault =>
  faultsOf(() => 0.5).find((one) => one.part === part && one.what.includes(what)) as Fault;

describe("whether a fault was met", () => {
  const store = { mustWait: ["push"], mayWait: ["ask"] } as const;
  const everything = toMeet(store).map((name) => deed({ name, ...(name === "push" && { outcome: "waits" as const }) }));

  it("given everything was tried, when what needs the part waited and the rest went on, then nothing is wrong", () => {
    expect(unmet(store, everything, span)).to.deep.equal([]);
  });

  it("given a kind of thing that nobody tried while it lasted, then the fault was not survived, and the kind is named", () => {
    const without = everything.filter(({ name }) => name !== "push" && name !== "pull");
    const early = deed({ name: "pull", began: 1_200, ended: 1_300 });
    expect(unmet(store, [...without, early], span)).to.deep.equal(["nobody met it with: pull", "nobody met it with: push"]);
    expect(unmet(store, [], span)).to.have.length(toMeet(store).length);
  });

  it("given something that does not need the part, when it was done only behind the end, then it did not go on", () => {
    const late = everything.map((one) => (one.name === "pull" ? deed({ name: "pull", ended: 6_100 }) : one));
    expect(unmet(store, late, span)).to.deep.equal(["did not go on: pull"]);
  });

  it("given something that cannot be done without the part, when it was done meanwhile, then it was no fault, or it was not true", () => {
    const needless = [...everything, deed({ name: "push" })];
    expect(unmet(store, needless, span)).to.deep.equal(["was done without what it needs: push"]);
    expect(unmet(store, [...everything, deed({ name: "push", ended: 6_200 })], span)).to.deep.equal([]);
  });

  it("asks for the reading of what was just written wherever something can be written", () => {
    expect(toMeet({ mustWait: [], mayWait: ["push"] })).to.not.include("read what was just written");
    expect(toMeet({ mustWait: [], mayWait: [] })).to.have.members([...deedNames]);
  });

  it("has something that must wait for every part that is away, except the worker", () => {
    const idle = faultsOf(() => 0.5).filter(({ mustWait, mayWait }) => mustWait.length + mayWait.length === 0);
    expect(new Set(idle.map(({ part }) => part))).to.have.all.keys("worker");
  });
});

describe("how requests went in a fault", () => {
  const away = faultOf("event store", "killed");
  const broken = deed({ name: "read a page", outcome: "broken", why: "reset" });

  it("given what does not need the part was refused, then it waited without need", () => {
    expect(deedFaults(away, [deed({ name: "read a page", outcome: "waits", why: "503" })], span)).to.deep.equal([
      "waited without need: read a page of the witness: 503",
    ]);
    expect(deedFaults(away, [deed({ name: "push", outcome: "waits" })], span)).to.deep.equal([]);
  });

  it("given a connection that ended without an answer, or that nobody took, then it was not told in words", () => {
    for (const outcome of ["broken", "unreachable", "hung", "wrong"] as const)
      expect(deedFaults(away, [{ ...broken, outcome }], span), outcome).to.have.length(1);
    expect(deedFaults(faultOf("front door", "killed"), [broken], span)).to.deep.equal([]);
  });

  it("given the front door was told to stop, when what was under way is broken, then it is wrong; what comes after may be", () => {
    const stop = faultOf("front door", "told to stop");
    expect(deedFaults(stop, [{ ...broken, began: 900, ended: 1_200 }], span)).to.have.length(1);
    expect(deedFaults(stop, [broken, { ...broken, outcome: "unreachable" }], span)).to.deep.equal([]);
  });
});

describe("what /readyz says of a fault", () => {
  const says = (at: number, ...why: string[]): Sample => ({ at, status: why.length > 0 ? 503 : 200, why, starved: false });
  const times = { from: 1_000, until: 6_000, over: 12_000 };
  const away = faultOf("event store", "refuses").readiness;
  const gone = "event store: does not answer.";

  it("given it named the part in time and was well soon after, then it told the truth, and when is known", () => {
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

  it("given a part is away for long, when it goes on saying 200, names another, or is late, then it did not", () => {
    expect(readinessFaults(away, [says(2_000), says(7_000)], times).wrong).to.deep.equal(["/readyz went on saying 200"]);
    expect(readinessFaults(away, [says(2_000, "object-store: gone"), says(7_000)], times).wrong[0]).to.match(
      /does not name the part: object-store/,
    );
    expect(readinessFaults(away, [says(6_900, gone), says(7_000)], times).wrong).to.deep.equal(["/readyz named the part only after 5.9 s"]);
  });

  it("given the program is in service without the part, when it is off all the same, then it did not", () => {
    const { readiness } = faultOf("identity provider", "refuses");
    expect(readinessFaults(readiness, [says(2_000), says(7_000)], times).wrong).to.deep.equal([]);
    expect(readinessFaults(readiness, [says(2_000, "identity: gone"), says(7_000)], times).wrong[0]).to.match(
      /off after 1.0 s for another reason/,
    );
  });

  it("given a part comes and goes, when it is off for that part, then it may; for another it may not", () => {
    const { readiness } = faultOf("event store", "slow");
    expect(readinessFaults(readiness, [says(2_000, gone), says(7_000)], times).wrong).to.deep.equal([]);
    expect(readinessFaults(readiness, [says(2_000, gone, "command-api: gone"), says(7_000)], times).wrong).to.have.length(1);
  });

  it("given it is not well again, or too late, then it did not", () => {
    expect(readinessFaults(away, [says(2_000, gone), says(11_000, gone)], times).wrong[0]).to.match(/not 200 again within 30 s/);
    const late = [says(2_000, gone), says(37_000)];
    expect(readinessFaults(away, late, { ...times, over: 40_000 }).wrong).to.have.length(1);
    expect(readinessFaults(away, [], times).wrong).to.include("/readyz was not asked");
  });

  it("given a machine that is too busy, then what it says at that moment counts for nothing, and too many such moments are wrong", () => {
    const { readiness } = faultOf("model", "refuses");
    const starved = { ...says(2_000, "object-store: late"), starved: true };
    const well = [says(2_100, "object-store: late"), says(2_200), says(2_300), says(7_000)];
    expect(readinessFaults(readiness, [starved, ...well], times).wrong).to.deep.equal([]);
    expect(readinessFaults(readiness, [starved, ...well, says(7_100, "object-store: late"), says(7_200)], times).wrong).to.have.length(1);
    expect(readinessFaults(readiness, [starved, says(7_000)], times).wrong).to.deep.equal([
      "the machine was too busy for /readyz to be judged",
    ]);
    expect(calmFaults([starved, says(5_000)])).to.deep.equal([]);
    for (const nothing of [[], [starved, says(3_000)]]) expect(calmFaults(nothing)[0]).to.match(/could be judged/);
    expect(calmFaults([says(2_000, gone)])).to.have.length(1);
  });

  it("is asked to name every part that the program is not ready without, and none that it is", () => {
    const hard = faultsOf(() => 0.5).filter(({ what }) => what.includes("killed, started again"));
    const named = hard.filter(({ readiness }) => readiness.says === "503").map(({ part }) => part);
    const not = hard.filter(({ readiness }) => readiness.says === "200").map(({ part }) => part);
    expect(not).to.have.members(["identity provider", "model", "worker"]);
    expect(named).to.have.length(hard.length - not.length);
  });
});

describe("how a service ends that is told to", () => {
  const told = { from: 1_000, saying: ["ask"], withinMs: 3_000 } as const;
  const underWay = deed({ name: "ask", began: 500, ended: 1_200 });

  it("given an answer under way, when it ends with a last word and the service with 0 in time, then it ended in order", () => {
    expect(stopFaults({ code: 0, ms: 400 }, [underWay], told)).to.deep.equal([]);
    expect(stopFaults({ code: 0, ms: 400 }, [{ ...underWay, outcome: "waits" }], told)).to.deep.equal([]);
  });

  it("given the answer was cut off, or none was under way, then it did not", () => {
    expect(stopFaults({ code: 0, ms: 400 }, [{ ...underWay, outcome: "broken", why: "reset" }], told)).to.deep.equal([
      "it did not end what it was saying: ask: reset",
    ]);
    expect(stopFaults({ code: 0, ms: 400 }, [{ ...underWay, began: 1_100 }], told)[0]).to.match(/nothing was under way/);
  });

  it("given another code, or too long, then it did not", () => {
    expect(stopFaults({ code: 1, ms: 400 }, [underWay], told)).to.deep.equal(["it ended with 1"]);
    expect(stopFaults({ code: 0, ms: 3_400 }, [underWay], told)).to.deep.equal(["it took 3.4 s to end"]);
  });
});

describe("what live streams brought", () => {
  const followed = (name: string, acknowledged: string[], streamed: [string, number][]) => ({
    name,
    acknowledged,
    streamed: new Map(streamed),
  });

  it("given each brought everything of its account once, then nothing is lost", () => {
    const all = [followed("mira", ["a"], [["a", 1]]), followed("tomas", [], [])];
    expect(liveFaults(all)).to.deep.equal({ lost: [], doubled: [], wrong: [] });
  });

  it("given one that brought nothing, or something twice, then that is lost, and doubled", () => {
    const found = liveFaults([followed("mira", ["a"], []), followed("tomas", ["b"], [["b", 2]])]);
    expect(found.lost).to.deep.equal(["the live stream of mira did not bring a"]);
    expect(found.doubled).to.deep.equal(["the live stream of tomas brought b 2 times"]);
  });

  it("given none brought anything, when nothing was written either, then the run shows nothing", () => {
    expect(liveFaults([followed("mira", [], [])]).wrong).to.deep.equal(["no live stream brought anything"]);
  });
});

describe("how a request is noted", () => {
  it("given 429 in words, then it is wrong: nobody here does more than people do", async () => {
    const server = createServer((_request, response) => {
      const { title, retryable } = errorCodes.rate_limited;
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
    const record = emptyRecord();
    const client = clientOf({ url, issuer: "http://elsewhere", who: "mira", record });
    const refused = await client.send("pull", "/api/sync/pull").catch((error: unknown) => error);
    server.close();
    server.closeAllConnections();
    expect(refused).to.include({ final: false });
    expect(record.deeds.map(({ outcome, who }) => [outcome, who])).to.deep.equal([["wrong", "mira"]]);
    const nobody = await client.send("pull", "/api/sync/pull").catch((error: unknown) => error);
    expect(nobody).to.be.instanceOf(Error);
    expect(record.deeds.at(-1)?.outcome).to.equal("unreachable");
  });

  it("goes by the last word of an answer in pieces", () => {
    const error = (code: string, retryable = true) => JSON.stringify({ kind: "error", code, title: "words", retryable });
    const outcomes = [
      JSON.stringify({ kind: "complete" }),
      error("unavailable"),
      error("rate_limited"),
      error("not_found", false),
      undefined,
    ];
    expect(outcomes.map((line) => lastWord(line).outcome)).to.deep.equal(["done", "waits", "wrong", "wrong", "broken"]);
    expect(lastWord(JSON.stringify({ kind: "status" })).outcome).to.equal("broken");
    expect(lastWord(error("stale_session", false), ["stale_session"]).outcome).to.equal("done");
  });
});
