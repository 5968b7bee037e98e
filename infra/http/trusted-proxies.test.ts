import { expect } from "chai";
import { trustedProxies } from "./trusted-proxies.ts";

describe("trusted proxies", () => {
  const isTrusted = trustedProxies(["10.42.0.0/16", "fd00::/8"]);

  it("are this machine and the networks that are named", () => {
    expect(["127.0.0.1", "::1", "::ffff:10.42.3.7", "fd12::1"].map(isTrusted)).to.deep.equal([true, true, true, true]);
  });

  it("are no other addresses, nor what is no address", () => {
    expect(["10.43.0.1", "fe80::1", "unknown", ""].map(isTrusted)).to.deep.equal([false, false, false, false]);
  });

  it("are not the unknown address of a socket whose peer hung up", () => {
    expect(isTrusted(undefined)).to.equal(false);
  });
});
