import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import { clientAddress, networkPrefix, rateLimitPerAddress } from "./address-limit.ts";
import { isProxy, trustedProxies } from "./trusted-proxies.ts";

const from = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

describe("the limit of an address", () => {
  it("believes the proxy of this machine about who asks, and nobody else", () => {
    expect(clientAddress(from("127.0.0.1", "198.51.100.1, 203.0.113.9"))).to.equal("203.0.113.9");
    expect(clientAddress(from("203.0.113.7", "198.51.100.1"))).to.equal("203.0.113.7");
    expect(clientAddress(from("::ffff:127.0.0.1"))).to.equal(null);
    expect(clientAddress(from("127.0.0.1", "127.0.0.1"))).to.equal(null);
  });

  it("believes proxies elsewhere where they are named, and each of them only about the one before it", () => {
    const trusted = trustedProxies(["10.42.0.0/16", "fd00::/8"]);
    expect(clientAddress(from("10.42.3.1", "198.51.100.1, 203.0.113.9"), trusted)).to.equal("203.0.113.9");
    expect(clientAddress(from("10.42.3.1", "198.51.100.1, 203.0.113.9, 10.42.9.9"), trusted)).to.equal("203.0.113.9");
    expect(clientAddress(from("::ffff:10.42.3.1", "203.0.113.9"), trusted)).to.equal("203.0.113.9");
    expect(clientAddress(from("fd00::7", "2001:db8::1"), trusted)).to.equal("2001:db8::1");
    expect(clientAddress(from("10.43.3.1", "203.0.113.9"), trusted)).to.equal("10.43.3.1");
    expect(clientAddress(from("10.42.3.1"), trusted)).to.equal("10.42.3.1");
    for (const wrong of ["10.42.0.0/33", "10.42", "10.42.0.0/16/2", "proxy.example", "fd00::/129", "1.2.3.4/x"])
      expect(isProxy(wrong), wrong).to.equal(false);
  });

  it("takes a home's many addresses for one", () => {
    expect(networkPrefix("2001:db8:1:2:aaaa::1")).to.equal(networkPrefix("2001:db8:1:2::ffff"));
    expect(networkPrefix("2001:db8:1:2::1")).to.not.equal(networkPrefix("2001:db8:1:3::1"));
    expect(networkPrefix("2001:db8::1")).to.equal("2001:db8:0:0");
    expect(networkPrefix("203.0.113.9")).to.equal("203.0.113.9");
  });

  it("says how long to wait once too many have come, to that address alone", async () => {
    const limit = rateLimitPerAddress(2);
    for (let sent = 0; sent < 2; sent += 1) expect(await limit(from("203.0.113.7"))).to.equal(null);
    expect(await limit(from("203.0.113.7"))).to.be.within(1, 60);
    expect(await limit(from("203.0.113.8"))).to.equal(null);
    expect(await rateLimitPerAddress(0)(from("203.0.113.7"))).to.equal(null);
  });
});
