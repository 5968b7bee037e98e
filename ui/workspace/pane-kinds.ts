import type { ReferenceResult } from "@colloquy/schemas/ai/references.ts";
import { html, nothing, type TemplateResult } from "lit";
import type { Search } from "../composer/reference-search.ts";
import { icons } from "../controls/icons.ts";
import "../conversation/conversation.ts";
import type { Arrangement } from "./arrangement.ts";
import type { Tab } from "./layout/layout.ts";
import { pathOf, type Target } from "./layout/target.ts";
import type { Sessions } from "./sessions.ts";

/** What every pane of a workspace may use. */
export interface PaneContext {
  sessions: Sessions;
  arrangement: Arrangement;
  pages: ReferenceResult[];
  search: Search;
  /** A line above the composer of the conversation that is worked in, or was last. */
  notice: unknown;
  /** Reads pages of courses. */
  open: typeof fetch;
}

/** What a tab can hold. A new kind is an entry here, a member of `Target` and a case of `readTarget`. */
interface PaneKind<Of extends Target> {
  /** What it is, as it is told to those who hear it. */
  name: string;
  icon: unknown;
  title(target: Of, context: PaneContext, tab: Tab): string;
  busy(context: PaneContext, tab: Tab): boolean;
  render(target: Of, context: PaneContext, tab: Tab): TemplateResult;
  /** Puts the keyboard into it. */
  reach(panel: Element): void;
}

type PaneKinds = { [Kind in Target["kind"]]: PaneKind<Extract<Target, { kind: Kind }>> };

/** The page's element is loaded when the first page is opened; if that fails, with the next that is drawn. */
const loadPageElement = (): void => {
  if (!customElements.get("colloquy-course-page")) void import("./course-page.ts").catch(() => undefined);
};

const kinds: PaneKinds = {
  conversation: {
    name: "conversation",
    icon: nothing,
    title({ conversationId }, { sessions }) {
      if (!conversationId) return "New conversation";
      return sessions.titleOf(conversationId) || "Conversation";
    },
    busy: ({ sessions }, tab) => tab.target.kind === "conversation" && sessions.running.has(tab.target.conversationId ?? ""),
    render({ conversationId }, { sessions, arrangement, pages, search, notice }, tab) {
      return html`<colloquy-conversation .session=${arrangement.session(tab)} .models=${sessions.models} .recent=${sessions.recent} .pages=${pages}
        .hiddenModels=${sessions.preferences.hiddenModels} .search=${search} .notice=${conversationId === arrangement.conversationId ? notice : nothing}
        .blocked=${sessions.expired ? "Sign in again to send. What you write is kept." : null}></colloquy-conversation>`;
    },
    reach: (panel) => panel.querySelector("colloquy-conversation")?.focusComposer(),
  },
  page: {
    name: "course page",
    icon: icons.page,
    title: ({ title, href }) => title || decodeURIComponent(pathOf(href).split("/").at(-1) ?? ""),
    busy: () => false,
    render({ href }, { open }, tab) {
      loadPageElement();
      return html`<colloquy-course-page .href=${href} .tabId=${tab.id} .open=${open}></colloquy-course-page>`;
    },
    reach(panel) {
      const page = panel.querySelector("colloquy-course-page");
      void customElements.whenDefined("colloquy-course-page").then(() => page?.reach());
    },
  },
};

export const kindOf = (target: Target): PaneKind<Target> => kinds[target.kind] as PaneKind<Target>;
