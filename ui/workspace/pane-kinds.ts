import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import { html, nothing, type TemplateResult } from "lit";
import type { Fetch } from "../api/http.ts";
import type { TutorApi } from "../api/tutor.ts";
import type { Search } from "../composer/reference-search.ts";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import "../conversations/conversation.ts";
import { pathOf } from "../courses/paths.ts";
import type { Arrangement } from "./arrangement.ts";
import type { Tab } from "./layout/layout.ts";
import type { Target } from "./layout/target.ts";
import type { Sessions } from "./sessions.ts";

/** What panes may use. */
export interface PaneContext {
  sessions: Sessions;
  arrangement: Arrangement;
  pages: ReferenceResult[];
  search: Search;
  /** A line above the composer of the last active conversation. */
  notice: unknown;
  /** Fetches course pages. */
  open: typeof fetch;
  tutor: TutorApi;
  /** The account's authenticated `fetch`. */
  send: Fetch;
}

/** A kind of tab content. A new kind needs an entry here, a member of `Target`, and a case in `readTarget` and `sameTarget`. */
interface PaneKind<Of extends Target> {
  /** The name for screen readers. */
  name: string;
  icon: unknown;
  title(target: Of, context: PaneContext, tab: Tab): string;
  busy(context: PaneContext, tab: Tab): boolean;
  render(target: Of, context: PaneContext, tab: Tab): TemplateResult;
  /** Focuses the content. */
  focus(panel: Element): void;
}

type PaneKinds = { [Kind in Target["kind"]]: PaneKind<Extract<Target, { kind: Kind }>> };

/** Loads an element on first use; a failure is retried with the next render. */
const load = (name: string, from: () => Promise<unknown>): void => {
  if (!customElements.get(name)) void from().catch(() => undefined);
};
const signInAgain = (keeps: boolean): string => (keeps ? msg("workspace.signAgainSendWrite") : msg("workspace.signAgainSend"));
const focusWhenDefined = (panel: Element, name: "colloquy-course-page" | "colloquy-ledger" | "colloquy-explainer"): void => {
  const element = panel.querySelector(name);
  void customElements.whenDefined(name).then(() => element?.isConnected && element.reach());
};

const kinds: PaneKinds = {
  conversation: {
    name: "conversation",
    icon: nothing,
    title({ conversationId }, { sessions }) {
      if (!conversationId) return msg("composer.newConversation");
      return sessions.titleOf(conversationId) || msg("conversation.conversation3");
    },
    busy: ({ sessions }, tab) => tab.target.kind === "conversation" && sessions.running.has(tab.target.conversationId ?? ""),
    render({ conversationId }, { sessions, arrangement, pages, search, notice }, tab) {
      return html`<colloquy-conversation .session=${arrangement.session(tab)} .models=${sessions.models} .recent=${sessions.recent} .pages=${pages}
        .hiddenModels=${sessions.preferences.hiddenModels} .search=${search} .notice=${conversationId === arrangement.conversationId ? notice : nothing}
        .blocked=${sessions.expired ? signInAgain(sessions.store.persistent) : null}></colloquy-conversation>`;
    },
    focus: (panel) => panel.querySelector("colloquy-conversation")?.focusComposer(),
  },
  ledger: {
    name: "ledger",
    icon: icons.ledger,
    title: ({ title }) => (title ? msg("ledger.ledger", { title }) : msg("ledger.ledgerOfASession")),
    busy: () => false,
    render({ of, event }, { sessions, tutor }) {
      load("colloquy-ledger", () => import("../audit/ledger/ledger.ts"));
      return html`<colloquy-ledger .of=${of} .event=${event} .api=${tutor} .version=${sessions.tutorVersion(of)}></colloquy-ledger>`;
    },
    focus: (panel) => focusWhenDefined(panel, "colloquy-ledger"),
  },
  explainer: {
    name: "film",
    icon: icons.film,
    title: ({ title }) => (title ? msg("explainer.video", { title }) : msg("explainer.filmOfAPage")),
    busy: () => false,
    render({ of, film, title }, { sessions, send }) {
      load("colloquy-explainer", () => import("../explainers/explainer.ts"));
      return html`<colloquy-explainer .of=${of} .film=${film} .pageTitle=${title} .fetch=${send} .store=${sessions.store} .sessionOf=${sessions.tutoringOf} .onRecorded=${sessions.refreshTutoring}></colloquy-explainer>`;
    },
    focus: (panel) => focusWhenDefined(panel, "colloquy-explainer"),
  },
  page: {
    name: "course page",
    icon: icons.page,
    title: ({ title, href }) => title || decodeURIComponent(pathOf(href).split("/").at(-1) ?? ""),
    busy: () => false,
    render({ href }, { open }, tab) {
      load("colloquy-course-page", () => import("../courses/course-page.ts"));
      return html`<colloquy-course-page .href=${href} .tabId=${tab.id} .open=${open}></colloquy-course-page>`;
    },
    focus: (panel) => focusWhenDefined(panel, "colloquy-course-page"),
  },
};

export const kindOf = (target: Target): PaneKind<Target> => kinds[target.kind] as PaneKind<Target>;
