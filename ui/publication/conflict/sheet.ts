import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { type Merged, mergeCourses, type Sides } from "@colloquy/schemas/courses/editing/merge.ts";
import {
  type Choice,
  compareCourses,
  preselected,
  type SideChange,
  sameValue,
  type UnitComparison,
  type UnitKey,
} from "@colloquy/schemas/courses/editing/units.ts";
import type { EditorHistoryResponse } from "@colloquy/schemas/publication/requests.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { uuidv7 } from "../../api/uuid.ts";
import { LightElement } from "../../controls/light-element.ts";
import { formatDate, msg } from "../../messages/page.ts";
import { remarkText } from "../remark-text.ts";
import { foldedVersions, type Shown, type Versions } from "./fold.ts";
import { partsOf } from "./parts.ts";
import "./result-page.ts";
import { sheetStyles } from "./sheet.styles.ts";

const kinds = { manifest: "editor.theCourseItself", topic: "controls.page", collection: "controls.part" } as const;
/** Messages for the changes of each side. */
const changeMessages = {
  published: {
    changed: "editor.changedPublishedCourse",
    added: "editor.newPublishedCourse",
    deleted: "editor.takenOutPublishedCourse",
  },
  draft: { changed: "editor.changedByYou", added: "editor.newByYou", deleted: "editor.takenOutByYou" },
} as const;

/** A text that differs, with its three versions. */
interface ShownPart {
  name: string;
  sides: Versions<Shown[]>;
}

/**
 * @summary Resolves a publication conflict unit by unit: shows base, live revision and draft. Changes of one side are preselected; the author
 * chooses the rest. Closing it keeps the draft.
 */
@customElement("colloquy-conflict-sheet")
export class ConflictSheet extends LightElement {
  static override lightStyles = [sheetStyles];

  @property({ attribute: false }) sides: Sides | null = null;
  /** Revisions published since the base, latest first. */
  @property({ attribute: false }) published: EditorHistoryResponse["revisions"] = [];
  @property({ attribute: false }) accountId = "";
  @state() private choices: ReadonlyMap<UnitKey, Choice> = new Map();
  @query("dialog") private dialog!: HTMLDialogElement;
  #units: { unit: UnitComparison; parts: ShownPart[] }[] = [];
  #merged: { choices: ReadonlyMap<UnitKey, Choice>; merged: Merged } | null = null;
  #answer: AuthoredCourse | null = null;

  /** Shows the sheet. Resolves to the merged course; null if it was closed. */
  async ask(): Promise<AuthoredCourse | null> {
    await this.updateComplete;
    const before = document.activeElement;
    this.dialog.showModal();
    scrollToFirstChanges(this);
    await new Promise((resolve) => this.dialog.addEventListener("close", resolve, { once: true }));
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return this.#answer;
  }

  /** Closes the sheet without a result. */
  close(): void {
    this.dialog?.close();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { sides } = this;
    if (!changed.has("sides") || !sides) return;
    const units = compareCourses(sides.base, sides.live, sides.draft).filter(({ state }) => state !== "same" && state !== "alike");
    // Conflicts come first.
    units.sort((one, other) => Number(other.state === "both") - Number(one.state === "both"));
    const earlier = new Map(this.#units.map(({ unit }) => [unit.key, unit]));
    this.#units = units.map((unit) => ({
      unit,
      // Without a base, the draft is compared with the live revision.
      parts: partsOf(sides.base ? unit : { ...unit, base: unit.live }, { ...sides, base: sides.base ?? sides.live }).map(
        ({ name, ...texts }) => ({ name, sides: foldedVersions(texts) }),
      ),
    }));
    this.choices = new Map(
      units.flatMap((unit): [UnitKey, Choice][] => {
        const choice = this.#stillChosen(unit, earlier.get(unit.key)) ?? preselected(unit);
        return choice ? [[unit.key, choice]] : [];
      }),
    );
  }

  /** Keeps an earlier choice unless it would drop a change of the draft that its author has not seen. */
  #stillChosen(unit: UnitComparison, earlier: UnitComparison | undefined): Choice | null {
    const choice = this.choices.get(unit.key);
    if (!choice || !earlier) return null;
    return choice === "draft" || sameValue(earlier.draft, unit.draft) ? choice : null;
  }

  /** Number of conflicts without a choice. */
  get #open(): number {
    return this.#units.filter(({ unit }) => !this.choices.has(unit.key)).length;
  }

  /** The merged course; null while conflicts are open. */
  get #result(): Merged | null {
    if (!this.sides || this.#open > 0) return null;
    if (this.#merged?.choices !== this.choices)
      this.#merged = { choices: this.choices, merged: mergeCourses(this.sides, this.choices, uuidv7) };
    return this.#merged.merged;
  }

  protected override render() {
    const open = this.#open;
    return html`<dialog aria-labelledby="colloquy-conflict-title" @close=${(event: Event) => event.stopPropagation()}>
      <header><h2 id="colloquy-conflict-title">${msg("editor.coursePublishedWhileEditing")}</h2>
        ${this.#who()}
        <p>${this.sides?.base ? msg("editor.chooseEachPartWhatReadersSee") : msg("editor.revisionDraftBasedNoLongerStored")}</p></header>
      <div class="units">${this.#units.map(({ unit, parts }) => this.#unit(unit, parts))}</div>
      ${this.#preview()}
      <footer><p role="status">${open > 0 ? msg("editor.partsDecide", { n: open }) : msg("editor.everythingIsChosen")}</p>
        <button class="button" type="button" autofocus @click=${() => this.dialog.close()}>${msg("editor.closeKeepMyDraft")}</button>
        <button class="button button-primary" type="button" aria-disabled=${open > 0 ? "true" : nothing} @click=${this.#publish}>${msg("editor.publishTheResult")}</button></footer>
    </dialog>`;
  }

  #who() {
    const [latest] = this.published;
    if (!latest) return nothing;
    const when = (at: string) => formatDate(new Date(at), { dateStyle: "medium", timeStyle: "short" });
    const words = ({ publishedBy, at, sequence }: typeof latest) =>
      publishedBy === this.accountId
        ? msg("editor.revisionPublishedAnotherWindow", { sequence, when: when(at) })
        : msg("editor.revisionPublishedAnotherOwner", { sequence, account: publishedBy, when: when(at) });
    return html`<ul class="who">${this.published.slice(0, 3).map((revision) => html`<li>${words(revision)}</li>`)}${
      this.published.length > 3 ? html`<li>${msg("editor.andRevisionsBefore", { n: this.published.length - 3 })}</li>` : nothing
    }</ul>`;
  }

  #unit(unit: UnitComparison, parts: ShownPart[]) {
    const { key, kind, title, published, own, state, live, draft } = unit;
    const isOut = {
      published: published === "deleted" || (published === "unknown" && !live),
      own: own === "deleted" || (own === "unknown" && !draft),
    };
    const choice = this.choices.get(key);
    const name = `colloquy-conflict-${key}`;
    const radio = (
      value: Choice,
      words: string,
      about: string,
    ) => html`<label class="choice"><input type="radio" name=${name} value=${value}
      .checked=${choice === value} @change=${() => this.#choose(key, value)} /><span>${words}${about ? html`<small>${about}</small>` : nothing}</span></label>`;
    return html`<fieldset class="unit ${state === "both" ? "both" : ""}"><legend><small>${msg(kinds[kind])}</small> <bdi>${title}</bdi></legend>
      <p class="deeds">${changesOf(unit).map((deed) => html`<span>${deed}</span>`)}</p>
      <div class="choices">${radio("published", isOut.published ? msg("editor.removePublished") : isOut.own ? msg("editor.keepItAsPublished") : msg("editor.takeThePublishedVersion"), "")}
        ${radio("draft", isOut.own ? msg("editor.leaveOutMyDraft") : isOut.published ? msg("editor.keepMyDraft") : msg("editor.takeMyDraft"), "")}</div>
      <details ?open=${state === "both"} @toggle=${this.#shown}><summary>${msg("editor.whatIsDifferent")}</summary>
        <div class="differences">${parts.map((part) => this.#part(part))}</div></details></fieldset>`;
  }

  #part({ name, sides: { base, live, draft } }: ShownPart) {
    const side = (heading: string, shown: Shown[] | null) =>
      html`<div class="version"><h4 class="version-name">${heading}</h4><pre dir="auto" tabindex="0" role="group" aria-label=${`${heading}: ${name}`}>${
        shown?.map(pieceOf) ?? html`<em>${msg("editor.nothingHere")}</em>`
      }</pre></div>`;
    return html`<section class="difference"><h3 class="difference-name">${name}</h3><div class="three" @click=${toggleSameFold}>
      ${this.sides?.base ? side(msg("editor.startingPoint"), base) : nothing}${side(msg("editor.publishedNow"), live)}${side(msg("editor.yourDraft"), draft)}</div></section>`;
  }

  #preview() {
    const result = this.#result;
    if (!result) return nothing;
    const { course, notes } = result;
    const titles = new Map([...course.topics, ...course.collections].map(({ id, title }) => [id, title]));
    const children = new Map(course.collections.map(({ id, children: list }) => [id, list]));
    const outline = (refs: readonly { id: string }[]): unknown =>
      html`<ol>${refs.map(({ id }) => {
        const below = children.get(id) ?? [];
        const choice = this.choices.get(`topic:${id}`) ?? this.choices.get(`collection:${id}`);
        const from = choice === "draft" ? msg("editor.fromYourDraft") : choice === "published" ? msg("editor.asPublished") : "";
        return html`<li><bdi>${titles.get(id)}</bdi>${from ? html` <small>${from}</small>` : nothing}${below.length ? outline(below) : nothing}</li>`;
      })}</ol>`;
    return html`<details class="result"><summary>${msg("editor.seeTheResult")}</summary>
      ${notes.length ? html`<ul class="notes">${notes.map((note) => html`<li>${remarkText(note)}</li>`)}</ul>` : nothing}
      <div class="outline"><p><b><bdi>${course.manifest.title}</bdi></b></p>${outline(course.manifest.root)}</div>
      ${this.#pages(course)}</details>`;
  }

  /** The compared pages that the merged course contains. */
  #pages(course: AuthoredCourse) {
    const compared = new Set(this.#units.map(({ unit }) => unit.key));
    const own: { key: UnitKey; id: string | null; title: string }[] = [
      { key: "manifest", id: null, title: course.manifest.title },
      ...course.collections.map(({ id, title }) => ({ key: `collection:${id}` as const, id, title })),
      ...course.topics.map(({ id, title }) => ({ key: `topic:${id}` as const, id, title })),
    ];
    const pages = own.filter(({ key }) => compared.has(key));
    if (!pages.length) return nothing;
    return html`<h3 class="difference-name">${msg("editor.pagesChangeReadersWill")}</h3>
      ${repeat(
        pages,
        ({ key }) => key,
        ({ id, title }) =>
          html`<details class="result-page" @toggle=${drawPage}><summary><bdi>${title}</bdi></summary><colloquy-result-page .course=${course} .pageId=${id}></colloquy-result-page></details>`,
      )}`;
  }

  /** A closed disclosure has no size, so its scroll position is set when it opens. */
  readonly #shown = ({ target }: ToggleEvent): void => {
    if (target instanceof HTMLDetailsElement && target.open) scrollToFirstChanges(target);
  };

  #choose(key: UnitKey, choice: Choice): void {
    this.choices = new Map(this.choices).set(key, choice);
  }

  readonly #publish = (): void => {
    const result = this.#result;
    if (!result) {
      // Focuses the first open conflict.
      const open = this.#units.find(({ unit }) => !this.choices.has(unit.key));
      this.querySelector<HTMLElement>(`input[name="${CSS.escape(`colloquy-conflict-${open?.unit.key}`)}"]`)?.focus();
      return;
    }
    this.#answer = result.course;
    this.dialog.close();
  };
}

/** No whitespace between pieces: it would show in `pre`. */
function pieceOf(piece: Shown) {
  switch (piece.kind) {
    case "added":
      return html`<ins>${piece.text}</ins>`;
    case "removed":
      return html`<del>${piece.text}</del>`;
    case "same":
      return piece.text;
    case "first":
      return html`<span class="first-change"></span>`;
    case "fold":
      return html`<details class="same-lines"><summary><bdi>${msg("editor.linesTheSame", { n: piece.lines })}</bdi></summary><div dir="auto">${piece.text}</div></details>`;
  }
}

/** Toggles the same fold in the other versions, so that lines stay aligned. */
function toggleSameFold({ target, currentTarget }: Event): void {
  const fold = target instanceof Element && target.closest("summary")?.closest(".same-lines");
  if (!(fold instanceof HTMLDetailsElement) || !(currentTarget instanceof Element)) return;
  const foldsOf = (version: Element) => [...version.querySelectorAll<HTMLDetailsElement>(".same-lines")];
  const versions = [...currentTarget.querySelectorAll("pre")].map(foldsOf);
  const place = versions.find((folds) => folds.includes(fold))?.indexOf(fold) ?? -1;
  // The click itself toggles this one afterwards.
  for (const folds of versions) if (folds[place] && folds[place] !== fold) folds[place].open = !fold.open;
}

function drawPage({ target }: ToggleEvent): void {
  const page = target instanceof HTMLDetailsElement && target.querySelector("colloquy-result-page");
  if (page) page.shown = (target as HTMLDetailsElement).open;
}

/** Scrolls each visible version to its first change, with some context above. */
function scrollToFirstChanges(within: HTMLElement): void {
  for (const mark of within.querySelectorAll("pre > .first-change")) {
    const version = mark.parentElement as HTMLElement;
    const down = mark.getBoundingClientRect().top - version.getBoundingClientRect().top;
    if (down > version.clientHeight / 2) version.scrollTop += down - version.clientHeight / 4;
  }
}

function changesOf({ published, own, live, draft }: UnitComparison): string[] {
  if (published !== "unknown") return knownChanges(published, own);
  return [live && draft ? msg("editor.differentTwoVersions") : live ? msg("editor.publishedCourseOnly") : msg("editor.inYourDraftOnly")];
}

const knownChanges = (published: SideChange, own: SideChange): string[] => [
  ...(published === "changed" || published === "added" || published === "deleted" ? [msg(changeMessages.published[published])] : []),
  ...(own === "changed" || own === "added" || own === "deleted" ? [msg(changeMessages.draft[own])] : []),
];

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-conflict-sheet": ConflictSheet;
  }
}
