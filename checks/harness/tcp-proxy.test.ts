import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { expect } from "chai";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

describe("a TCP proxy with faults", () => {
  let echo: Server;
  let proxy: TcpProxy;
  const sockets: Socket[] = [];
  before(async () => {
    echo = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.pipe(socket);
    }).listen(0, "127.0.0.1");
    await once(echo, "listening");
  });
  beforeEach(async () => {
    proxy = await openTcpProxy(() => ({ port: (echo.address() as AddressInfo).port }));
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await proxy.close();
  });
  after(() => echo.close());

  const dial = async (): Promise<Socket> => {
    const socket = connect(proxy.port, "127.0.0.1");
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  };
  const answer = async (socket: Socket, text: string): Promise<string> => {
    socket.write(text);
    const [bytes] = (await once(socket, "data")) as [Buffer];
    return bytes.toString();
  };
  const end = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
      socket.once("end", () => resolve("end"));
    });

  it("forwards data and end of stream in both directions", async () => {
    const socket = await dial();
    expect(await answer(socket, "hello")).to.equal("hello");
    socket.end();
    expect(await end(socket)).to.equal("end");
  });

  it("refuses connections while stopped, then listens on the same port again", async () => {
    const stood = await dial();
    await answer(stood, "hello");
    const ended = end(stood);
    await proxy.set("stopped");
    expect(await ended).to.equal("ECONNRESET");
    const refused = await dial().catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).to.equal("ECONNREFUSED");
    await proxy.set("open");
    expect(await answer(await dial(), "again")).to.equal("again");
  });

  it("holds data back while silent and delivers it afterwards", async () => {
    const socket = await dial();
    await answer(socket, "hello");
    await proxy.set("silent");
    let heard = "";
    socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
    socket.write("held ");
    // What another connection is told in the open has had the time that this would have taken.
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    other.close();
    await once(other, "close");
    expect(heard).to.equal("");
    await proxy.set("open");
    while (heard !== "held ") await once(socket, "data");
  });

  it("resets every connection while connections are cut", async () => {
    const stood = await dial();
    await answer(stood, "hello");
    const ended = end(stood);
    await proxy.set("cut");
    expect([await ended, await end(await dial())]).to.deep.equal(["ECONNRESET", "ECONNRESET"]);
  });

  it("lets nothing overtake what comes late", async () => {
    await proxy.set("slow");
    const [socket, other] = [await dial(), await dial()];
    const long = "one ".repeat(100_000);
    let heard = "";
    socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
    socket.write(long);
    // By then the long one is on its way, and far from there.
    await answer(other, "short");
    await proxy.set("open");
    socket.write("two");
    while (heard.length < long.length + 3) await once(socket, "data");
    expect(heard).to.equal(`${long}two`);
  });
});
