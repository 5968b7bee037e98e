import { setTimeout } from "node:timers/promises";
import type { Config } from "@colloquy/infra/config.ts";
import { actingFor } from "@colloquy/infra/http/acting-account.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import { type AccessTokens, accessTokens } from "@colloquy/infra/identity/access-tokens.ts";
import { connectorMetadataUrl, connectorResource } from "@colloquy/infra/identity/connector-address.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { connectorPath, connectorScopeNames, resourceMetadataPath } from "@colloquy/schemas/assistants/assistant.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/assistants.ts";
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { type Request, type Response, Router } from "express";
import { admission, allowListed, type Limits, refuse } from "./access.ts";
import type { Assistants } from "./assistants.ts";
import type { ConnectorNeeds } from "./tool-context.ts";
import { sendWeb, webRequest } from "./web-exchange.ts";

export interface Connector {
  /** Before everything that is for browsers: it has its own rules for origins and bodies, and knows no cookies. */
  router: Router;
  /**
   * Takes no new calls, lets those under way end for a moment, then has each answered that it was broken off. Takes no longer than
   * `connectorBounds.closingMs`: whoever has no answer by then is cut off.
   */
  close(): Promise<void>;
}

type Options = Omit<ConnectorNeeds, "stopping"> & { log: Logger; assistants: Assistants; tokens?: AccessTokens | null; limits?: Limits };

/** `POST|GET|DELETE /mcp` and `GET /.well-known/oauth-protected-resource[/mcp]`. Not there with `CONNECTOR=off`, and where nobody can sign in. */
export function connector(options: Options): Connector {
  const { config, log, assistants, limits = connectorBounds } = options;
  const tokens = options.tokens === undefined ? accessTokens(config) : options.tokens;
  const router = Router();
  /** What is being answered, each until its response is over. */
  const running = new Map<AbortController, Promise<void>>();
  const stopping = new AbortController();
  let closing = false;
  let handler: Promise<McpHttpHandler> | null = null;
  if (config.CONNECTOR === "off" || !tokens) return { router, close: async () => undefined };

  router.get([resourceMetadataPath, resourceMetadataPath + connectorPath], (_request, response) => {
    response.set({ "access-control-allow-origin": "*", "cache-control": "public, max-age=300" }).json(metadataOf(config, tokens));
  });

  const admitted = admission({ config, tokens, assistants, limits });
  // Most processes never see an assistant, and the SDK takes a while to load.
  const served = () => {
    handler ??= import("./server.ts").then(({ connectorHandler }) =>
      connectorHandler({ ...options, limits, version: "0.1.0", stopping: stopping.signal }),
    );
    return handler;
  };

  async function serve(request: Request, response: Response): Promise<void> {
    const token = await admitted(request, response);
    if (!token) return;
    // It may have begun to close while the token was judged.
    if (closing) return refuseWhileClosing(response);
    const gone = new AbortController();
    const over = Promise.withResolvers<void>();
    running.set(gone, over.promise);
    response.once("close", () => {
      running.delete(gone);
      over.resolve();
      gone.abort();
    });
    if (response.destroyed) response.emit("close");
    const extra = { token, correlationId: request.id };
    const { clientId, scopes, expiresAt } = token;
    // The access token itself goes no further than this.
    const authInfo = { token: "", clientId, scopes, expiresAt, resourceMetadataUrl: connectorMetadataUrl(config), extra };
    const { fetch } = await served();
    const answer = await actingFor(token.accountId, () => fetch(webRequest(request, config.publicUrl, gone.signal), { authInfo }));
    // The SDK's way to say that the connection was closed, which here it is not.
    if (gone.signal.aborted && closing && !response.headersSent && !response.destroyed) return refuseWhileClosing(response);
    await sendWeb(answer, response);
  }

  router.use(connectorPath, allowListed(config), (_request, response, next) => (closing ? refuseWhileClosing(response) : next()));
  router.all(connectorPath, (request, response) =>
    serve(request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      log.error({ err: error, requestId: request.id }, "the connector could not answer");
      if (response.headersSent) response.destroy();
      else refuse(response, 503, "The connector is not available right now. Try again in a moment.", { "retry-after": "2" });
    }),
  );
  return {
    router,
    async close() {
      closing = true;
      const moment = connectorBounds.closingMs / 3;
      const inAMoment = (...what: (Promise<unknown> | undefined)[]): Promise<unknown> =>
        Promise.race([Promise.all([...running.values(), ...what]), setTimeout(moment, undefined, { ref: false })]);
      await inAMoment();
      stopping.abort(new Error("the service ends"));
      await inAMoment();
      for (const one of running.keys()) one.abort();
      await inAMoment(handler?.then((one) => one.close()));
    },
  };
}

/** Nothing was begun: whoever asks again is answered by the next process. */
const refuseWhileClosing = (response: Response): void =>
  refuse(response, 503, "The service is restarting. Send the same request again in a moment, with the same requestId.", {
    "retry-after": "2",
  });

/** Who gives out access to this resource, and what may be asked for (RFC 9728). */
const metadataOf = (config: Config, { issuer }: AccessTokens) => ({
  resource: connectorResource(config),
  authorization_servers: [issuer],
  scopes_supported: connectorScopeNames,
  bearer_methods_supported: ["header"],
  resource_name: "Colloquy",
});

/** Lists the assistants that act for an account, and revokes or allows their access. */
export function assistantRoutes({ config, assistants }: { config: Config; assistants: Assistants }): Router {
  const address = config.CONNECTOR === "off" ? null : connectorResource(config);
  return serve([
    route(contracts.listAssistants, async ({ account: { accountId }, query: { after } }) => ({
      ...(await assistants.list(accountId, after)),
      address,
    })),
    route(contracts.allowAssistant, async ({ account: { accountId }, body: { clientId, allowed, requestId } }) => ({
      assistant: await assistants.allow(accountId, clientId, allowed, requestId),
    })),
  ]);
}
