import { uuidv7 } from "../api/uuid.ts";
import type { ConversationSession } from "../conversations/session.ts";
import { msg } from "../messages/page.ts";
import { Emitter } from "../store/emitter.ts";
import type { Library } from "../store/library.ts";
import { currentPath, type Entry, hrefOf, newHref, pushAddress, readAddress, readEntry, replaceAddress } from "./address.ts";
import {
  activate,
  activeTab,
  close,
  focus,
  focusedPane,
  type Layout,
  layoutOf,
  neighbour,
  open,
  openBeside,
  type Pane,
  paneOf,
  panesOf,
  paneWith,
  retarget,
  type Side,
  split,
  type Tab,
  tabFor,
  tabsInView,
  tabsOf,
} from "./layout/layout.ts";
import { MovedPages } from "./layout/moved-pages.ts";
import { conversationTarget, newConversation, sameTarget, type Target } from "./layout/target.ts";
import type { LayoutKeeper } from "./layout-keeper.ts";
import type { Sessions } from "./sessions.ts";

type Events = {
  change: undefined;
  /** Tabs, their targets or the active tab changed; not emitted for resizing. */
  tabs: undefined;
  /** The active tab should get the focus; `look` also scrolls to its place. */
  reach: { tabId: string; look: boolean };
  announce: { text: string };
};

const full = "workspace.manyTabsMayClose";

/** Which tab is in which pane; keeps the address and the stored layout in step. Independent of elements. */
export class Arrangement {
  readonly events = new Emitter<Events>();
  readonly #sessions: Sessions;
  readonly #keeper: LayoutKeeper;
  /** Conversations that have not begun, by tab. */
  readonly #unbegun = new Map<string, ConversationSession>();
  readonly #moved = new MovedPages();
  #layout: Layout;
  /** The last active conversation: the address stays its own while a page is read. */
  #conversation: Target = newConversation;
  /** The history entry as last written. */
  #entry: Entry | null = null;
  /** Another page of the shell is shown, and the active tab has changed since. */
  #changedWhileHidden = false;
  readonly #stop: (() => void)[];

  /** The library of the account's conversations. */
  get library(): Library {
    return this.#sessions.library;
  }

  constructor(sessions: Sessions, keeper: LayoutKeeper) {
    this.#sessions = sessions;
    this.#keeper = keeper;
    const { target, tabId } = here();
    this.#layout = keeper.restored ?? layoutOf({ id: tabId ?? uuidv7(), target }, uuidv7());
    this.#stop = [
      sessions.events.on("claimed", ({ session }) => this.#claimed(session)),
      sessions.events.on("unclaimed", ({ session }) => this.#unclaimed(session)),
      sessions.library.events.on("record", ({ conversationId, record }) => {
        if (!record) void this.#deleted(conversationId);
      }),
      sessions.library.events.on("erased", () => this.#erased()),
    ];
    const isThere = (tab: Tab) => tab.target.kind === "conversation" && (hasAddress(target) || sameTarget(tab.target, targetHere()));
    const conversation = tabsInView(this.#layout).find(isThere);
    if (conversation) this.#conversation = conversation.target;
    this.showAddress();
  }

  get layout(): Layout {
    return this.#layout;
  }
  /** The active tab. */
  get current(): Tab {
    return activeTab(focusedPane(this.#layout));
  }

  /** The id of the last active conversation; null for a new one. */
  get conversationId(): string | null {
    return this.#conversation.kind === "conversation" ? this.#conversation.conversationId : null;
  }

  /** The session of a tab with a conversation; opened on first use. */
  session(tab: Tab): ConversationSession | null {
    if (tab.target.kind !== "conversation") return null;
    if (tab.target.conversationId) return this.#sessions.open(tab.target.conversationId);
    const session = this.#unbegun.get(tab.id) ?? this.#sessions.open(null);
    this.#unbegun.set(tab.id, session);
    return session;
  }

  /** Shows the target of the address and history entry: at the start, and after going back or forward. */
  showAddress(): void {
    if (this.#isBack()) {
      this.apply(this.#layout);
      return;
    }
    const { tabId, target } = here();
    const tab = tabsOf(this.#layout).find(({ id }) => id === tabId);
    const elsewhere = tabFor(this.#layout, target);
    if (tab && (!elsewhere || elsewhere.id === tab.id)) this.apply(activate(retarget(this.#layout, tab.id, target), tab.id));
    else if (elsewhere) this.apply(activate(this.#layout, elsewhere.id));
    else this.#open(target, this.#paneFor(target), false);
  }

  /** Shows a target in its tab if it is open, else in the focused pane, or in a pane that shows targets of its kind. */
  show(wanted: Target, paneId = this.#paneFor(wanted)): void {
    const target = this.#moved.present(wanted);
    const tab = tabFor(this.#layout, target);
    if (tab) {
      // The same page or ledger at another place, or another video of the same topic.
      const there = target.kind !== "conversation" ? retarget(this.#layout, tab.id, named(target, tab.target)) : this.#layout;
      this.apply(activate(there, tab.id), { entry: true, reach: true, look: true });
    } else this.#open(target, paneId, true);
  }

  /** Shows a tab. */
  activate(tabId: string, { reach = false } = {}): void {
    this.apply(activate(this.#layout, tabId), { entry: true, reach });
  }

  /** Focuses a pane. */
  focus(paneId: string): void {
    this.apply(focus(this.#layout, paneId));
  }

  /** Shows a target beside a pane: in its tab if it is open, else in the neighbouring pane, else in a new one. */
  showBeside(wanted: Target, paneId: string): void {
    const target = this.#moved.present(wanted);
    if (tabFor(this.#layout, target) || panesOf(this.#layout.root).length > 1) {
      const page = panesOf(this.#layout.root).find((pane) => pane.id !== paneId && activeTab(pane).target.kind === target.kind);
      this.show(target, (page ?? neighbour(this.#layout, paneId, 1)).id);
    } else this.#opened(openBeside(this.#layout, { id: uuidv7(), target }, paneId, "right", newIds()));
  }

  /** A link in a page was followed: its tab navigates. */
  follow(tabId: string, wanted: Target): void {
    const target = this.#moved.present(wanted);
    const other = tabFor(this.#layout, target);
    if (other && other.id !== tabId) this.show(target);
    else this.apply(activate(retarget(this.#layout, tabId, target), tabId), { entry: true });
  }

  /** A tab's page reports its address and title. A ledger or page that turns out to be open already is shown once only. */
  updateTarget(tabId: string, target: Target): void {
    const before = tabsOf(this.#layout).find(({ id }) => id === tabId);
    if (target.kind === "page") this.#moved.learn(before?.target, target);
    const isOnce = target.kind === "ledger" || target.kind === "page";
    const twin = isOnce && tabsOf(this.#layout).find((tab) => tab.id !== tabId && sameTarget(tab.target, target));
    if (twin) {
      const instead = { id: uuidv7(), target: newConversation };
      const shown = this.current.id === tabId;
      const there = shown && target.kind === "page" ? retarget(this.#layout, twin.id, target) : this.#layout;
      const rest = close(shown ? activate(there, twin.id) : there, tabId, instead);
      this.apply(rest, shown ? { reach: true, look: true } : {});
      return;
    }
    const next = retarget(this.#layout, tabId, target);
    if (JSON.stringify(next) !== JSON.stringify(this.#layout)) this.apply(next);
  }

  close(tabId: string): void {
    this.#unbegun.delete(tabId);
    this.apply(close(this.#layout, tabId, { id: uuidv7(), target: newConversation }), { entry: true, reach: true });
  }

  closeOthers(tabId: string): void {
    const others = paneWith(this.#layout, tabId)?.tabs.filter(({ id }) => id !== tabId) ?? [];
    this.apply(
      others.reduce((rest, { id }) => close(rest, id, { id: uuidv7(), target: newConversation }), activate(this.#layout, tabId)),
      { entry: true, reach: true },
    );
  }

  /** Moves a tab into a new pane beside another pane or its own. */
  split(tabId: string, beside: string, side: Side): void {
    const next = split(this.#layout, tabId, beside, side, newIds());
    if (next === this.#layout) this.events.emit("announce", { text: msg("workspace.roomAnotherPane") });
    else this.apply(next, { reach: true });
  }

  /** Opens a new conversation beside a pane with a single tab. */
  newBeside(paneId: string): void {
    if (tabFor(this.#layout, newConversation)) this.show(newConversation);
    else this.#opened(openBeside(this.#layout, { id: uuidv7(), target: newConversation }, paneId, "right", newIds()));
  }

  /** Applies a layout. `entry`: adds a history entry. `reach`: focuses the active tab; `look`: also scrolls to its place. */
  apply(next: Layout, { entry = false, reach = false, look = false } = {}): void {
    const before = this.#layout;
    const tabs = [this.current, ...tabsOf(before)];
    this.#layout = next;
    const { current } = this;
    if (current.target.kind === "conversation") this.#conversation = current.target;
    else if (!tabFor(next, this.#conversation)) this.#conversation = newConversation;
    this.#updateAddress(entry);
    if (next !== before) {
      this.#keeper.keep(next);
      this.events.emit("change");
      const now = [current, ...tabsOf(next)];
      if (now.length !== tabs.length || now.some((tab, index) => tab !== tabs[index])) this.events.emit("tabs");
    }
    if (reach) this.events.emit("reach", { tabId: current.id, look });
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
    this.#keeper.close();
  }

  #open(target: Target, paneId: string, entry: boolean): void {
    const spare = this.#untouched(paneOf(this.#layout, paneId));
    const next = spare
      ? activate(retarget(this.#layout, spare.id, target), spare.id)
      : open(this.#layout, { id: uuidv7(), target }, paneId);
    if (spare) this.#unbegun.delete(spare.id);
    if (next === this.#layout) this.events.emit("announce", { text: msg(full) });
    else this.apply(next, { entry, reach: entry });
  }

  #opened(next: Layout): void {
    if (next === this.#layout) this.events.emit("announce", { text: msg(full) });
    else this.apply(next, { entry: true, reach: true });
  }

  #paneFor({ kind }: Target): string {
    const panes = [focusedPane(this.#layout), ...panesOf(this.#layout.root)];
    return (panes.find((pane) => activeTab(pane).target.kind === kind) ?? focusedPane(this.#layout)).id;
  }

  /** An untouched new conversation is replaced by what is opened in its pane. */
  #untouched(pane: Pane | null): Tab | null {
    const tab = pane && activeTab(pane);
    if (!tab || !sameTarget(tab.target, newConversation)) return null;
    const session = this.#unbegun.get(tab.id);
    const touched = session && (session.busy || session.draftText || session.references.length || session.exchanges.length);
    return touched ? null : tab;
  }

  /** The first turn was sent: the tab gets its address in the same history entry, without rendering anything again. */
  #claimed(session: ConversationSession): void {
    const tab = tabsOf(this.#layout).find(({ id }) => this.#unbegun.get(id) === session);
    if (!tab) return;
    this.#unbegun.delete(tab.id);
    this.apply(retarget(this.#layout, tab.id, conversationTarget(session.id)));
  }

  #unclaimed(session: ConversationSession): void {
    const tab = tabFor(this.#layout, conversationTarget(session.id));
    if (!tab) return;
    this.#unbegun.set(tab.id, session);
    this.apply(retarget(this.#layout, tab.id, newConversation));
  }

  /** A conversation deleted here closes its tab; if another device deleted it, the tab says so. */
  async #deleted(conversationId: string): Promise<void> {
    const own = (await this.#sessions.store.outbox.getAll()).some(
      ({ change }) => change.entityId === conversationId && change.type === "deleted",
    );
    const tab = tabFor(this.#layout, conversationTarget(conversationId));
    if (own && tab) this.apply(close(this.#layout, tab.id, { id: uuidv7(), target: newConversation }));
  }

  /** Everything was deleted on another device: closes the tabs of all deleted conversations. */
  #erased(): void {
    const { library, history } = this.#sessions;
    const there = new Set([...library.all, ...history].map(({ conversationId }) => conversationId));
    const gone = tabsOf(this.#layout).filter(
      ({ target }) => target.kind === "conversation" && target.conversationId !== null && !there.has(target.conversationId),
    );
    if (gone.length === 0) return;
    this.apply(gone.reduce((rest, { id }) => close(rest, id, { id: uuidv7(), target: newConversation }), this.#layout));
    this.events.emit("announce", { text: msg("workspace.everythingOwnDeletedAnother") });
  }

  /** Whether the workspace is shown again after another page of the shell, by going back or by a link to the whole workspace. */
  #isBack(): boolean {
    const entry = readEntry();
    const isLeft = this.#changedWhileHidden && JSON.stringify(entry) === JSON.stringify(this.#entry);
    this.#changedWhileHidden = false;
    return isLeft || (this.#entry !== null && entry === null && currentPath() === newHref);
  }

  /** Writes the active tab to the address and the history entry. */
  #updateAddress(entry: boolean): void {
    if (location.pathname !== newHref) {
      this.#changedWhileHidden = true;
      return;
    }
    const { id: tabId, target } = this.current;
    const href = hrefOf(hasAddress(target) ? target : this.#conversation);
    const now: Entry = { tabId, target };
    this.#entry = now;
    if (href === currentPath() && JSON.stringify(now) === JSON.stringify(readEntry())) return;
    if (entry) pushAddress(href, now);
    else replaceAddress(href, now);
  }
}

/** Kinds with an address of their own besides conversations; pages use the address of their conversation. */
const hasAddress = ({ kind }: Target): boolean => kind === "ledger" || kind === "explainer";

const newIds = () => ({ pane: uuidv7(), split: uuidv7() });

const targetHere = (): Target => readAddress().target;

/** What the current history entry shows: its own state if made here, else the address. */
function here(): { tabId: string | null; target: Target } {
  const entry = readEntry();
  const address = targetHere();
  if (!entry || (entry.target.kind !== "page" && !sameTarget(entry.target, address))) return { tabId: null, target: address };
  return entry;
}

/** Keeps the known title of a page or ledger. */
const named = (target: Target, known: Target): Target =>
  target.kind !== "conversation" && known.kind !== "conversation" && !target.title ? { ...target, title: known.title } : target;
