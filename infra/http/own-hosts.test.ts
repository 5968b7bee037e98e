import { expect } from "chai";
import { ownHostMatcher } from "./own-hosts.ts";

describe("the names we go by", () => {
  const ours = ownHostMatcher("127.0.0.1", "https://learn.example");
  for (const host of [
    "localhost",
    "localhost:8080",
    "LOCALHOST",
    "127.0.0.1:9",
    "[::1]:8080",
    "192.0.2.7",
    "learn.example",
    "a.localhost:1",
  ])
    it(`include ${host}`, () => expect(ours(host)).to.equal(true));
  for (const host of [
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "learn.example.evil",
    "127.0.0.1.evil.example",
    "",
    undefined,
    "a b",
  ])
    it(`do not include ${host}`, () => expect(ours(host)).to.equal(false));
  it("are not known when others can reach us directly", () =>
    expect(ownHostMatcher("0.0.0.0", "http://localhost:1")("lan-name")).to.equal(true));
});
