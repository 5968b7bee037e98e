import type { IncomingMessage, ServerResponse } from "node:http";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { isAuditorOnly } from "@colloquy/schemas/accounts/account.ts";
import { type ConnectorScope, connectorScopeNames } from "@colloquy/schemas/assistants/assistant.ts";
import type { Language } from "@colloquy/schemas/languages.ts";
import type { InteractionResults, Provider } from "oidc-provider";
import type { Config } from "../../config.ts";
import { noticePagePolicy, renderNotice } from "../../http/notice-page.ts";
import { languageOfReader } from "../../http/reader-language.ts";
import { assistantName, scopesToRead } from "../access-tokens.ts";
import { type DemonstrationAccount, demonstrationAccounts } from "../accounts.ts";
import { connectorResource } from "../connector-address.ts";
import { embeddedClientId } from "../provider-client.ts";
import { consentPage } from "./consent-page.ts";
import { signInPage } from "./sign-in-page.ts";
import type { SignedIn } from "./signed-in.ts";

const longestForm = 2_000;

type Details = Awaited<ReturnType<Provider["interactionDetails"]>>;

/**
 * The page that asks who is there, and what it sends back. An assistant is asked about as well, on a second page of the same interaction,
 * which comes first for whoever is signed in here already: the provider itself remembers nobody, so each connection is agreed to anew.
 */
export async function answerInteraction(
  provider: Provider,
  config: Config,
  request: IncomingMessage,
  response: ServerResponse,
  signedIn: SignedIn,
): Promise<void> {
  const language = languageOfReader(request.headers);
  const details = await provider.interactionDetails(request, response).catch(() => null);
  if (!details) return sendPage(config, response, 400, troublePage(language));
  const action = request.url ?? "";
  const leadsTo = leadsBackTo(details);
  const security = pageSecurity(config, leadsTo);
  const clientId = String(details.params.client_id);
  const asked = scopesAsked(details);
  /** An auditor's assistant reads, as its auditor does. */
  const askedOf = (account: DemonstrationAccount) => (isAuditorOnly(account) ? scopesToRead(asked) : asked);
  async function askConsent(account: DemonstrationAccount): Promise<void> {
    const client = await provider.Client.find(clientId);
    const clientName = assistantName(client?.clientName);
    sendPage(config, response, 200, consentPage({ action, clientName, leadsTo, account, scopes: askedOf(account), language }), security);
  }
  if (request.method !== "POST") {
    const known = clientId !== embeddedClientId && asked.length > 0 ? await signedIn(request) : null;
    return known ? askConsent(known) : sendPage(config, response, 200, signInPage(action, language), security);
  }
  const form = new URLSearchParams(await formOf(request));
  const account = demonstrationAccounts.find(({ key }) => key === form.get("account"));
  if (form.get("account") && !account) return sendPage(config, response, 400, signInPage(action, language), security);
  const finish = (result: InteractionResults) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  const refused = (why: string) => finish({ error: "access_denied", error_description: why });
  if (!account) return refused("the person chose not to sign in");
  if (clientId === embeddedClientId) return finish({ login: { accountId: account.key, remember: false } });

  if (asked.length === 0)
    return finish({ error: "invalid_scope", error_description: "ask for scopes of the connector, as its metadata lists them" });
  const chosen = askedOf(account).filter((scope) => form.getAll("scope").includes(scope));
  if (form.get("consent") === "refuse") return refused("the person refused");
  if (form.get("consent") === "other") return sendPage(config, response, 200, signInPage(action, language), security);
  if (form.get("consent") !== "allow" || chosen.length === 0) return askConsent(account);
  await finish(await agreed(provider, config, details, account, chosen));
}

/** What an assistant asks for, as far as it is ours to give. */
function scopesAsked({ params }: Details): ConnectorScope[] {
  const asked = String(params.scope ?? "").split(" ");
  return connectorScopeNames.filter((scope) => asked.includes(scope));
}

async function agreed(
  provider: Provider,
  config: Config,
  { params }: Details,
  { key }: DemonstrationAccount,
  chosen: readonly ConnectorScope[],
): Promise<InteractionResults> {
  const asked = String(params.scope ?? "").split(" ");
  const grant = new provider.Grant({ accountId: key, clientId: String(params.client_id) });
  const resource = connectorResource(config);
  const kept = asked.filter((scope) => !(connectorScopeNames as readonly string[]).includes(scope));
  grant.addOIDCScope([...kept, ...chosen].join(" "));
  grant.addResourceScope(resource, chosen.join(" "));
  const left = connectorScopeNames.filter((scope) => asked.includes(scope) && !chosen.includes(scope)).join(" ");
  if (left) {
    grant.rejectOIDCScope(left);
    grant.rejectResourceScope(resource, left);
  }
  return { login: { accountId: key, remember: false }, consent: { grantId: await grant.save() } };
}

/** Where the browser is sent at the end, as far as it says who is behind it. */
function leadsBackTo({ params }: Details): string {
  const url = URL.parse(String(params.redirect_uri ?? ""));
  if (!url) return "";
  return /^https?:$/.test(url.protocol) ? url.origin : url.protocol;
}

/** A small form's body; a longer one counts as empty. */
async function formOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) {
    body += String(part);
    if (body.length > longestForm) return "";
  }
  return body;
}

function sendPage(config: Config, response: ServerResponse, status: number, page: string, security = pageSecurity(config)): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": security,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  response.end(page);
}

/** Forms may lead back to the public address and, at the end, to whoever began: browsers hold the redirect after a form to this, too. */
export function pageSecurity(config: Config, leadsTo = ""): string {
  return noticePagePolicy(`'self' ${new URL(config.publicUrl).origin} ${leadsTo}`.trimEnd());
}

export function troublePage(language: Language): string {
  const { msg } = translatorFor(language);
  return renderNotice({
    language,
    title: msg("page.signExpired"),
    text: [msg("page.begunTooLongAgo")],
    actions: [{ href: "/auth/login", label: msg("common.signIn") }],
  });
}
