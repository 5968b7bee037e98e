import { render } from "lit";
import type { Announcer } from "../controls/announcer.ts";
import { msg } from "../messages/page.ts";
import "../controls/announcer.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import { editorApi } from "../api/editor.ts";
import { putNote } from "../courses/note.ts";
import { editingAttribute } from "../courses/refresh/renewed.ts";
import { addressesOf, contentsKey, draftContents, hasPage, type PageId, pageIdOf, pagesOf, partsAbove } from "./contents.ts";
import "./discard-draft.ts";
import "./draft-notice.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import type { Drafts } from "./drafts.ts";
import "./editor.ts";
import { type EditorElement, placeIn } from "./editor.ts";
import { PictureRefusedEvent, Uploads } from "./fields/uploads.ts";
import { guardLinks } from "./guard.ts";
import "./outline/outline-dialog.ts";
import type { OutlineDialog } from "./outline/outline-dialog.ts";
import type { PageFields } from "./outline/page-fields.ts";
import { takeDraftFile } from "./publishing/draft-file.ts";
import { Publisher } from "./publishing/publisher.ts";
import { Tutored } from "./publishing/tutored.ts";
import { prepareRendering } from "./rendered.ts";
import { type Edit, EditingSession } from "./session.ts";
import type { CourseSource } from "./source.ts";
import "./status/status.ts";
import { leaveStatusRoom } from "./status-room.ts";
import "./tools.ts";

/** What a page gives the editor to work with. */
export interface EditedPage {
  /** What is published: a topic's article, or the front of a course or collection. The draft is laid over it. */
  published: HTMLElement;
  /** The bar of the modes, beside which the tools stand. */
  bar: HTMLElement;
  accountId: string;
  courseId: string;
}

/** Of an entry in the browser's history: the page of the draft that was shown. */
interface Shown {
  colloquyEdit?: PageId;
}

/**
 * An owner's editing of a course on its page, from the first time Edit is chosen until the page is left: the session, what keeps its draft,
 * and the draft's pages in place of the published one.
 */
export class Editing {
  readonly session: EditingSession;
  readonly keeper: DraftKeeper;
  readonly uploads: Uploads;
  readonly publisher: Publisher;
  readonly status = document.createElement("colloquy-editor-status");
  readonly element: EditorElement = document.createElement("colloquy-editor");
  readonly #page: EditedPage;
  readonly #tools = document.createElement("colloquy-editing-tools");
  readonly #notice = document.createElement("colloquy-draft-notice");
  readonly #announcer: Announcer = document.createElement("colloquy-announcer");
  readonly #outline: OutlineDialog = document.createElement("colloquy-outline");
  readonly #discard = document.createElement("colloquy-discard-draft");
  readonly #tree = document.createElement("div");
  #active: AbortController | null = null;
  /** What the shown page stands in. */
  #home: PageId = null;

  constructor(page: EditedPage, drafts: Drafts, source: CourseSource, draft: CourseDraft | null) {
    const { accountId, courseId, published } = page;
    this.#page = page;
    const own = draft && !draft.receipt ? draft : null;
    this.session = new EditingSession({
      base: own?.base ?? source.base,
      baseCourse: source.course,
      baseLost: own !== null && source.instead === true,
      course: own?.course ?? source.course,
      renamedIds: own?.renamedIds ?? [],
    });
    this.keeper = new DraftKeeper({ session: this.session, drafts, courseId, accountId, draft });
    this.uploads = new Uploads({ accountId, session: this.session });
    const { element, session, uploads, keeper } = this;
    uploads.addEventListener(PictureRefusedEvent.type, (event) => event instanceof PictureRefusedEvent && this.#refused(event));
    const api = editorApi(accountId);
    this.publisher = new Publisher({ api, session, keeper, courseId, accountId, uploads });
    Object.assign(this.status, { publisher: this.publisher, keeper, tutored: new Tutored({ api, session, keeper, courseId }) });
    Object.assign(element, { session, uploads, pageId: pageIdOf(published) });
    this.#tools.session = session;
    this.#notice.keeper = this.keeper;
    this.#outline.session = session;
    Object.assign(this.#discard, { session, keeper });
    this.#tree.className = "draft-tree side-tree";
    for (const part of [element, this.#notice, this.#tools, this.#outline]) this.#listenTo(part);
  }

  /** The page of the draft that is shown. */
  get pageId(): PageId {
    return this.element.pageId;
  }

  /** Lays the draft over the page, at the place that is being read. */
  async enter(): Promise<void> {
    const { published, bar } = this.#page;
    await prepareRendering(this.session.state.course);
    const place = placeInView(published);
    this.#active = new AbortController();
    const { signal } = this.#active;
    this.element.still = false;
    this.element.made = this.#madeOf();
    published.setAttribute(editingAttribute, "");
    published.before(this.#notice, this.element, this.#outline, this.#discard, this.#announcer);
    bar.prepend(this.#tools);
    const tree = document.querySelector<HTMLElement>(".side-tree");
    tree?.after(this.#tree);
    Object.assign(this.#tree, { lang: tree?.lang ?? "", dir: tree?.dir ?? "" });
    published.after(this.status);
    this.status.undo = () => this.undo();
    this.status.discard = () => void this.#discard.open();
    document.body.dataset.mode = "edit";
    published.hidden = true;
    this.#followBar(signal);
    leaveStatusRoom(this.element, this.status, signal);
    this.#followChange();
    this.session.addEventListener("change", () => this.#followChange(), { signal });
    document.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    addEventListener("popstate", (event) => this.#arrived(event), { signal });
    guardLinks({
      signal,
      flush: () => this.keeper.flush(),
      wouldLose: () => this.keeper.wouldLose,
      pageOf: (link) => this.#pageOf(link),
      show: (pageId) => this.showPage(pageId),
    });
    await this.element.updateComplete;
    keepInView(this.element, place);
  }

  /** Tells where the bars over the page end, however many rows they need: what sticks to the top of the window stands below them. */
  #followBar(signal: AbortSignal): void {
    const { bar } = this.#page;
    const size = new ResizeObserver(() => {
      const end = Number.parseFloat(getComputedStyle(bar).top) + bar.offsetHeight;
      this.element.style.setProperty("--below-bars", `${end}px`);
    });
    size.observe(bar, { box: "border-box" });
    signal.addEventListener("abort", () => size.disconnect(), { once: true });
  }

  /** Nothing can be done with the draft any more; it stays in sight until `close`. */
  freeze(): void {
    this.#active?.abort();
    this.#active = null;
    this.status.undo = null;
    this.status.discard = null;
    this.element.still = true;
    this.#tools.remove();
    this.#outline.remove();
    this.#discard.remove();
    void this.keeper.flush();
  }

  /** Shows the published page again. */
  close(): void {
    const { published } = this.#page;
    const place = placeInView(this.element);
    delete document.body.dataset.mode;
    published.hidden = false;
    published.removeAttribute(editingAttribute);
    this.element.remove();
    this.#notice.remove();
    this.#tree.remove();
    keepInView(published, place);
    // What was said last is still to be heard.
    setTimeout(() => this.element.isConnected || this.#announcer.remove(), 1_000);
  }

  /** Where the published page of what is shown is; null for what was never published. */
  get address(): string | null {
    const { courseId } = this.#page;
    return this.pageId === null ? `/courses/${courseId}` : (addressesOf(this.session.state.baseCourse).get(this.pageId) ?? null);
  }

  /** Shows another page of the draft; the browser's Back leads here again. */
  showPage(pageId: PageId, { quietly = false } = {}): void {
    if (pageId === this.pageId) return;
    void this.keeper.flush();
    this.session.seal();
    this.element.made = new Map();
    this.element.pageId = pageId;
    const state: Shown = { ...(history.state as object | null), colloquyEdit: pageId };
    if (!quietly) history.pushState(state, "", this.address ?? location.pathname);
    this.#followChange();
    document.querySelector<HTMLElement & { hidePopover(): void }>("#contents:popover-open")?.hidePopover();
    scrollTo({ top: 0, behavior: "instant" });
    const { course } = this.session.state;
    const title = pagesOf(course).find(({ id }) => id === pageId)?.title ?? course.manifest.title;
    document.title = `${title} · ${course.manifest.title} · Colloquy`;
    this.#announcer.announce(msg("editor.editing", { page: title }));
  }

  undo(): void {
    const edit = this.session.undo();
    if (edit) void this.#leadTo(edit, msg("editor.undone", { what: edit.label }));
    else this.#announcer.announce(msg("editor.nothingLeftUndo"));
  }

  redo(): void {
    const edit = this.session.redo();
    if (edit) void this.#leadTo(edit, msg("editor.doneAgain", { what: edit.label }));
    else this.#announcer.announce(msg("editor.nothingLeftDoAgain"));
  }

  /** Leads to a place: a page, and a block of it where one is named. */
  async lead(place: { topicId?: string; blockId?: string }, focus: "field" | "block" = "block", line?: number): Promise<void> {
    const found = placeIn(this.session, place);
    if (!found) return;
    this.showPage(found.topicId);
    await this.element.updateComplete;
    if (found.blockId !== undefined) await this.element.showBlock(found.topicId, found.blockId, focus, line);
  }

  /** Leads to what an error names: the line of a block, the field of a page. A block that is not there any more leaves its topic. */
  async leadToError({ kind, id, topicId, field, line }: ErrorPlace): Promise<void> {
    if (kind === "block" && id !== null)
      return this.lead({ blockId: id, ...(topicId !== null && { topicId }) }, "field", line ?? undefined);
    if (kind === "asset") return;
    const pageId = kind === "objective" ? topicId : id;
    if (hasPage(this.session.state.course, pageId)) this.showPage(pageId);
    await this.element.updateComplete;
    const name = kind === "objective" ? id : field;
    if (name !== null) await this.element.querySelector<PageFields>("colloquy-page-fields")?.focusField(name);
  }

  /** @param act once the author has said, twice, that the draft is to be thrown away */
  onDiscarded(act: () => void): void {
    this.#discard.addEventListener("colloquy-draft-discarded", act);
  }

  /** Nothing is kept or shown any more: the draft was thrown away, or the account has left this browser. */
  dispose(): void {
    this.publisher.dispose();
    this.uploads.dispose();
    this.keeper.dispose();
    this.status.remove();
    if (this.element.isConnected) {
      this.freeze();
      this.close();
    }
  }

  async #leadTo({ place }: Edit, words: string): Promise<void> {
    const writing = document.activeElement instanceof HTMLTextAreaElement;
    if (place && !writing && !this.#leadToEntry(place)) await this.lead(place);
    this.#announcer.announce(words);
  }

  /** What stands in the list of the page that is shown is in sight already. */
  #leadToEntry({ topicId, blockId }: NonNullable<Edit["place"]>): boolean {
    return topicId !== undefined && blockId === undefined && this.element.showEntry(topicId);
  }

  #listenTo(part: HTMLElement): void {
    part.addEventListener("colloquy-announce", ({ text }) => this.#announcer.announce(text));
    part.addEventListener("colloquy-field-left", () => this.#fieldLeft());
    part.addEventListener("focusout", ({ target }) => target instanceof HTMLInputElement && this.#fieldLeft());
    part.addEventListener("colloquy-page-wanted", ({ pageId }) => this.showPage(pageId));
    part.addEventListener("colloquy-draft-choice", ({ choice }) => void this.#choose(choice));
    part.addEventListener("colloquy-draft-file-chosen", ({ file }) => void this.#takeIn(file));
    part.addEventListener("colloquy-tool-wanted", ({ tool }) => {
      if (tool === "undo") this.undo();
      else if (tool === "redo") this.redo();
      else void this.#outline.show(this.pageId);
    });
  }

  async #takeIn(file: File): Promise<void> {
    await this.keeper.flush();
    const { taken, problem } = await takeDraftFile(file, this.publisher.needs);
    const words = taken ? msg("editor.draftFileTakenUndo") : problem;
    if (words !== null) putNote(this.status, words);
  }

  /** The field of its block says so itself; where that is closed, a note does, and leads there. */
  #refused({ blockId, problem }: PictureRefusedEvent): void {
    const fields = [...this.element.querySelectorAll("colloquy-block-field")];
    if (fields.some((field) => field.blockId === blockId)) return;
    const there = { name: msg("editor.goToTheBlock"), act: () => void this.lead({ blockId }, "field") };
    putNote(this.status, problem, this.#active ? there : null);
  }

  #fieldLeft(): void {
    this.session.seal();
    void this.keeper.flush();
  }

  async #choose(choice: "theirs" | "mine"): Promise<void> {
    if (choice === "mine") return this.keeper.keepMine();
    await this.keeper.flush();
    const theirs = await this.keeper.takeOver().catch(() => null);
    // It was published or thrown away there, or stands on another revision: what is kept is read anew with the page.
    if (!theirs) return location.reload();
    const { course, renamedIds } = theirs;
    this.session.apply(
      { label: msg("editor.anotherTabsTextTaken") },
      () => course,
      () => renamedIds,
    );
    await this.keeper.flush();
  }

  /** The published page's own blocks, where they are what the draft has: nothing is drawn twice, and nothing flickers. */
  #madeOf(): Map<string, Element> {
    const { published } = this.#page;
    const { base, baseCourse, course } = this.session.state;
    const made = new Map<string, Element>();
    if (Number(published.dataset.sequence) !== base.sequence || pageIdOf(published) !== this.pageId) return made;
    const before = new Map(baseCourse.topics.find(({ id }) => id === this.pageId)?.blocks.map((block) => [block.id, block]));
    for (const block of course.topics.find(({ id }) => id === this.pageId)?.blocks ?? []) {
      const element = published.querySelector(`#${CSS.escape(block.id)}`);
      // Drawings follow the theme by a program that a copy has not.
      if (element && before.get(block.id) === block && block.type !== "core.diagram")
        made.set(block.id, element.cloneNode(true) as Element);
    }
    return made;
  }

  #treeKey = "";
  #drawTree(): void {
    const { course, baseCourse } = this.session.state;
    const key = `${this.pageId} ${contentsKey(course)}`;
    if (key === this.#treeKey) return;
    this.#treeKey = key;
    render(draftContents(course, this.pageId, addressesOf(baseCourse)), this.#tree);
    this.#tree.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** Whether a link leads to a page of the draft. */
  #pageOf(link: HTMLAnchorElement): PageId | undefined {
    const { pageId } = link.dataset;
    if (pageId !== undefined) return pageId;
    const { courseId } = this.#page;
    if (link.pathname === `/courses/${courseId}`) return null;
    for (const course of [this.session.state.course, this.session.state.baseCourse])
      for (const [id, address] of addressesOf(course)) if (address === link.pathname && hasPage(this.session.state.course, id)) return id;
    return undefined;
  }

  /** A page that is shown and is there no more, such as one whose adding was undone, gives way to what it stood in. */
  #followChange(): void {
    const { course } = this.session.state;
    const { pageId } = this;
    if (hasPage(course, pageId)) this.#home = partsAbove(course, pageId).at(-1)?.id ?? null;
    // An outline that is open leads on by itself once it is closed.
    else if (!this.#outline.isOpen) this.showPage(hasPage(course, this.#home) ? this.#home : null, { quietly: true });
    this.#drawTree();
  }

  #arrived({ state }: PopStateEvent): void {
    const { colloquyEdit } = (state ?? {}) as Shown;
    const { published } = this.#page;
    const pageId = colloquyEdit === undefined ? pageIdOf(published) : colloquyEdit;
    if (hasPage(this.session.state.course, pageId)) this.showPage(pageId, { quietly: true });
  }

  #pressed(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || altKey || !(ctrlKey || metaKey) || document.querySelector("dialog[open]")) return;
    // In a field the browser's own undo takes back what was typed there.
    if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]")) return;
    const letter = key.toLowerCase();
    if (letter === "z") shiftKey ? this.redo() : this.undo();
    else if (letter === "y" && ctrlKey) this.redo();
    else return;
    event.preventDefault();
  }
}

interface InView {
  id: string;
  top: number;
}

/** What stands at the top of the window. */
function placeInView(root: HTMLElement): InView | null {
  if (scrollY === 0) return null;
  for (const block of root.querySelectorAll<HTMLElement>(".block[id]")) {
    const { top, bottom } = block.getBoundingClientRect();
    if (bottom > 0 && bottom > top) return { id: block.id, top };
  }
  return null;
}

function keepInView(root: HTMLElement, place: InView | null): void {
  if (!place) return;
  const block = root.querySelector(`[id="${CSS.escape(place.id)}"]`) ?? root.querySelector(`[data-block-id="${CSS.escape(place.id)}"]`);
  if (block) scrollBy({ top: block.getBoundingClientRect().top - place.top, behavior: "instant" });
}
