import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as requestTo } from "node:http";
import { fileURLToPath } from "node:url";
import { serveConnector } from "@colloquy/command-api/assistants/assistants.fixture.ts";
import { closeServer, openPort } from "@colloquy/infra/process/http-server.ts";

/**
 * `npm run conformance [-- <arguments>]`: the official conformance suite of the Model Context Protocol against the connector, over real HTTP.
 * The suite brings no token, so a gate before the connector adds one and changes nothing else. It is fetched from the registry at each
 * run: some hundred packages that nothing else here needs. Ends with the suite's own code.
 */
const version = process.env.CONFORMANCE_VERSION ?? "0.1.16";

const served = await serveConnector();
const { tokens } = await served.connect();
const target = new URL(served.home);
const gate = createServer((request, response) => {
  // The suite's own addresses, with the connector's port in the place of the gate's.
  const { host, origin } = request.headers;
  const there = (address: string): string => address.replace(`:${port}`, `:${target.port}`);
  const named = { ...(host !== undefined && { host: there(host) }), ...(origin !== undefined && { origin: there(origin) }) };
  const headers = { ...request.headers, ...named, authorization: `Bearer ${tokens().access_token}` };
  const onward = requestTo({ host: "127.0.0.1", port: target.port, method: request.method, path: request.url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
});
const port = await openPort(gate, 0, { onError: () => undefined });
const suite = ["exec", "--yes", `--package=@modelcontextprotocol/conformance@${version}`, "--", "conformance"];
const known = fileURLToPath(new URL("./conformance-baseline.yml", import.meta.url));
const options = ["server", "--url", `http://localhost:${port}/mcp`, "--expected-failures", known, ...process.argv.slice(2)];
const child = spawn("npm", [...suite, ...options], { stdio: "inherit" });
const [code] = await once(child, "exit");
await closeServer(gate, 0);
await served.close();
process.exitCode = Number(code ?? 1);
