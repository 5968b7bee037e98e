import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { connectorPath, resourceMetadataPath } from "@colloquy/schemas/assistants/assistant.ts";
import { closeServer, keepAliveMs } from "../process/http-server.ts";
import { beginSpan, type Span, tracingEnabled } from "../telemetry/traces.ts";
import { rateLimitPerAddress } from "./address-limit.ts";
import { createForwarder } from "./forward.ts";
import { doorRefusals, doorRequests } from "./front-door-metrics.ts";
import { fontFile, noticePagePolicy, renderNotice } from "./notice-page.ts";
import { ownHostMatcher } from "./own-hosts.ts";
import { ProblemError, problemBody } from "./problem.ts";
import { languageOfReader } from "./reader-language.ts";
import { trustedProxies } from "./trusted-proxies.ts";
import { isTraced } from "./untraced.ts";

/** The services behind the front door. */
export type Service = "command" | "query" | "identity";

/** The state of the services behind the front door. */
export interface Backends {
  /** `starting` until everything serves for the first time. */
  phase(): "starting" | "ready";
  /** The current step of the start, for people; null if there is none. */
  doing(): string | null;
  /** Whether the service belongs to the program: the embedded identity provider does not if another one is configured. */
  runs(room: Service): boolean;
  /** The port a service answers on; null while it does not. */
  port(room: Service): number | null;
  /** The machine it answers on: this one unless told otherwise. */
  host?(room: Service): string;
}

export interface FrontDoor {
  /** Takes the port on the interface. Rejects with the system's error (`EADDRINUSE` when it is taken). Resolves with the port taken. */
  listen(port: number, host: string): Promise<number>;
  /** Accepts no new requests; running ones may finish for `graceMs`, streams end at once. */
  close(graceMs: number): Promise<void>;
}

/** Headers of one request in bytes; longer ones are refused with 431. The inner services have the same bound. */
const headerBytes = 16_384;
const headersWithinMs = 15_000;
/** What is said of HTTP that cannot be parsed, by Node's code; requests are unknown then. */
const malformed: Readonly<Record<string, { status: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: { status: "431 Request Header Fields Too Large", detail: "The headers are too long." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: "413 Content Too Large", detail: "The extensions of a chunk are too long." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", detail: "The request did not arrive in time. Send it again." },
};
const again = { startingSeconds: 1, downSeconds: 2 };
/**
 * Requests that may wait for one service. More could not be answered within seconds, and would only delay all others: a service of a small
 * machine begins some 400 answers a second.
 */
const waitingAtMost = 512;

/** Path prefixes of other protocols than pages and the API. */
export const protocolPaths: Readonly<Record<string, Service>> = {
  "/oidc": "identity",
  "/.well-known/oauth-authorization-server": "identity",
  "/.well-known/openid-configuration": "identity",
  [connectorPath]: "command",
  [resourceMetadataPath]: "command",
};

/** Which service answers a request. */
export function serviceFor(method: string, path: string): Service {
  const under = (prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
  for (const [prefix, room] of Object.entries(protocolPaths)) if (under(prefix)) return room;
  if (under("/auth")) return "command";
  if (!under("/api")) return "query";
  if (method !== "GET" && method !== "HEAD") return "command";
  if (under("/api/ai")) return path === "/api/ai/references" ? "query" : "command";
  return under("/api/course-editor") || under("/api/reminders") ? "command" : "query";
}

/**
 * The public address of the program: forwards every request to its service and answers itself when that service is unavailable.
 * @param options.addressPerMinute requests per minute of one address; 0 for no limit
 * @param options.proxies trusted proxies besides this machine
 * @param options.mostWaiting requests that may wait for one service; more are refused
 * @param options.lingerMs how long the rest of a body may still arrive after its request was answered
 */
export function createFrontDoor(options: {
  publicUrl: string;
  backends: Backends;
  addressPerMinute?: number;
  proxies?: readonly string[];
  mostWaiting?: number;
  lingerMs?: number;
}): FrontDoor {
  const { publicUrl, backends, addressPerMinute = 0, proxies = [], mostWaiting = waitingAtMost, lingerMs } = options;
  const limit = rateLimitPerAddress(addressPerMinute, proxies);
  const forwarder = createForwarder(new URL(publicUrl).protocol.replace(":", ""), lingerMs);
  const isTrusted = trustedProxies(proxies);
  const servers: Server[] = [];
  const answering = new WeakSet<Duplex>();
  let isOwnName: (host: string | undefined) => boolean = () => false;
  let closing = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (closing) response.setHeader("connection", "close");
    const path = (request.url ?? "/").split(/[?#]/, 1)[0] ?? "/";
    const font = fontFile(path);
    const room = serviceFor(request.method ?? "GET", path);
    // The query API answers with its page for a missing address.
    const answers = backends.runs(room) ? room : "query";
    const port = backends.phase() === "starting" ? null : backends.port(answers);
    const to = port === null ? null : { host: backends.host?.(answers) ?? "127.0.0.1", port };
    const unavailable = (): void => respondUnavailable(request, response, path, backends);
    const span = tracingEnabled() && isTraced(path) ? requestSpan(request, response, answers) : null;
    const seconds = await limit(request);
    if (seconds !== null) respondTooManyRequests(request, response, path, seconds);
    else if (!isOwnName(request.headers.host)) respondUnknownHost(request, response, path);
    else if (font) sendFont(request, response, font);
    else if (to === null) unavailable();
    else if (forwarder.waiting(to) >= mostWaiting) respondUnavailable(request, response, path, backends, { isBusy: true });
    else forwarder.forward(request, response, to, unavailable, span?.traceparent);
  }

  /** A trace begins here unless a trusted proxy began it: others could otherwise cause any number of traces. */
  function requestSpan(request: IncomingMessage, response: ServerResponse, answers: Service): Span {
    const { method = "GET", headers, socket } = request;
    const given = isTrusted(socket.remoteAddress) ? headers.traceparent : undefined;
    const parent = typeof given === "string" ? given : null;
    const span = beginSpan(`${method} → ${answers}`, { kind: "server", parent, attributes: { "http.request.method": method } });
    response.once("close", () => {
      span.set({ "http.response.status_code": response.headersSent ? response.statusCode : 0 });
      if (response.statusCode >= 500) span.failed(undefined);
      span.end();
    });
    return span;
  }

  function listenOnce(port: number, host: string): Promise<number> {
    const server = createServer(
      { maxHeaderSize: headerBytes, headersTimeout: headersWithinMs, keepAliveTimeout: keepAliveMs },
      (request, response) => {
        response.once("close", () =>
          doorRequests.inc({ status: response.headersSent ? `${Math.floor(response.statusCode / 100)}xx` : "none" }),
        );
        answering.add(request.socket);
        response.once("close", () => answering.delete(request.socket));
        answer(request, response).catch(() => response.destroy());
      },
    );
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      // An answer that has begun cannot be followed by another.
      if (!socket.writable || answering.has(socket) || error.code === "ECONNRESET") socket.destroy();
      else refuseMalformed(socket, error.code ?? "");
    });
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host }, () => {
        server.off("error", reject);
        servers.push(server);
        const address = server.address();
        resolve(typeof address === "object" && address ? address.port : port);
      });
    });
  }

  async function close(graceMs: number): Promise<void> {
    closing = true;
    forwarder.endStreams();
    await Promise.all(servers.map((server) => closeServer(server, graceMs)));
    forwarder.close();
  }

  return {
    async listen(port, host) {
      isOwnName = ownHostMatcher(host, publicUrl);
      const taken = await listenOnce(port, host);
      // `localhost` means both loopback addresses: a program on the other one would get some of the requests.
      if (host === "127.0.0.1")
        await listenOnce(taken, "::1").catch(async (error: unknown) => {
          if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
            await close(0);
            throw error;
          }
        });
      return taken;
    },
    close,
  };
}

/** A problem document for what is no HTTP, whose connection cannot be used further. */
function refuseMalformed(socket: Duplex, code: string): void {
  doorRefusals.inc({ reason: "malformed" });
  const { status, detail } = malformed[code] ?? { status: "400 Bad Request", detail: "This is not HTTP that can be read." };
  const problem = problemBody(new ProblemError("invalid_request", { detail }), randomUUID());
  const body = JSON.stringify({ ...problem, status: Number.parseInt(status, 10) });
  const headers = ["content-type: application/problem+json", `content-length: ${Buffer.byteLength(body)}`, "cache-control: no-store"];
  socket.end([`HTTP/1.1 ${status}`, ...headers, "connection: close", "", body].join("\r\n"), () => socket.destroy());
}

function sendFont(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  response.writeHead(200, { "content-type": "font/woff2", "content-length": bytes.length, "cache-control": "public, max-age=604800" });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** 503; the page for people reloads itself. */
function respondUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  backends: Backends,
  { isBusy = false } = {},
): void {
  doorRefusals.inc({ reason: isBusy ? "busy" : "unavailable" });
  const starting = backends.phase() === "starting";
  const seconds = starting ? again.startingSeconds : again.downSeconds;
  const state = isBusy ? "Colloquy is busy." : starting ? "Colloquy is starting." : "A part of Colloquy is restarting.";
  const problem = new ProblemError("unavailable", { detail: `${state} Try again in a moment.` });
  respond(request, response, path, problem, () => unavailablePage(request, backends, seconds, isBusy), { "retry-after": String(seconds) });
}

/** 429 for an address that sent too many requests. */
function respondTooManyRequests(request: IncomingMessage, response: ServerResponse, path: string, seconds: number): void {
  doorRefusals.inc({ reason: "limit" });
  const language = languageOfReader(request.headers);
  const { msg } = translatorFor(language);
  const problem = new ProblemError("rate_limited", { detail: "Too many requests came from this address. Wait a moment." });
  const page = (): string =>
    renderNotice({
      language,
      title: msg("page.tooManyRequests"),
      refreshSeconds: seconds,
      text: [msg("page.tooManyRequestsCameNetworkNothing"), msg("page.pageRetriesAutomatically")],
    });
  respond(request, response, path, problem, page, { "retry-after": String(seconds) });
}

/** 403 for a host name that is not the program's. */
function respondUnknownHost(request: IncomingMessage, response: ServerResponse, path: string): void {
  doorRefusals.inc({ reason: "name" });
  const language = languageOfReader(request.headers);
  const { msg } = translatorFor(language);
  const title = msg("page.pageDoesNotExist");
  const text = [msg("page.operatorSetAddressPublicUrl")];
  respond(
    request,
    response,
    path,
    new ProblemError("not_allowed", { detail: "This is not one of Colloquy's addresses. Use one that PUBLIC_URL names." }),
    () => renderNotice({ language, title, text }),
    {},
  );
}

/** An error as problem+json for the API, as a page for people. */
function respond(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  error: ProblemError,
  page: () => string,
  headers: Record<string, string>,
): void {
  if (response.headersSent) return void response.destroy();
  const given = request.headers["x-request-id"];
  const requestId = typeof given === "string" && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomUUID();
  const forPeople = !path.startsWith("/api/") && (request.headers.accept ?? "").includes("text/html");
  const problem = problemBody(error, requestId);
  const body = forPeople ? page() : JSON.stringify(problem);
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined;
  response.writeHead(problem.status, {
    "content-type": forPeople ? "text/html; charset=utf-8" : "application/problem+json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    "content-security-policy": noticePagePolicy("'none'"),
    // The request body is not read.
    ...(hasBody && { connection: "close" }),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function unavailablePage(request: IncomingMessage, backends: Backends, seconds: number, isBusy: boolean): string {
  // Reloading the response to a form would send the form again.
  const language = languageOfReader(request.headers);
  const { msg, fromEnglish } = translatorFor(language);
  const doing = backends.doing();
  const refresh = request.method === "GET" || request.method === "HEAD" ? { refreshSeconds: seconds } : {};
  if (backends.phase() === "starting")
    return renderNotice({
      language,
      title: msg("page.colloquyIsStarting"),
      text: [doing === null ? msg("page.colloquyStarting") : fromEnglish(doing), msg("page.pageOpensItselfMoment")],
      ...refresh,
    });
  return renderNotice({
    language,
    title: msg("page.oneMoment"),
    text: [...(isBusy ? [] : [msg("page.partColloquyRestartingNothing")]), msg("page.pageRetriesAutomatically")],
    ...refresh,
  });
}
