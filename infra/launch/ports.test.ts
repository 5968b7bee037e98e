import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { expect } from "chai";
import { skipTest } from "../skip-test.fixture.ts";
import { freePorts } from "./ports.ts";

describe("free ports", () => {
  it("are different, and can be listened on", async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).to.equal(20);
    for (const port of ports) {
      const server = createServer();
      await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("are not given to two who look for some one after the other, before the first has used them", async () => {
    const [one, other] = [await freePorts(250), await freePorts(250)];
    expect(other.filter((port) => one.includes(port))).to.deep.equal([]);
  });

  it("are none that the system may give to somebody else before they are used", async function () {
    const given = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(() => "");
    const [from = Number.NaN] = given.trim().split(/\s+/).map(Number);
    if (!(from >= 32_000)) return skipTest(this, "this machine does not say what it gives, or gives more than usual");
    for (const port of await freePorts(20)) expect(port).to.be.lessThan(from);
  });
});
