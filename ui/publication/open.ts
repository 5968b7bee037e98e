import type { BaseRevision } from "@colloquy/schemas/courses/revision.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import { onSignOutElsewhere } from "../accounts/sign-out-broadcast.ts";
import { putNote } from "../courses/note.ts";
import { showPinned } from "../courses/refresh/follow.ts";
import { editingAttribute } from "../courses/refresh/renewed.ts";
import { loadAllMessages } from "../messages/load-all.ts";
import { formatNumber, msg } from "../messages/page.ts";
import { pageIdOf } from "./contents.ts";
import { differenceInWords } from "./difference.ts";
import { Drafts, type KeptDrafts } from "./drafts.ts";
import { draftsTold, type Told } from "./drafts-told.ts";
import { type EditedPage, Editing } from "./editing.ts";
import { ownPublication } from "./own-publication.ts";
import "./return-offer.ts";
import type { OfferAnsweredEvent, ReturnOffer } from "./return-offer.ts";
import { type CourseSource, courseSource, SourceRefused } from "./source.ts";

/** What the modes of a page have to do with the editor. */
export interface Editor {
  /** Lays the draft over the page. @returns whether there was something to edit; if not, a note says so and offers another try */
  enter(): Promise<boolean>;
  leave(): void;
  /** Leads to a place of the course, with Edit on. */
  leadTo(place: ErrorPlace): void;
  /** Lets go of the block or entry that is chosen. @returns whether one was */
  stepBack(): boolean;
}

interface Opening extends EditedPage {
  /** What is published. */
  live: BaseRevision | null;
  toMode(mode: "read" | "edit"): void;
}

/** Opens the editor of a course on its page: looks for a draft that was left here and offers it; what is edited is fetched with Edit. */
export async function openEditor({ live, toMode, ...page }: Opening): Promise<Editor> {
  await loadAllMessages();
  const { courseId, accountId, published } = page;
  const drafts = new Drafts();
  const left = new AbortController();
  // Where the browser keeps nothing, there is nothing to offer; the keeper says so when there is something to keep.
  let kept: KeptDrafts = await drafts.open(courseId, accountId).catch(() => ({ draft: null, copies: [], unreadable: [] }));
  let source: Promise<CourseSource> | null = null;
  let editing: Editing | null = null;
  let active = false;
  /** The author said not to be asked about the draft just now. */
  let later = false;
  /** The author said to go on with the draft, having read what it began from. */
  let chosen = false;
  /** What an error or a report named while nobody edited: where to go once somebody does. */
  let wanted: ErrorPlace | null = null;
  /** Takes the note away that nothing could be read. */
  let unread = (): void => undefined;

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
  const told = draftsTold();
  told.addEventListener("message", ({ data }: MessageEvent<Told>) => data.courseId === courseId && void heard());
  left.signal.addEventListener("abort", () => told.close());
  const offer = offerOf();
  if (ownDraft() || kept.copies.length || kept.unreadable.length) showOffer();

  function offerOf(): ReturnOffer {
    const made = document.createElement("colloquy-return-offer");
    made.addEventListener("colloquy-offer-answered", (event) => void answered(event as OfferAnsweredEvent));
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
      unknown: false,
      baseLost: false,
      difference: null,
    });
    if (!offer.isConnected) document.body.append(offer);
    if (draft) void tellChanges(draft, mayBeOwn);
  }
  /** Against what is published where that came from this draft, else against what it began from. */
  async function tellChanges(draft: CourseDraft, mayBeOwn: boolean): Promise<void> {
    try {
      const own = mayBeOwn ? await ownPublication(draft) : null;
      const { course, instead = false } = own ?? (await fetched());
      if (offer.draft !== draft) return;
      Object.assign(offer, {
        own: own !== null,
        baseLost: instead,
        live: own?.base.sequence ?? offer.live,
        difference: differenceInWords(course, draft.course),
      });
    } catch {
      if (offer.draft === draft) offer.unknown = true;
    }
  }
  /** Takes up what another tab made of the draft since; once something is edited here, the keeper does. @returns whether it is another */
  async function lookAgain(): Promise<boolean> {
    const before = ownDraft();
    const draft = await drafts.read(courseId).catch(() => kept.draft);
    if (editing || draft?.version === kept.draft?.version) return false;
    kept = { ...kept, draft: draft?.accountId === accountId ? draft : null };
    const now = ownDraft();
    if (!now || now.base.revisionId !== before?.base.revisionId) source = null;
    return true;
  }
  /** Whoever reads here is told as soon as another tab has a draft, and no more when that is published or thrown away. */
  async function heard(): Promise<void> {
    if (editing || !(await lookAgain()) || active) return;
    const isOne = ownDraft() !== null;
    if (!isOne) later = false;
    offer.elsewhere = isOne;
    if (isOne && !later) showOffer();
    else if (!isOne && !kept.copies.length && !kept.unreadable.length) offer.remove();
    else if (offer.isConnected) showOffer();
  }
  async function answered({ answer }: OfferAnsweredEvent): Promise<void> {
    if ("later" in answer) {
      later = true;
      return offer.remove();
    }
    chosen = "use" in answer || ("go" in answer && answer.go === "on");
    if ("go" in answer && answer.go === "on") return toMode("edit");
    if ("use" in answer) {
      const copy = kept.copies.find(({ key }) => key === answer.use);
      if (copy) await drafts.promote(copy);
      source = null;
    } else if ("drop" in answer) await drafts.removeCopy(answer.drop);
    else if (kept.draft) await drafts.remove(courseId, kept.draft.version);
    if ("go" in answer) source = null;
    kept = await drafts.open(courseId, accountId);
    if ("use" in answer) return toMode("edit");
    if (ownDraft() || kept.copies.length || kept.unreadable.length) showOffer();
    else offer.remove();
  }

  onSignOutElsewhere(
    accountId,
    () => {
      left.abort();
      offer.remove();
      editing?.dispose();
      // What is left of the page must not publish as whoever left.
      editing = null;
      active = false;
      drafts.close();
      toMode("read");
    },
    left.signal,
  );

  return {
    async enter() {
      // Whose page this is now only a new one knows.
      if (left.signal.aborted) {
        location.reload();
        return false;
      }
      if (!editing) {
        await lookAgain();
        const from = await fetched().catch(() => null);
        if (left.signal.aborted) return false;
        if (!from) return sayUnread();
        editing ??= begin(from);
        if (!chosen) sayOlder(editing);
      } else await catchUp(editing);
      if (left.signal.aborted) return false;
      offer.remove();
      unread();
      active = true;
      await editing.enter();
      if (editing.session.state.baseLost) putNote(editing.status, msg("editor.draftBeganKeptAnyMore"));
      if (wanted) void editing.leadToError(wanted);
      wanted = null;
      return true;
    },
    leave() {
      if (!editing) return;
      active = false;
      editing.freeze();
      void finish(editing);
    },
    leadTo,
    stepBack: () => editing?.element.stepBack() ?? false,
  };

  function sayUnread(): false {
    unread();
    const words = msg("editor.publishedCouldReadSo");
    unread = putNote(document.body, words, { name: msg("common.tryAgain"), act: () => toMode("edit") });
    return false;
  }

  /** Edit goes on with a draft without asking; that others published since is said then. */
  function sayOlder({ session: { state, changed }, status }: Editing): void {
    const now = Math.max(Number(published.dataset.sequence), live?.sequence ?? 0);
    const { sequence } = state.base;
    if (!changed || state.baseLost || now <= sequence || offer.own) return;
    const values = { base: formatNumber(sequence), live: formatNumber(now) };
    putNote(status, msg("editor.draftBegunRevisionRevision", values));
  }

  /** Where nothing is changed, Edit shows what the page does: others may have published since it was left. */
  async function catchUp({ session }: Editing): Promise<void> {
    const isBehind = (): boolean => !session.changed && session.state.base.sequence < Number(published.dataset.sequence);
    // What cannot be had now is compared when something is to be published.
    const latest = isBehind() ? await courseSource(courseId).catch(() => null) : null;
    if (latest && isBehind()) session.rebase(latest.base, latest.course, latest.course);
  }

  function leadTo(place: ErrorPlace): void {
    if (active) return void editing?.leadToError(place);
    wanted = place;
    toMode("edit");
  }

  function begin(source: CourseSource): Editing {
    const begun = new Editing(page, drafts, source, kept.draft);
    begun.onDiscarded(() => void discarded(begun));
    begun.status.addEventListener("colloquy-place-wanted", ({ place }) => leadTo(place));
    return begun;
  }

  /** Nothing of the draft goes on; the page shows what is published again, and the next Edit begins from that. */
  async function discarded(thrown: Editing): Promise<void> {
    const isHere = thrown.pageId === pageIdOf(published);
    thrown.publisher.stop();
    await thrown.keeper.discard();
    thrown.dispose();
    editing = source = null;
    active = false;
    if (!isHere) return goTo(thrown);
    kept = await drafts.open(courseId, accountId).catch(() => ({ draft: null, copies: [], unreadable: [] }));
    toMode("read");
    // Another tab's text is not what was thrown away here.
    if (ownDraft() || kept.copies.length || kept.unreadable.length) showOffer();
    else putNote(document.body, msg("editor.draftDiscardedSeePublished"));
    void showPinned(published).catch(() => null);
  }

  /**
   * Publishes what changed, with the draft in sight until that is done; then shows what is published: this page as it is now, or the one
   * that was edited last.
   */
  async function finish(left: Editing): Promise<void> {
    const isHere = left.pageId === pageIdOf(published);
    if (isHere) published.removeAttribute(editingAttribute);
    const outcome = await left.publisher.leave();
    // What was published while Edit was still on is shown, too: until now the page was left alone. Without a connection nobody waits for it.
    const shown = isHere ? showPinned(published).catch(() => null) : null;
    if (outcome !== "kept") await shown;
    if (active) return;
    if (isHere) return left.close();
    if (outcome !== "kept") return goTo(left);
    // The draft stays in sight: its page may not be published at all yet.
    const heard = (): void => {
      if (active || left.publisher.state.kind === "published") left.publisher.removeEventListener("change", heard);
      if (!active && left.publisher.state.kind === "published") goTo(left);
    };
    left.publisher.addEventListener("change", heard);
  }

  function goTo({ address }: Editing): void {
    if (location.pathname === address) location.reload();
    else location.assign(address ?? `/courses/${courseId}`);
  }
}

/** What a draft began from, or what is published. A revision that is lost is stood in for by the live one, and that is said. */
async function sourceFor(courseId: string, draft: CourseDraft | null): Promise<CourseSource> {
  if (!draft) return courseSource(courseId);
  try {
    return await courseSource(courseId, draft.base.revisionId);
  } catch (error) {
    if (error instanceof SourceRefused && error.status === 404) return { ...(await courseSource(courseId)), instead: true };
    throw error;
  }
}
