import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/**
 * What befalls the next request for such a path. `before`: the connection is cut, and nothing of it arrives. `after`: it arrives, its answer does
 * not. `half`: the connection is cut in the middle of what is sent. `flip`: a byte arrives as another one. `dark`: nothing passes any more, from
 * here on, in any connection.
 */
export interface InjectedFault {
  path: RegExp;
  what: "before" | "after" | "half" | "flip" | "dark";
  /** Done at that moment. */
  meanwhile?: () => void;
}

/** A TCP proxy between a worker and the command API that injects faults into chosen requests. */
export interface WorkerProxy {
  url: string;
  /** Pending faults, each used once. */
  faults: InjectedFault[];
  /** Requests so far, such as `POST claim`. */
  requests: string[];
  /** Responses so far, such as `POST claim 200`. */
  responses: string[];
  /** Delivers held data, also of connections that were closed meanwhile. */
  resume(): void;
  close(): Promise<void>;
}

const requestLine = /^(POST|PUT|GET) \/api\/visual-explainers\/worker\/(\S+) HTTP\/1\.1\r\n/;
/** Less of an upload is not the middle of it yet. */
const halfBytes = 20_000;

export async function openWorkerProxy(api: () => string): Promise<WorkerProxy> {
  const open = new Set<Socket>();
  const troubles: InjectedFault[] = [];
  const [heard, answered]: [string[], string[]] = [[], []];
  let dark = false;
  let held: (() => void)[] = [];
  const pass = (deliver: () => void): void => {
    if (dark) held.push(deliver);
    else deliver();
  };

  const server = createServer((worker) => {
    const { hostname, port } = new URL(api());
    const program = connect(Number(port), hostname);
    let [asked, trouble, sent]: [string, InjectedFault | undefined, number] = ["", undefined, 0];
    const cut = (): void => {
      worker.destroy();
      program.destroy();
    };
    for (const socket of [worker, program]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
    }
    worker.on("data", (chunk) => {
      const [line, method, path = ""] = requestLine.exec(chunk.subarray(0, 400).toString("latin1")) ?? [];
      if (line) {
        asked = `${method} ${path.replace(/\?.*/, "").replace(/jobs\/[^/]+\//, "")}`;
        heard.push(asked);
        const at = troubles.findIndex((one) => one.path.test(asked));
        [trouble] = at < 0 ? [] : troubles.splice(at, 1);
        sent = 0;
        if (trouble) trouble.meanwhile?.();
        if (trouble?.what === "dark") dark = true;
      }
      sent += chunk.length;
      if (trouble?.what === "before") return cut();
      if (trouble?.what === "flip" && !line) {
        chunk[0] = (chunk[0] ?? 0) ^ 1;
        trouble = undefined;
      }
      pass(() => program.write(chunk));
      if (trouble?.what === "half" && (sent > halfBytes || !line)) cut();
    });
    program.on("data", (chunk) => {
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(chunk.subarray(0, 20).toString("latin1")) ?? [];
      if (status) answered.push(`${asked} ${status}`);
      if (trouble?.what === "after") return cut();
      pass(() => worker.write(chunk));
    });
    worker.on("close", () => pass(() => program.end()));
    program.on("close", () => pass(() => worker.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: troubles,
    requests: heard,
    responses: answered,
    resume() {
      dark = false;
      const waiting = held;
      held = [];
      for (const deliver of waiting) deliver();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
