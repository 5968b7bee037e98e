import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join, normalize } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { fileURLToPath } from "node:url";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { ensureBuilt } from "../../../build.ts";
import { PlayedService } from "../service.ts";

const dist = fileURLToPath(new URL("../../../dist/", import.meta.url));
const types: Record<string, string> = { js: "text/javascript", css: "text/css", woff2: "font/woff2", map: "application/json" };

export interface PlayedServer {
  url: string;
  service: PlayedService;
  close(): Promise<void>;
}

/** Serves the built workspace with a fake service at a free port. */
export async function startPlayedServer(): Promise<PlayedServer> {
  const built = await ensureBuilt();
  const service = new PlayedService();
  const server: Server = createServer((request, response) => {
    serve(built, service, request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    service,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(built: BuiltUi, service: PlayedService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://played.test");
  if (pathname.startsWith("/api/") || pathname.startsWith("/auth/")) return play(service, request, response);
  if (pathname.startsWith("/assets/")) {
    const name = normalize(pathname.slice("/assets/".length));
    response.setHeader("content-type", types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream");
    response.end(await readFile(join(dist, name)));
    return;
  }
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(page(built, pathname === "/sign-in" ? signIn : workspace));
}

interface Shell {
  entry: string;
  sheets: string[];
  body: string;
}
const workspace: Shell = {
  entry: "workspace",
  sheets: ["theme", "reading", "katex", "workspace"],
  body: "<colloquy-shell demo></colloquy-shell>",
};
const signIn: Shell = { entry: "sign-in", sheets: ["theme", "sign-in"], body: "" };

function page(built: BuiltUi, { entry, sheets, body }: Shell): string {
  const links = sheets.flatMap((name) => (built.sheets[name] ? `<link rel="stylesheet" href="/assets/${built.sheets[name]}">` : []));
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Colloquy</title><link rel="icon" href="data:,">${links.join("")}<script type="module" src="/assets/${built.scripts[entry]?.file}"></script><body>${body}</body></html>`;
}

async function play(service: PlayedService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])) as [string, string][],
  );
  const answer = await service.fetch(request.url ?? "/", {
    method: request.method ?? "GET",
    headers,
    signal: gone.signal,
    ...(chunks.length && { body: Buffer.concat(chunks).toString("utf8") }),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return void response.end();
  const body = Readable.fromWeb(answer.body as NodeReadableStream);
  body.on("error", () => response.destroy());
  body.pipe(response);
}
