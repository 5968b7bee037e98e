import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { editBlockSource, findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { readQuestionHeader, withHeaderField } from "@colloquy/schemas/courses/editing/question-source.ts";
import { withoutLink } from "@colloquy/schemas/courses/editing/remove-link.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import { type ErrorPlace, placeOfError } from "@colloquy/schemas/publication/places.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { isComposing } from "../../controls/keyboard.ts";
import { LightElement } from "../../controls/light-element.ts";
import { Subscription } from "../../controls/subscription.ts";
import { msg } from "../../messages/page.ts";
import { visibleTitle } from "../contents.ts";
import { downloadJson, draftFileName } from "../download.ts";
import type { DraftAutosave } from "../draft-autosave.ts";
import { typeName } from "../fields/block-types.ts";
import { importDraftFile } from "../publishing/draft-file.ts";
import type { PublishState } from "../publishing/machine.ts";
import type { Publisher } from "../publishing/publisher.ts";
import type { TutoredLearners } from "../publishing/tutored-learners.ts";
import { confirmUnfinished } from "../publishing/unfinished-dialog.ts";
import { remarkText } from "../remark-text.ts";
import { statusStyles } from "./status.styles.ts";
import { type Status, type StatusAction, statusOf, tutoredWords } from "./status-text.ts";

/** Asks the editor to go to the place of an error. */
export class PlaceWantedEvent extends Event {
  static readonly type = "colloquy-place-wanted";
  readonly place: ErrorPlace;
  constructor(place: ErrorPlace) {
    super(PlaceWantedEvent.type, { bubbles: true, composed: true });
    this.place = place;
  }
}

const names = {
  publish: "editor.publishNow",
  retry: "common.tryAgain",
  stop: "common.stop",
  compare: "editor.compareAndChoose",
  download: "editor.saveACopy",
  reload: "editor.reloadPage",
  close: "common.close",
} as const satisfies Partial<Record<StatusAction, string>>;
/** How long "Published" stays visible, in milliseconds. */
const publishedMs = 12_000;
/** Actions shown as primary buttons. */
const foremost: readonly StatusAction[] = ["compare", "retry", "sign-in"];

/**
 * @summary Status of a draft and its publication, floating over the page: where the text is and what can be done. Failures are announced; saves
 * while typing are not.
 * @event {PlaceWantedEvent} colloquy-place-wanted
 */
@customElement("colloquy-editor-status")
export class EditorStatus extends LightElement {
  static override lightStyles = [statusStyles];

  @property({ attribute: false }) publisher: Publisher | null = null;
  @property({ attribute: false }) autosave: DraftAutosave | null = null;
  @property({ attribute: false }) tutored: TutoredLearners | null = null;
  /** Undoes the last step; null while editing is off. */
  @property({ attribute: false }) undo: (() => void) | null = null;
  /** Asks to discard the draft; null while editing is off. */
  @property({ attribute: false }) discard: (() => void) | null = null;
  /** Why a file could not be imported. */
  @state() private refusal = "";
  @state() private seconds = 0;
  @state() private closed: unknown = null;
  /** The state whose error list was closed; a new state opens its list again. */
  @state() private folded: unknown = null;
  @state() private spoken = "";
  #ticking: ReturnType<typeof setInterval> | undefined;
  #last = "";
  #warned = "";
  #leaving: ReturnType<typeof setTimeout> | undefined;
  #comparing = false;
  #shown: unknown = null;
  /** The element that had focus before the list. */
  #before: HTMLElement | null = null;

  constructor() {
    super();
    const heard = () => this.requestUpdate();
    const listen = (target: EventTarget) => {
      target.addEventListener("change", heard);
      return () => target.removeEventListener("change", heard);
    };
    new Subscription(this, () => this.publisher, listen);
    new Subscription(this, () => this.autosave, listen);
    new Subscription(this, () => this.tutored, listen);
  }

  override disconnectedCallback(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#leaving);
    super.disconnectedCallback();
  }

  /** The present status; null if there is none. */
  get status(): Status | null {
    const { publisher, autosave } = this;
    if (!publisher || !autosave || this.closed === publisher.state) return null;
    return statusOf(publisher.state, autosave.status, publisher.needs.session.changed);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { status } = this;
    clearInterval(this.#ticking);
    const { until } = status ?? {};
    if (until !== undefined) {
      const left = (): number => Math.max(0, Math.ceil((until - Date.now()) / 1_000));
      this.seconds = left();
      this.#ticking = setInterval(() => (this.seconds = left()), 1_000);
    }
    const words = status?.spoken ? [`${status.words}, ${status.scope}`, status.way].filter(Boolean).join(". ") : "";
    if (words !== this.#last && words) this.spoken = words;
    this.#last = words;
    const { warning } = this;
    if (warning !== this.#warned && warning) this.spoken = warning;
    this.#warned = warning;
  }

  /** Warning about tutored learners while there is something to publish. */
  get warning(): string {
    const { status, publisher, tutored } = this;
    return status && status.tone !== "busy" && publisher?.needs.session.changed ? tutoredWords(tutored?.learners ?? 0) : "";
  }

  protected override render() {
    const { status, publisher } = this;
    const listed = status && publisher && this.folded !== publisher.state ? listOf(publisher.state) : [];
    return html`${listed.length ? this.#errors(listed) : nothing}
      ${status ? this.#pill(status) : nothing}
      <div class="live" role="status" aria-live="polite" aria-atomic="true">${this.spoken}</div>`;
  }

  #pill({ tone, words, scope, way, actions, until }: Status) {
    return html`<div class="pill ${tone}" role="group" aria-label=${msg("editor.draftAndPublication")}>
      <i class="sign" aria-hidden="true"></i>
      <p class="said"><b>${words}</b><span>${scope}</span>${way === undefined ? nothing : html`<span>${way}</span>`}${until === undefined ? nothing : html`<span>${msg("editor.againInSeconds", { n: this.seconds })}</span>`}</p>
      <div class="actions">${repeat(
        actions,
        // Keyed, so that a press on "Stop" cannot hit a button that replaces it.
        (action) => action,
        (action) => this.#action(action),
      )}</div>
      ${this.warning ? html`<p class="warning">${this.warning}</p>` : nothing}
      ${this.refusal ? html`<p class="note" role="alert">${this.refusal}</p>` : nothing}
    </div>`;
  }

  #action(action: StatusAction) {
    const main = foremost.includes(action) ? "main" : nothing;
    if (action === "undo") return this.undo ? html`<button type="button" @click=${this.undo}>${msg("common.undo")}</button>` : nothing;
    if (action === "discard")
      return this.discard
        ? html`<button type="button" aria-haspopup="dialog" @click=${this.discard}>${msg("editor.discardDraft2")}</button>`
        : nothing;
    if (action === "list")
      return this.folded === this.publisher?.state
        ? html`<button class="list" type="button" aria-expanded="false" @click=${this.#unfold}>${msg("editor.showTheList")}</button>`
        : nothing;
    if (action === "sign-in")
      return html`<a class="main" target="_blank" rel="opener" href="/sign-in?return=${encodeURIComponent(location.pathname)}">${msg("editor.signNewTab")}</a>`;
    if (action === "upload")
      return html`<label>${msg("editor.takeSavedCopy")}<input type="file" accept="application/json,.json" @change=${this.#chosen} /></label>`;
    return html`<button class=${main} type="button" @click=${() => this.#act(action)}>${msg(names[action])}</button>`;
  }

  #errors(listed: readonly Listed[]) {
    const { needs, state } = this.publisher ?? {};
    if (!needs) return nothing;
    const { course } = needs.session.state;
    const items = listed.map(({ path, words, error }, index) => {
      const place = placeOfError(path, course);
      const repair = error && repairOf(error, place, course);
      const remove = repair
        ? html`<button class="remove" type="button" @click=${() => void this.#repair(place, repair, index)}>${msg(repair.name)}</button>`
        : nothing;
      return html`<li><button type="button" @click=${() => this.dispatchEvent(new PlaceWantedEvent(place))}><span>${fieldOf(place)}${words}</span><small>${whereOf(place, course)}</small></button>${remove}</li>`;
    });
    // After publication the status's own button closes the list.
    const wasPublished = state?.kind === "published";
    const name = wasPublished ? msg("editor.formulasErrors") : msg("editor.problemsFix");
    return html`<section class="errors" aria-label=${name} @focusin=${this.#entered} @keydown=${this.#pressed}>
      <ul>${items}</ul>${wasPublished ? nothing : html`<button class="fold" type="button" @click=${this.#fold}>${msg("common.close")}</button>`}</section>`;
  }

  /** Repairs a problem; the focus stays in the list, or goes to the place if it was the last. */
  async #repair(place: ErrorPlace, { done, source }: Repair, index: number): Promise<void> {
    const { id, topicId } = place;
    const { publisher } = this;
    if (!publisher || id === null || topicId === null) return;
    const label = msg(done);
    publisher.needs.session.apply({ label, place: { topicId, blockId: id } }, (course) => editBlockSource(course, id, source));
    publisher.repaired();
    await this.updateComplete;
    const left = [...this.querySelectorAll<HTMLElement>(".errors li > button:first-child")];
    const next = left[Math.min(index, left.length - 1)];
    if (next) return next.focus();
    this.spoken = label;
    this.dispatchEvent(new PlaceWantedEvent(place));
  }

  readonly #entered = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof HTMLElement && !(currentTarget as Element).contains(relatedTarget)) this.#before = relatedTarget;
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || isComposing(event)) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#fold();
  };

  /** Closes the list; focus returns to where it came from, or to the button that opens the list. */
  readonly #fold = async (): Promise<void> => {
    const back = this.#before;
    this.#before = null;
    this.folded = this.publisher?.state;
    await this.updateComplete;
    const opener = this.querySelector<HTMLElement>(".actions .list");
    (back?.isConnected ? back : opener)?.focus({ preventScroll: true });
    // The former element can no longer take focus.
    if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
  };

  readonly #unfold = async (): Promise<void> => {
    this.folded = null;
    await this.updateComplete;
    this.querySelector<HTMLElement>(".errors li button")?.focus();
  };

  #act(action: Exclude<StatusAction, "undo" | "discard" | "sign-in" | "upload" | "list">): void {
    const { publisher, autosave } = this;
    this.refusal = "";
    if (action === "publish") void this.#publish();
    else if (action === "retry") void publisher?.publishNow();
    else if (action === "stop") publisher?.stop();
    else if (action === "reload") location.reload();
    else if (action === "close") this.closed = publisher?.state;
    else if (action === "compare") void this.#compare();
    else if (autosave) {
      const draft = autosave.snapshot();
      downloadJson(draftFileName(draft), draft);
    }
  }

  /** Publishes, unless the author wants to finish something first. */
  async #publish(): Promise<void> {
    const { publisher } = this;
    const answer = publisher && (await confirmUnfinished(publisher.needs.session, publisher.closed));
    if (answer === true) await publisher?.publishNow();
    else if (answer) this.dispatchEvent(new PlaceWantedEvent(answer));
  }

  /** Opens the sheet of a new conflict once. */
  protected override updated(): void {
    const { state } = this.publisher ?? {};
    if (state?.kind === "conflict" && state !== this.#shown) {
      this.#shown = state;
      void this.#compare();
    }
    clearTimeout(this.#leaving);
    // With invalid formulas the status stays until it is closed or the author types.
    if (state?.kind === "published" && !state.invalidFormulas.length && this.closed !== state)
      this.#leaving = setTimeout(() => this.#leave(state), publishedMs);
  }

  /** Hides the success status, unless the author is using it. */
  #leave(state: unknown): void {
    if (this.publisher?.state !== state) return;
    if (this.matches(":hover, :focus-within")) this.requestUpdate();
    else this.closed = state;
  }

  async #compare(): Promise<void> {
    const { publisher } = this;
    if (!publisher || this.#comparing) return;
    this.#comparing = true;
    try {
      const { openConflict } = await import("../conflict/open.ts");
      const { outcome, problem } = await openConflict(publisher);
      if (problem) this.refusal = msg("editor.publishedVersionCouldNotRead", { reason: problem });
      else if (outcome === "kept" && publisher.state.kind === "conflict") this.spoken = msg("editor.nothingPublishedDraftKept");
    } finally {
      this.#comparing = false;
    }
  }

  readonly #chosen = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    const needs = this.publisher?.needs;
    if (!file || !needs) return;
    const { problem } = await importDraftFile(file, needs);
    this.refusal = problem ?? "";
    input.value = "";
  };
}

/** A listed problem with its place. */
interface Listed {
  path: string;
  words: unknown;
  /** What the service said of it. */
  error?: FieldError;
}

/** A change of one block that takes a problem away. */
interface Repair {
  name: PlainMessageKey;
  /** What is said and listed as the change. */
  done: PlainMessageKey;
  source: string;
}

/** The problems of a state: validation errors, or published formulas that cannot be typeset. */
function listOf(state: PublishState): Listed[] {
  if (state.kind === "invalid") return state.errors.map((error) => ({ path: error.path, words: remarkText(error), error }));
  return state.kind === "published" ? state.invalidFormulas.map(({ path, message }) => ({ path, words: message })) : [];
}

const linkRemarks = new Set<string | undefined>(["link-anchor", "link-topic", "link-nowhere"]);

/** Takes out a link that leads nowhere, or the reference of a question to a deleted block; null where only the owner can decide. */
function repairOf({ remark, values }: FieldError, { id, line }: ErrorPlace, course: AuthoredCourse): Repair | null {
  const source = id === null ? undefined : findBlock(course, id)?.block.source;
  if (source === undefined || line === null) return null;
  if (remark === "question-about") {
    const about = readQuestionHeader(source)?.about.filter((one) => one !== values?.id) ?? [];
    const rest = withHeaderField(source, "about", about.join(", "));
    return { name: "editor.removeTheReference", done: "editor.referenceRemoved", source: rest };
  }
  const rest = linkRemarks.has(remark) && values?.href !== undefined ? withoutLink(source, line, String(values.href)) : null;
  return rest === null ? null : { name: "editor.removeTheLink", done: "editor.linkRemoved", source: rest };
}

const fields: Readonly<Record<string, PlainMessageKey>> = {
  title: "editor.title",
  summary: "editor.summary",
  slug: "editor.address",
  id: "editor.id",
  objectives: "editor.objectives",
};

/** The name of the field, as a prefix. */
const fieldOf = ({ field }: ErrorPlace): string => (field !== null && fields[field] ? `${msg(fields[field])}: ` : "");

/** The page title, the block and the line. */
function whereOf({ kind, id, topicId, line }: ErrorPlace, course: AuthoredCourse): string {
  if (kind === "asset") return id ?? "";
  const page = [...course.topics, ...course.collections].find((one) => one.id === (topicId ?? id));
  const title = visibleTitle((page ?? course.manifest).title);
  const found = kind === "block" && id !== null ? findBlock(course, id) : null;
  const where = found ? msg("editor.blockOfPage", { page: title, number: found.index + 1, type: typeName(found.block.type) }) : title;
  return line === null ? where : msg("editor.line2", { page: where, line });
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-editor-status": EditorStatus;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-place-wanted": PlaceWantedEvent;
  }
}
