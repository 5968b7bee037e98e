import type { Server } from "node:http";
import { createServer } from "node:http";
import { type Config, readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import type { DemonstrationCourse } from "@colloquy/infra/demo/courses.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { createFrontDoor } from "@colloquy/infra/http/front-door.ts";
import { publicFetch } from "@colloquy/infra/http/public-fetch.ts";
import { embeddedProvider } from "@colloquy/infra/identity/embedded/provider.ts";
import { sessionSecret } from "@colloquy/infra/identity/session.ts";
import { Browser } from "@colloquy/infra/identity/testing/browser.ts";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { TutorTables } from "@colloquy/projections/tutor/queries.ts";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Kysely } from "kysely";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { changeHandlers } from "../sync/handlers.ts";
import { assistantProposals } from "../tutor/assistant-proposals.ts";
import { type ServedTutor, serveTutor } from "../tutor/tutor.fixture.ts";
import type { Limits } from "./access.ts";
import { type Assistants, assistantsOf } from "./assistants.ts";
import { connector } from "./routes.ts";
import { planTickets } from "./tickets.ts";

/** The connector as it is served: front door, embedded identity provider, command API, each over real HTTP. */
export interface ServedConnector {
  readonly config: Config;
  readonly home: string;
  readonly tutor: ServedTutor;
  readonly assistants: Assistants;
  /** A client of the official SDK, registered, agreed to and connected. */
  connect(as?: Partial<Connecting>): Promise<Connected>;
  /** The names that the identity provider had looked up for assistants; all of them lead to this machine. */
  readonly lookedUp: readonly string[];
  /** As when the provider's process ends and another takes its place. */
  restartIdentity(): Promise<void>;
  /** What the command API does first when it is told to end. */
  closeConnector(): Promise<void>;
  close(): Promise<void>;
}

interface Connecting {
  /** A demonstration account. */
  account: string;
  scope: string;
  /** What its person leaves ticked. */
  agreed: string[];
  modern: boolean;
  url: string;
}

export interface Connected {
  client: Client;
  tokens(): OAuthTokens;
  /** Calls a tool; gives what it said, or throws its error's text. */
  call<Result = Record<string, never>>(name: string, input: object): Promise<Result>;
  /** The text of the error a tool answers with. */
  refusal(name: string, input: object): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  verifier?: "own" | "assistant";
  /** Courses with questions of their own, which are asked first; without them those of the demonstration courses are left out. */
  others?: DemonstrationCourse[];
  more?: Record<string, string>;
  limits?: Limits;
  /** Puts something between the application and its models. */
  around?: (gateway: ModelGateway) => ModelGateway;
  /** Keeps the read model of sessions, which this room may not import. */
  project?: (options: { store: EventStore; database: Kysely<TutorTables>; signal: AbortSignal }) => Promise<void>;
}

export async function serveConnector({
  verifier = "own",
  others = [],
  more = {},
  project,
  around = (gateway) => gateway,
  limits = { requestsPerMinute: 10_000, changesPerMinute: 10_000 },
}: Options = {}): Promise<ServedConnector> {
  const tutor = await serveTutor({ courses: ["linear-maps", "learning-to-learn"], others });
  const [port = 0, identityPort = 0] = await freePorts(2);
  const config = readConfig({
    DATA_DIR: tutor.folder,
    NODE_ENV: "development",
    LOG_LEVEL: "silent",
    PORT: String(port),
    IDENTITY_PORT: String(identityPort),
    ...more,
  });
  const log = createLog("test", config);
  const lookedUp: string[] = [];
  const lookup = (name: string, _options: object, answer: (error: null, found: { address: string; family: number }[]) => void): void => {
    lookedUp.push(name);
    answer(null, [{ address: "127.0.0.1", family: 4 }]);
  };
  const read = publicFetch({ bytes: 1_000, ms: 60_000, lookup: lookup as never });
  const serveIdentity = async (): Promise<Server> => {
    const server = createServer(embeddedProvider(config, log, undefined, read));
    await new Promise<void>((resolve) => server.listen(identityPort, "127.0.0.1", resolve));
    return server;
  };
  let identity = await serveIdentity();
  const database = openDatabase<TutorTables>({ ...config, DATABASE_URL: `sqlite://${tutor.folder}/read-models.db` }, {});
  const stopping = new AbortController();
  const projected = project?.({ store: tutor.store, database, signal: stopping.signal });
  const assistants = assistantsOf(tutor.store);
  const tutoring = {
    gateway: around(tutor.gateway),
    library: tutor.library,
    sessions: tutor.sessions,
    courses: tutor.courses,
    now: () => new Date().toISOString(),
    clock: () => performance.now(),
    random: Math.random,
  };
  const propose = assistantProposals({ ...tutoring, tickets: planTickets(sessionSecret(config)), verifier });
  const mcp = connector({
    ...tutoring,
    config,
    log,
    assistants,
    database,
    propose,
    tutor: tutor.handlers,
    changes: changeHandlers({ store: tutor.store }),
    catalogue: tutor.catalogue,
    limits,
  });
  const api = await listen(createApp({ config, log, routers: [], apart: mcp.router }), 0);
  const door = createFrontDoor({
    publicUrl: config.publicUrl,
    backends: {
      phase: () => "ready",
      doing: () => null,
      runs: () => true,
      port: (room) => (room === "identity" ? identityPort : api.port),
    },
  });
  await door.listen(port, "127.0.0.1");
  const home = config.publicUrl;
  const opened: Connected[] = [];

  return {
    config,
    home,
    tutor,
    assistants,
    lookedUp,
    async restartIdentity() {
      await closeServer(identity, 0);
      identity = await serveIdentity();
    },
    closeConnector: () => mcp.close(),
    async connect({ account = "learner", scope, agreed, modern = true, url = `${home}/mcp` } = {}) {
      const kept: {
        client?: OAuthClientInformationMixed;
        tokens?: OAuthTokens;
        verifier?: string;
        leave?: URL;
        discovery?: OAuthDiscoveryState;
      } = {};
      const keep = (more: typeof kept): void => void Object.assign(kept, more);
      const transportTo = () =>
        new StreamableHTTPClientTransport(new URL(url), {
          authProvider: {
            redirectUrl: "http://localhost:9/callback",
            clientMetadata: {
              client_name: "A scripted assistant",
              redirect_uris: ["http://localhost:9/callback"],
              grant_types: ["authorization_code", "refresh_token"],
              response_types: ["code"],
              token_endpoint_auth_method: "none",
              ...(scope !== undefined && { scope }),
            },
            clientInformation: () => kept.client,
            saveClientInformation: (client) => keep({ client }),
            tokens: () => kept.tokens,
            saveTokens: (tokens) => keep({ tokens }),
            redirectToAuthorization: (leave) => keep({ leave }),
            saveCodeVerifier: (verifier) => keep({ verifier }),
            codeVerifier: () => kept.verifier ?? "",
            saveDiscoveryState: (discovery) => keep({ discovery }),
            discoveryState: () => kept.discovery,
          },
        });
      const clientOf = () =>
        new Client({ name: "scripted", version: "1.0.0" }, { versionNegotiation: { mode: modern ? "auto" : "legacy" } });
      const first = transportTo();
      let client = clientOf();
      try {
        await client.connect(first);
        throw new Error("the connector let somebody in without a token");
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error;
      }
      const leave = kept.leave ?? new URL("about:blank");
      if (scope !== undefined) leave.searchParams.set("scope", scope);
      await first.finishAuth(await agreeTo(leave, account, agreed));
      client = clientOf();
      await client.connect(transportTo());
      const answer = (name: string, input: object) => client.callTool({ name, arguments: { ...input } });
      const connected: Connected = {
        client,
        tokens: () => kept.tokens ?? ({} as OAuthTokens),
        async call<Result>(name: string, input: object) {
          const { isError, structuredContent, content } = await answer(name, input);
          if (isError) throw new Error(JSON.stringify(content));
          return structuredContent as Result;
        },
        async refusal(name, input) {
          const { isError, content } = await answer(name, input);
          if (!isError) throw new Error(`${name} was carried out`);
          return (content as { text?: string }[]).map(({ text }) => text ?? "").join("\n");
        },
        close: () => client.close(),
      };
      opened.push(connected);
      return connected;
    },
    async close() {
      for (const one of opened) await one.close();
      await mcp.close();
      await door.close(0);
      await closeServer(api.server, 0);
      await closeServer(identity, 0);
      stopping.abort();
      await projected;
      await database.destroy();
      await tutor.close();
    },
  };
}

/** What a person does at the provider: chooses an account, leaves ticked what is agreed to, allows. Gives the code's parameters. */
export async function agreeTo(leave: URL, account: string, agreed?: string[], press = "allow"): Promise<URLSearchParams> {
  const browser = new Browser();
  const asked = await browser.follow(leave.href);
  const form = async (response: Response, url: string) => {
    const page = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`no form at ${url}: ${page.slice(0, 300)}`);
    return { page, url: new URL(action, url).href };
  };
  const who = await form(asked.response, asked.url);
  const chosen = await browser.go(who.url, { method: "POST", body: new URLSearchParams({ account }) });
  const consent = await form(chosen, who.url);
  const ticked = [...consent.page.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = ""]) => scope.replace("&#58;", ":"));
  const body = new URLSearchParams({ account, consent: press });
  for (const scope of agreed ?? ticked) body.append("scope", scope);
  let response = await browser.go(consent.url, { method: "POST", body });
  let at = consent.url;
  for (let hops = 0; hops < 8; hops += 1) {
    at = new URL(response.headers.get("location") ?? "", at).href;
    if (at.startsWith("http://localhost:9/")) return new URL(at).searchParams;
    response = await browser.go(at);
  }
  throw new Error(`the provider led nowhere: ${at}`);
}
