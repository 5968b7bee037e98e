import type { BaseRevision } from "@colloquy/schemas/courses/revision.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import { onSignOutElsewhere } from "../accounts/sign-out-broadcast.ts";
import { showNote } from "../courses/note.ts";
import { editingAttribute } from "../courses/refresh/events.ts";
import { showPinned } from "../courses/refresh/follow.ts";
import { loadAllMessages } from "../messages/load-all.ts";
import { formatNumber, msg } from "../messages/page.ts";
import { addQuestion, type QuestionAddition } from "./bank/add.ts";
import { describeChanges } from "./describe-changes.ts";
import { type DraftMessage, openDraftChannel } from "./draft-channel.ts";
import { Drafts, type StoredDrafts } from "./drafts.ts";
import { drawNext } from "./draw-next.ts";
import { type EditedPage, Editing } from "./editing.ts";
import { confirmUnfinished } from "./publishing/unfinished-dialog.ts";
import "./return-offer.ts";
import type { OfferAnsweredEvent, ReturnOffer } from "./return-offer.ts";
import { type CourseSource, courseSource, ownPublication, SourceUnavailable } from "./source.ts";

/** What the modes of a page need of the editor. */
export interface Editor {
  /** Shows the draft in place of the page. @returns false if the course could not be loaded; a note then offers to retry */
  enter(): Promise<boolean>;
  /** Asks before unfinished text is published. @returns whether to leave Edit */
  mayLeave(): Promise<boolean>;
  leave(): void;
  /** Starts editing and goes to a place of the course. */
  goTo(place: ErrorPlace): void;
  /** Starts editing with a question in the draft, and goes to it. */
  add(addition: QuestionAddition): void;
  /** Deselects the block or entry. @returns whether one was selected */
  deselect(): boolean;
}

interface Opening extends EditedPage {
  /** The published revision. */
  live: BaseRevision | null;
  toMode(mode: "read" | "edit"): void;
}

/** Prepares the editor of a course page and offers a stored draft. The course itself is loaded when editing starts. */
export async function openEditor({ live, toMode, ...page }: Opening): Promise<Editor> {
  await loadAllMessages();
  const { courseId, accountId, published } = page;
  const drafts = new Drafts();
  const left = new AbortController();
  // Without browser storage there is no draft to offer; the autosave warns once there is something to save.
  let kept: StoredDrafts = await drafts.open(courseId, accountId).catch(() => ({ draft: null, copies: [], unreadable: [] }));
  let source: Promise<CourseSource> | null = null;
  let editing: Editing | null = null;
  let active = false;
  /** The author chose Draw on a page that has to be opened for it. */
  let drawing = false;
  /** The author postponed the offer of the draft. */
  let postponed = false;
  /** The author chose to continue the draft, having read its base revision. */
  let accepted = false;
  /** Where to go when editing starts, set by an error or a report while reading. */
  let pendingPlace: ErrorPlace | null = null;
  /** What to put into the draft when editing starts, set by the question bank while reading. */
  let pendingAddition: QuestionAddition | null = null;
  /** Removes the note that the course could not be loaded. */
  let removeLoadError = (): void => undefined;

  if (kept.draft?.receipt && kept.draft.receipt.sequence <= Number(published.dataset.sequence)) {
    await drafts.remove(courseId, kept.draft.version).catch(() => undefined);
    kept = { ...kept, draft: null };
  }
  const ownDraft = (): CourseDraft | null => (kept.draft?.receipt ? null : kept.draft);
  const fetched = (): Promise<CourseSource> => {
    source ??= sourceFor(courseId, ownDraft()).catch((error) => {
      source = null;
      throw error;
    });
    return source;
  };
  const channel = openDraftChannel();
  channel.addEventListener("message", ({ data }: MessageEvent<DraftMessage>) => data.courseId === courseId && void onDraftChanged());
  left.signal.addEventListener("abort", () => channel.close());
  const offer = createOffer();
  if (ownDraft() || kept.copies.length || kept.unreadable.length) showOffer();

  function createOffer(): ReturnOffer {
    const made = document.createElement("colloquy-return-offer");
    made.addEventListener("colloquy-offer-answered", (event) => void onAnswer(event as OfferAnsweredEvent));
    return made;
  }
  function showOffer(): void {
    const draft = ownDraft();
    const mayBeOwn = Boolean(draft?.sent?.length && live && live.sequence > draft.base.sequence);
    Object.assign(offer, {
      draft,
      live: live?.sequence ?? null,
      own: mayBeOwn ? null : false,
      copies: kept.copies,
      unreadable: kept.unreadable,
      sourceUnavailable: false,
      baseLost: false,
      difference: null,
    });
    if (!offer.isConnected) document.body.append(offer);
    if (draft) void showChanges(draft, mayBeOwn);
  }
  /** Compares the draft with the published course if that came from this draft, otherwise with its base. */
  async function showChanges(draft: CourseDraft, mayBeOwn: boolean): Promise<void> {
    try {
      const own = mayBeOwn ? await ownPublication(draft) : null;
      const { course, isSubstitute = false } = own ?? (await fetched());
      if (offer.draft !== draft) return;
      Object.assign(offer, {
        own: own !== null,
        baseLost: isSubstitute,
        live: own?.base.sequence ?? offer.live,
        difference: describeChanges(course, draft.course),
      });
    } catch {
      if (offer.draft === draft) offer.sourceUnavailable = true;
    }
  }
  /** Reads the draft again until editing starts; from then on the autosave does. @returns whether it changed */
  async function reloadDraft(): Promise<boolean> {
    const before = ownDraft();
    const draft = await drafts.read(courseId).catch(() => kept.draft);
    if (editing || draft?.version === kept.draft?.version) return false;
    kept = { ...kept, draft: draft?.accountId === accountId ? draft : null };
    const now = ownDraft();
    if (!now || now.base.revisionId !== before?.base.revisionId) source = null;
    return true;
  }
  /** Shows or removes the offer when another tab saves, publishes or discards a draft. */
  async function onDraftChanged(): Promise<void> {
    if (editing || !(await reloadDraft()) || active) return;
    const isOne = ownDraft() !== null;
    if (!isOne) postponed = false;
    offer.elsewhere = isOne;
    if (isOne && !postponed) showOffer();
    else if (!isOne && !kept.copies.length && !kept.unreadable.length) offer.remove();
    else if (offer.isConnected) showOffer();
  }
  async function onAnswer({ answer }: OfferAnsweredEvent): Promise<void> {
    if (answer.do === "postpone") {
      postponed = true;
      return offer.remove();
    }
    accepted = answer.do === "use-copy" || answer.do === "continue";
    if (answer.do === "continue") return toMode("edit");
    if (answer.do === "use-copy") {
      const copy = kept.copies.find(({ key }) => key === answer.key);
      if (copy) await drafts.promote(copy);
      source = null;
    } else if (answer.do === "delete-copy") await drafts.removeCopy(answer.key);
    else if (kept.draft) await drafts.remove(courseId, kept.draft.version);
    if (answer.do === "discard") source = null;
    kept = await drafts.open(courseId, accountId);
    if (answer.do === "use-copy") return toMode("edit");
    if (ownDraft() || kept.copies.length || kept.unreadable.length) showOffer();
    else offer.remove();
  }

  onSignOutElsewhere(
    accountId,
    () => {
      left.abort();
      offer.remove();
      editing?.dispose();
      // This page must not publish for an account that signed out.
      editing = null;
      active = false;
      drafts.close();
      toMode("read");
    },
    left.signal,
  );

  return {
    async enter() {
      // The account may have changed: only a reload knows.
      if (left.signal.aborted) {
        location.reload();
        return false;
      }
      if (!editing) {
        await reloadDraft();
        const from = await fetched().catch(() => null);
        if (left.signal.aborted) return false;
        if (!from) return showLoadError();
        editing ??= startEditing(from);
        if (!accepted) noteNewerRevision(editing);
      } else await catchUp(editing);
      if (left.signal.aborted) return false;
      offer.remove();
      removeLoadError();
      active = true;
      await editing.enter();
      if (editing.session.state.baseLost) showNote(editing.status, msg("editor.revisionDraftBasedNoLongerStoredBefore"));
      if (pendingAddition) pendingPlace = addQuestion(editing.session, pendingAddition);
      pendingAddition = null;
      if (pendingPlace) void editing.goToError(pendingPlace);
      pendingPlace = null;
      return true;
    },
    async mayLeave() {
      if (!editing?.session.changed) return true;
      const answer = await confirmUnfinished(editing.session, left.signal);
      if (left.signal.aborted) return true;
      if (answer !== true) drawing = false;
      if (typeof answer !== "boolean") void editing?.goToError(answer);
      return answer === true;
    },
    leave() {
      if (!editing) return;
      active = false;
      editing.freeze();
      void publishAndClose(editing);
    },
    goTo: leadTo,
    add(addition) {
      if (active && editing) return void editing.goToError(addQuestion(editing.session, addition));
      pendingAddition = addition;
      toMode("edit");
    },
    deselect: () => editing?.element.deselect() ?? false,
  };

  function showLoadError(): false {
    removeLoadError();
    const words = msg("editor.whatPublishedCouldNotReadNothing");
    removeLoadError = showNote(document.body, words, { name: msg("common.tryAgain"), act: () => toMode("edit") });
    return false;
  }

  /** Editing continued a draft without asking: notes if a newer revision was published. */
  function noteNewerRevision({ session: { state, changed }, status }: Editing): void {
    const now = Math.max(Number(published.dataset.sequence), live?.sequence ?? 0);
    const { sequence } = state.base;
    if (!changed || state.baseLost || now <= sequence || offer.own) return;
    const values = { base: formatNumber(sequence), live: formatNumber(now) };
    showNote(status, msg("editor.draftBegunRevisionRevision", values));
  }

  /** Rebases an unchanged session on the revision that the page shows: others may have published meanwhile. */
  async function catchUp({ session }: Editing): Promise<void> {
    const isBehind = (): boolean => !session.changed && session.state.base.sequence < Number(published.dataset.sequence);
    // If it cannot be loaded now, publishing will find the conflict.
    const latest = isBehind() ? await courseSource(courseId).catch(() => null) : null;
    if (latest && isBehind()) session.rebase(latest.base, latest.course, latest.course);
  }

  function leadTo(place: ErrorPlace): void {
    if (active) return void editing?.goToError(place);
    pendingPlace = place;
    toMode("edit");
  }

  function startEditing(source: CourseSource): Editing {
    const begun = new Editing(page, drafts, source, kept.draft);
    begun.onDiscarded(() => void onDiscarded(begun));
    begun.draw = () => {
      drawing = true;
      toMode("read");
    };
    begun.status.addEventListener("colloquy-place-wanted", ({ place }) => leadTo(place));
    return begun;
  }

  /** Ends editing after a discard; the next edit starts from the published revision. */
  async function onDiscarded(discarded: Editing): Promise<void> {
    const isHere = discarded.pageId === discarded.publishedPageId;
    discarded.publisher.stop();
    await discarded.autosave.discard();
    discarded.dispose();
    editing = source = null;
    active = false;
    if (!isHere) return openPage(discarded);
    kept = await drafts.open(courseId, accountId).catch(() => ({ draft: null, copies: [], unreadable: [] }));
    toMode("read");
    // Copies of other tabs were not discarded.
    if (ownDraft() || kept.copies.length || kept.unreadable.length) showOffer();
    else showNote(document.body, msg("editor.draftDiscardedSeePublished"));
    void showPinned(published).catch(() => null);
  }

  /**
   * Publishes the changes while the draft stays visible, then shows the published page: this one refreshed, or the page that was edited last.
   */
  async function publishAndClose(left: Editing): Promise<void> {
    const isHere = left.pageId === left.publishedPageId;
    if (isHere) published.removeAttribute(editingAttribute);
    const outcome = await left.publisher.leave();
    // Also shows what others published during editing, when the page was not refreshed. Offline, this is not awaited.
    const shown = isHere ? showPinned(published).catch(() => null) : null;
    if (outcome !== "kept") await shown;
    if (active) return;
    if (isHere) return left.close();
    if (outcome !== "kept") return openPage(left);
    // The draft stays visible: its page may not be published yet.
    const onPublished = (): void => {
      if (active || left.publisher.state.kind === "published") left.publisher.removeEventListener("change", onPublished);
      if (!active && left.publisher.state.kind === "published") openPage(left);
    };
    left.publisher.addEventListener("change", onPublished);
  }

  function openPage({ address }: Editing): void {
    if (drawing && address !== null) drawNext(address);
    if (location.pathname === address) location.reload();
    else location.assign(address ?? `/courses/${courseId}`);
  }
}

/** The base of a draft, or the live revision. A base that no longer exists is replaced by the live revision, marked as substitute. */
async function sourceFor(courseId: string, draft: CourseDraft | null): Promise<CourseSource> {
  if (!draft) return courseSource(courseId);
  try {
    return await courseSource(courseId, draft.base.revisionId);
  } catch (error) {
    if (error instanceof SourceUnavailable && error.status === 404) return { ...(await courseSource(courseId)), isSubstitute: true };
    throw error;
  }
}
