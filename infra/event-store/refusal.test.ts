import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { isAnswer, isNotThere, refusalOf } from "./refusal.ts";

const failure = (code: number, message: string): Error => Object.assign(new Error(message), { code });

describe("refusals of the event store", () => {
  const cases: [string, Error, RegExp][] = [
    ["wrong credentials", failure(status.UNAUTHENTICATED, "16 UNAUTHENTICATED"), /user name or the password/],
    ["a missing right", failure(status.PERMISSION_DENIED, "7 PERMISSION_DENIED: Access Denied"), /lacks a right/],
    ["an unknown authority", failure(status.UNAVAILABLE, "14 UNAVAILABLE: self-signed certificate in chain"), /tlsCAFile/],
    ["another host's certificate", failure(14, "Hostname/IP does not match certificate's altnames"), /another host name/],
    ["an expired certificate", failure(14, "certificate has expired"), /has expired/],
    ["a server without TLS", failure(14, "write EPROTO: wrong version number"), /does not use TLS/],
    ["a server with TLS", failure(14, "Connection dropped: read ECONNRESET"), /tls=true/],
    ["nothing there", failure(14, "connect ECONNREFUSED 127.0.0.1:2113"), /Nothing listens/],
    ["an unknown host", failure(14, "Name resolution failed for target dns:nowhere"), /host name/],
    ["a cluster without a leader", failure(status.UNKNOWN, "2 UNKNOWN: No leader info available in response"), /no leader/],
    ["a slow subscriber", failure(status.ABORTED, "10 ABORTED: Consumer too slow to handle event while live"), /too slowly/],
  ];
  for (const [name, error, sentence] of cases) it(`has a sentence for ${name}`, () => expect(refusalOf(error)).to.match(sentence));

  it("finds the cause of an error of ours, and says nothing about others", () => {
    expect(refusalOf(new Error("away", { cause: failure(status.UNAUTHENTICATED, "no") }))).to.match(/password/);
    expect(refusalOf(new Error("something else"))).to.equal(null);
  });

  it("tells an answer from a lost connection", () => {
    expect(isAnswer(failure(status.ABORTED, "Consumer too slow"))).to.equal(true);
    expect(isAnswer(failure(status.UNAVAILABLE, "Connection dropped"))).to.equal(false);
    expect(isNotThere(failure(status.UNKNOWN, "Unexpected ReadAllResult: Error"))).to.equal(true);
    expect(isNotThere(failure(status.UNKNOWN, "No leader info available in response"))).to.equal(false);
  });
});
