import { render } from "lit";
import type { Announcer } from "../controls/announcer.ts";
import { msg } from "../messages/page.ts";
import "../controls/announcer.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import { editorApi } from "../api/editor.ts";
import { showNote } from "../courses/note.ts";
import { editingAttribute } from "../courses/refresh/events.ts";
import {
  addressesOf,
  ancestorsOf,
  contentsKey,
  draftContents,
  hasPage,
  type PageId,
  pageIdInDraft,
  pageIdOf,
  pagesOf,
} from "./contents.ts";
import "./discard-draft.ts";
import "./draft-notice.ts";
import { DraftAutosave } from "./draft-autosave.ts";
import type { Drafts } from "./drafts.ts";
import "./editor.ts";
import { type EditorElement, findPlace } from "./editor.ts";
import { PictureRefusedEvent, Uploads } from "./fields/uploads.ts";
import { guardLinks } from "./guard-links.ts";
import "./outline/outline-dialog.ts";
import { prepareRendering } from "./draft-rendering.ts";
import type { OutlineDialog } from "./outline/outline-dialog.ts";
import type { PageFields } from "./outline/page-fields.ts";
import { importDraftFile } from "./publishing/draft-file.ts";
import { Publisher } from "./publishing/publisher.ts";
import { TutoredLearners } from "./publishing/tutored-learners.ts";
import { type Edit, EditingSession } from "./session.ts";
import type { CourseSource } from "./source.ts";
import "./status/status.ts";
import { addReadingFrame } from "./reading-frame.ts";
import { reserveStatusSpace } from "./reserve-status-space.ts";
import "./tools.ts";

/** The page that the editor works on. */
export interface EditedPage {
  /** The published content: a topic's article, or the front of a course or collection. The draft is shown in its place. */
  published: HTMLElement;
  /** The bar with the modes; the editing tools go into it. */
  bar: HTMLElement;
  accountId: string;
  courseId: string;
}

/** State of a history entry: the page of the draft that was shown. */
interface HistoryState {
  colloquyEdit?: PageId;
}

/**
 * One editing session of an owner on a course page, from choosing Edit until the page is left: the session, its autosave and publisher, and the
 * pages of the draft in place of the published one.
 */
export class Editing {
  readonly session: EditingSession;
  readonly autosave: DraftAutosave;
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
  #entered: AbortController | null = null;
  /** Takes away the frame of a topic's page from the front page of a course. */
  #frame: (() => void) | null = null;
  /** Publishes, and opens the shown page in Draw; for front pages, which have no such mode. */
  draw: (() => void) | null = null;
  /** The container of the shown page. */
  #parent: PageId = null;
  /** The id that the shown page has in the base. */
  #baseId: PageId = null;

  constructor(page: EditedPage, drafts: Drafts, source: CourseSource, draft: CourseDraft | null) {
    const { accountId, courseId } = page;
    this.#page = page;
    const own = draft && !draft.receipt ? draft : null;
    this.session = new EditingSession({
      base: own?.base ?? source.base,
      baseCourse: source.course,
      baseLost: own !== null && source.isSubstitute === true,
      course: own?.course ?? source.course,
      renamedIds: own?.renamedIds ?? [],
    });
    this.autosave = new DraftAutosave({ session: this.session, drafts, courseId, accountId, draft });
    this.uploads = new Uploads({ accountId, session: this.session });
    const { element, session, uploads, autosave } = this;
    uploads.addEventListener(PictureRefusedEvent.type, (event) => event instanceof PictureRefusedEvent && this.#onPictureRefused(event));
    const api = editorApi(accountId);
    this.publisher = new Publisher({ api, session, autosave, courseId, accountId, uploads });
    Object.assign(this.status, { publisher: this.publisher, autosave, tutored: new TutoredLearners({ api, session, autosave, courseId }) });
    Object.assign(element, { session, uploads, pageId: this.publishedPageId });
    this.#tools.session = session;
    this.#notice.autosave = this.autosave;
    this.#outline.session = session;
    Object.assign(this.#discard, { session, autosave });
    this.#tree.className = "draft-tree side-tree";
    for (const part of [element, this.#notice, this.#tools, this.#outline]) this.#listenTo(part);
  }

  /** The shown page of the draft. */
  get pageId(): PageId {
    return this.element.pageId;
  }

  /** The published page's id in the draft. */
  get publishedPageId(): PageId {
    return pageIdInDraft(pageIdOf(this.#page.published), this.session.state);
  }

  /** Shows the draft in place of the page, at the same scroll position. */
  async enter(): Promise<void> {
    const { published, bar } = this.#page;
    await prepareRendering(this.session.state.course);
    const place = placeInView(published);
    this.#entered = new AbortController();
    const { signal } = this.#entered;
    this.element.still = false;
    this.element.reusable = this.#reusableBlocks();
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
    reserveStatusSpace(this.element, this.status, signal);
    this.#followChange();
    this.session.addEventListener("change", () => this.#followChange(), { signal });
    document.addEventListener("keydown", (event) => this.#onKeydown(event), { signal });
    addEventListener("popstate", (event) => this.#onPopState(event), { signal });
    guardLinks({
      signal,
      flush: () => this.autosave.flush(),
      wouldLose: () => this.autosave.wouldLose,
      pageOf: (link) => this.#pageOf(link),
      show: (pageId) => this.showPage(pageId),
    });
    await this.element.updateComplete;
    keepInView(this.element, place);
  }

  /** Sets `--below-bars` to the bottom of the sticky bars, whose number of rows varies. */
  #followBar(signal: AbortSignal): void {
    const { bar } = this.#page;
    const size = new ResizeObserver(() => {
      const end = Number.parseFloat(getComputedStyle(bar).top) + bar.offsetHeight;
      this.element.style.setProperty("--below-bars", `${end}px`);
    });
    size.observe(bar, { box: "border-box" });
    signal.addEventListener("abort", () => size.disconnect(), { once: true });
  }

  /** Makes the draft read-only; it stays visible until `close`. */
  freeze(): void {
    this.#entered?.abort();
    this.#entered = null;
    this.status.undo = null;
    this.status.discard = null;
    this.element.still = true;
    this.#tools.remove();
    this.#outline.remove();
    this.#discard.remove();
    void this.autosave.flush();
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
    this.#frame?.();
    this.#frame = null;
    keepInView(published, place);
    // Screen readers still have to read the last announcement.
    setTimeout(() => this.element.isConnected || this.#announcer.remove(), 1_000);
  }

  /** The published address of the shown page; null if it was never published. */
  get address(): string | null {
    const { courseId } = this.#page;
    const id = this.#idInBase(this.pageId);
    return id === null ? `/courses/${courseId}` : (addressesOf(this.session.state.baseCourse).get(id) ?? null);
  }

  #idInBase(pageId: PageId): PageId {
    return this.session.state.renamedIds.find(({ to }) => to === pageId)?.from ?? pageId;
  }

  /** Shows another page of the draft; the browser's Back leads here again. */
  showPage(pageId: PageId, { quietly = false } = {}): void {
    if (pageId === this.pageId) return;
    void this.autosave.flush();
    this.session.endStep();
    this.element.reusable = new Map();
    this.element.pageId = pageId;
    const state: HistoryState = { ...(history.state as object | null), colloquyEdit: pageId };
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
    if (edit) void this.#goToEdit(edit, msg("editor.undone", { what: edit.label }));
    else this.#announcer.announce(msg("editor.nothingLeftUndo"));
  }

  redo(): void {
    const edit = this.session.redo();
    if (edit) void this.#goToEdit(edit, msg("editor.redone", { what: edit.label }));
    else this.#announcer.announce(msg("editor.nothingRedo"));
  }

  /** Shows a page, and selects a block if one is named. */
  async goTo(place: { topicId?: string; blockId?: string }, focus: "field" | "block" = "block", line?: number): Promise<void> {
    const found = findPlace(this.session, place);
    if (!found) return;
    this.showPage(found.topicId);
    await this.element.updateComplete;
    if (found.blockId !== undefined) await this.element.showBlock(found.topicId, found.blockId, focus, line);
  }

  /** Goes to the place of an error: a line of a block or a field of a page. If the block is gone, its topic is shown. */
  async goToError({ kind, id, topicId, field, line }: ErrorPlace): Promise<void> {
    if (kind === "block" && id !== null)
      return this.goTo({ blockId: id, ...(topicId !== null && { topicId }) }, "field", line ?? undefined);
    if (kind === "asset") {
      if (id === null) return;
      const user = this.session.state.course.topics.flatMap(({ blocks }) => blocks).find(({ source }) => source.includes(id));
      return user && this.goTo({ blockId: user.id }, "field");
    }
    const pageId = kind === "objective" ? topicId : id;
    if (hasPage(this.session.state.course, pageId)) this.showPage(pageId);
    if (field === "id") return this.#outline.showId(pageId);
    await this.element.updateComplete;
    const name = kind === "objective" ? id : field;
    if (name !== null) await this.element.querySelector<PageFields>("colloquy-page-fields")?.focusField(name);
  }

  /** Calls `act` after the author has confirmed discarding the draft. */
  onDiscarded(act: () => void): void {
    this.#discard.addEventListener("colloquy-draft-discarded", act);
  }

  /** Ends saving and publishing and hides the draft: it was discarded, or the account signed out. */
  dispose(): void {
    this.publisher.dispose();
    this.uploads.dispose();
    this.autosave.dispose();
    this.status.remove();
    if (this.element.isConnected) {
      this.freeze();
      this.close();
    }
  }

  async #goToEdit({ place }: Edit, words: string): Promise<void> {
    const writing = document.activeElement instanceof HTMLTextAreaElement;
    if (place && !writing && !this.#goToEntry(place)) await this.goTo(place);
    this.#announcer.announce(words);
  }

  /** Selects the entry in the contents list if the shown page has it. */
  #goToEntry({ topicId, blockId }: NonNullable<Edit["place"]>): boolean {
    return topicId !== undefined && blockId === undefined && this.element.showEntry(topicId);
  }

  #listenTo(part: HTMLElement): void {
    part.addEventListener("colloquy-announce", ({ text }) => this.#announcer.announce(text));
    part.addEventListener("colloquy-field-left", () => this.#fieldLeft());
    part.addEventListener("focusout", ({ target }) => target instanceof HTMLInputElement && this.#fieldLeft());
    part.addEventListener("colloquy-page-wanted", ({ pageId }) => this.showPage(pageId));
    part.addEventListener("colloquy-draft-choice", ({ choice }) => void this.#choose(choice));
    part.addEventListener("colloquy-draft-file-chosen", ({ file }) => void this.#importDraft(file));
    part.addEventListener("colloquy-tool-wanted", ({ tool }) => {
      if (tool === "undo") this.undo();
      else if (tool === "redo") this.redo();
      else void this.#outline.show(this.pageId);
    });
  }

  async #importDraft(file: File): Promise<void> {
    await this.autosave.flush();
    const { imported, problem } = await importDraftFile(file, this.publisher.needs);
    const words = imported ? msg("editor.draftFileTakenUndo") : problem;
    if (words !== null) showNote(this.status, words);
  }

  /** An open field shows the problem itself; otherwise a note does, with a link to the block. */
  #onPictureRefused({ blockId, problem }: PictureRefusedEvent): void {
    const fields = [...this.element.querySelectorAll("colloquy-block-field")];
    if (fields.some((field) => field.blockId === blockId)) return;
    const there = { name: msg("editor.goToTheBlock"), act: () => void this.goTo({ blockId }, "field") };
    showNote(this.status, problem, this.#entered ? there : null);
  }

  #fieldLeft(): void {
    this.session.endStep();
    void this.autosave.flush();
  }

  async #choose(choice: "theirs" | "mine"): Promise<void> {
    if (choice === "mine") return this.autosave.promoteCopy();
    await this.autosave.flush();
    const theirs = await this.autosave.adoptOtherTab().catch(() => null);
    // It was published or discarded there, or has another base: reload to read what is stored.
    if (!theirs) return location.reload();
    const { course, renamedIds } = theirs;
    this.session.apply(
      { label: msg("editor.anotherTabsTextTaken") },
      () => course,
      () => renamedIds,
    );
    await this.autosave.flush();
  }

  /** Elements of the published page whose blocks are unchanged in the draft: reusing them avoids flicker. */
  #reusableBlocks(): Map<string, Element> {
    const { published } = this.#page;
    const { base, baseCourse, course } = this.session.state;
    const reusable = new Map<string, Element>();
    if (Number(published.dataset.sequence) !== base.sequence || this.publishedPageId !== this.pageId) return reusable;
    const before = new Map(baseCourse.topics.find(({ id }) => id === this.pageId)?.blocks.map((block) => [block.id, block]));
    for (const block of course.topics.find(({ id }) => id === this.pageId)?.blocks ?? []) {
      const element = published.querySelector(`#${CSS.escape(block.id)}`);
      // A cloned diagram would no longer follow the theme.
      if (element && before.get(block.id) === block && block.type !== "core.diagram")
        reusable.set(block.id, element.cloneNode(true) as Element);
    }
    return reusable;
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

  /** The page of the draft that a link leads to; undefined if none. */
  #pageOf(link: HTMLAnchorElement): PageId | undefined {
    const { pageId } = link.dataset;
    if (pageId !== undefined) return pageId;
    const { courseId } = this.#page;
    if (link.pathname === `/courses/${courseId}`) return null;
    for (const course of [this.session.state.course, this.session.state.baseCourse])
      for (const [id, address] of addressesOf(course)) if (address === link.pathname && hasPage(this.session.state.course, id)) return id;
    return undefined;
  }

  /** If the shown page was renamed, follows it; if it was removed, such as by undoing its addition, shows its container instead. */
  #followChange(): void {
    const { course } = this.session.state;
    const { pageId } = this;
    if (hasPage(course, pageId)) {
      this.#parent = ancestorsOf(course, pageId).at(-1)?.id ?? null;
      this.#baseId = this.#idInBase(pageId);
    }
    // An open outline shows the right page when it is closed.
    else if (!this.#outline.isOpen) {
      const present = [pageIdInDraft(this.#baseId, this.session.state), this.#parent].find((id) => hasPage(course, id)) ?? null;
      this.showPage(present, { quietly: true });
    }
    if (this.element.topic) this.#frame ??= addReadingFrame(course, { tree: this.#tree, draw: () => this.draw?.() });
    this.#drawTree();
  }

  #onPopState({ state }: PopStateEvent): void {
    const { colloquyEdit } = (state ?? {}) as HistoryState;
    const pageId = colloquyEdit === undefined ? this.publishedPageId : pageIdInDraft(colloquyEdit, this.session.state);
    if (hasPage(this.session.state.course, pageId)) this.showPage(pageId, { quietly: true });
  }

  #onKeydown(event: KeyboardEvent): void {
    const { target, key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || altKey || !(ctrlKey || metaKey) || document.querySelector("dialog[open]")) return;
    // In a field the browser's own undo applies.
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

/** The first visible block and its position. */
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
