import type { LookupAddress } from "node:dns";
import { createServer, type Server } from "node:net";
import { expect } from "chai";
import { isPublicAddress, publicFetch } from "./public-fetch.ts";

describe("an address that a client has named", () => {
  let server: Server;
  let port: number;
  let connections: number;
  before(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as { port: number }).port;
  });
  after(() => server.close());
  beforeEach(() => {
    connections = 0;
  });

  /** Names resolve to one list of addresses after another, as whoever owns them likes. */
  const reading = (answers: string[][], allows?: (address: string) => boolean) => {
    let asked = 0;
    const lookup = ((_name: string, _options: object, answer: (error: null, found: LookupAddress[]) => void) => {
      const found = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      answer(
        null,
        found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    }) as unknown as NonNullable<Parameters<typeof publicFetch>[0]["lookup"]>;
    const read = publicFetch({ bytes: 1_000, ms: 60_000, lookup, ...(allows && { allows }) });
    const failure = (host: string, scheme = "https") =>
      read(`${scheme}://${host}:${port}/client.json`).then(
        () => "answered",
        (error: Error) => error.message,
      );
    return { failure, asked: () => asked };
  };

  it("is of the internet, or of a network of one's own", () => {
    for (const address of ["8.8.8.8", "93.184.216.34", "172.32.0.1", "2606:4700::1111"])
      expect(isPublicAddress(address), address).to.equal(true);
    for (const address of [
      "127.0.0.1",
      "127.8.9.1",
      "10.1.2.3",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "0.0.0.0",
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "fe80::1",
      "fc00::1",
      "fd12::1",
      "ff02::1",
      "::ffff:127.0.0.1",
      "::ffff:8.8.8.8",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "2001:db8::1",
      "no address",
      "",
    ])
      expect(isPublicAddress(address), address).to.equal(false);
  });

  it("is not gone to where its name leads to this machine or a network of our own, not even by one of several addresses", async () => {
    for (const addresses of [
      ["127.0.0.1"],
      ["::1"],
      ["10.0.0.1"],
      ["169.254.169.254"],
      ["93.184.216.34", "127.0.0.1"],
      ["::ffff:127.0.0.1"],
    ])
      expect(await reading([addresses]).failure("assistant.example"), addresses.join()).to.include("not public");
    expect(connections).to.equal(0);
  });

  it("is not gone to by number either, however it is written, nor in the open", async () => {
    for (const host of ["127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "user:secret@93.184.216.34"])
      expect(await reading([["93.184.216.34"]]).failure(host), host).to.include("not public");
    expect(await reading([["127.0.0.1"]], () => true).failure("assistant.example", "http")).to.include("not public");
    expect(connections).to.equal(0);
  });

  it("is connected to as it was judged: a name that is bound anew meanwhile leads nowhere else", async () => {
    const { failure, asked } = reading([["127.0.0.1"], ["127.0.0.9"]], (address) => address === "127.0.0.1");
    // The server hangs up on it: what matters is whom it went to.
    expect(await failure("rebound.example")).not.to.include("not public");
    expect([asked(), connections]).to.deep.equal([1, 1]);
    expect(await failure("rebound.example")).to.include("not public");
    expect([asked(), connections]).to.deep.equal([2, 1]);
  });
});
