import type { AuthoredCourse, Collection, Objective, Topic } from "@colloquy/schemas/courses/authored.ts";
import { editCollection, editManifest, editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import type { TextField } from "@colloquy/schemas/courses/field-rules.ts";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { uuidv7 } from "../../api/uuid.ts";
import { growWithText } from "../../composer/field.ts";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { icons } from "../../controls/icons.ts";
import { isComposing } from "../../controls/keyboard.ts";
import { LightElement } from "../../controls/light-element.ts";
import { onChange } from "../../controls/subscription.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import { formulasInLine } from "../../rendering/line-formulas.ts";
import { renderedLine } from "../draft-rendering.ts";
import { FieldLeftEvent } from "../fields/block-field.ts";
import { editorIcons } from "../icons.ts";
import type { EditingSession } from "../session.ts";
import { pageFieldsStyles } from "./page-fields.styles.ts";
import { addressOf, fieldProblem, slugProblem } from "./page-problems.ts";
import { slugFor, withTitle } from "./retitle.ts";

type Page =
  | { kind: "course"; of: AuthoredCourse["manifest"] }
  | { kind: "topic"; id: string; of: Topic }
  | { kind: "collection"; id: string; of: Collection };

interface TextLine {
  name: string;
  label: string;
  value: string;
  rule: TextField;
  problem?: string | null;
  lines?: boolean;
  code?: boolean;
  note?: TemplateResult | string;
  write(value: string): void;
  beside?: TemplateResult;
}

let forms = 0;

/**
 * @summary The fields of a page, a part or the course: title, summary, address, objectives; for the course also language and licence. Typing is
 * applied to the session at once; problems are shown below the field.
 * @event {FieldLeftEvent} colloquy-field-left
 * @event {AnnounceEvent} colloquy-announce
 */
@customElement("colloquy-page-fields")
export class PageFields extends LightElement {
  static override lightStyles = [pageFieldsStyles];

  @property({ attribute: false }) session: EditingSession | null = null;
  /** A topic's or collection's id; null for the course. */
  @property({ attribute: false }) pageId: string | null = null;
  /** Styled as the head of the article below. */
  @property({ type: Boolean, reflect: true }) head = false;

  #composing = false;
  /** Prefix of ids: the document may contain another form of the same page. */
  readonly #name = `fields-${++forms}`;

  constructor() {
    super();
    // Rendering would disturb an input method's composition.
    onChange(
      this,
      () => this.session,
      () => this.#composing || this.requestUpdate(),
    );
    this.addEventListener("focusout", () => this.dispatchEvent(new FieldLeftEvent()));
    this.addEventListener("keydown", (event) => this.head && leaveField(event));
    this.addEventListener("compositionstart", () => (this.#composing = true));
    this.addEventListener("compositionend", () => (this.#composing = false), { capture: true });
  }

  /** Focuses a field: `title`, `summary`, `slug`, `language`, `license`, or an objective by its id. */
  async focusField(name: string): Promise<void> {
    await this.updateComplete;
    const field = this.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
  }

  get #page(): Page | null {
    const course = this.session?.state.course;
    if (!course) return null;
    const { pageId } = this;
    if (pageId === null) return { kind: "course", of: course.manifest };
    const topic = course.topics.find(({ id }) => id === pageId);
    if (topic) return { kind: "topic", id: pageId, of: topic };
    const collection = course.collections.find(({ id }) => id === pageId);
    return collection ? { kind: "collection", id: pageId, of: collection } : null;
  }

  protected override render() {
    const page = this.#page;
    if (!page || !this.session) return nothing;
    const lines = page.kind === "course" ? this.#courseLines(page.of) : this.#pageLines(page, this.session.state.course);
    const shown = lines.map((line) => this.#line(line));
    return page.kind === "topic" ? [shown, this.#objectives(page.of)] : shown;
  }

  protected override updated(): void {
    for (const field of this.querySelectorAll("textarea")) growWithText(field);
  }

  #courseLines(manifest: AuthoredCourse["manifest"]): TextLine[] {
    const set = (name: "title" | "summary" | "language" | "license", value: string | undefined) =>
      this.#apply(msg("editor.courseChanged"), name, (course) => editManifest(course, { [name]: value }));
    return [
      ...this.#titleAndSummary(manifest.title, manifest.summary, (name, value) => set(name, value)),
      {
        name: "language",
        label: msg("common.language"),
        value: manifest.language,
        rule: "language",
        code: true,
        note: msg("editor.textWrittenEnDe"),
        write: (value) => set("language", value.trim()),
      },
      {
        name: "license",
        label: msg("editor.licence"),
        value: manifest.license ?? "",
        rule: "license",
        write: (value) => set("license", value || undefined),
      },
    ];
  }

  #pageLines(page: Exclude<Page, { kind: "course" }>, course: AuthoredCourse): TextLine[] {
    const { id, of } = page;
    const change = (name: "title" | "summary" | "slug", to: (before: AuthoredCourse) => AuthoredCourse): void =>
      this.#apply(page.kind === "topic" ? msg("editor.pageChanged") : msg("editor.partChanged"), name, to);
    const set = (name: "summary" | "slug", value: string | undefined): void =>
      change(name, (before) =>
        page.kind === "topic" ? editTopic(before, id, { [name]: value }) : editCollection(before, id, { [name]: value }),
      );
    const known = this.session?.state;
    const slug: TextLine = {
      name: "slug",
      label: msg("editor.address"),
      value: of.slug,
      rule: "slug",
      code: true,
      problem: slugProblem(course, id, of.slug),
      note: this.#addressNote(course, id),
      beside: html`<button type="button" @click=${() => set("slug", slugFor(course, id, of.title))}>${msg("editor.fromTheTitle")}</button>`,
      write: (value) => set("slug", value.trim()),
    };
    const words = this.#titleAndSummary(of.title, of.summary ?? "", (name, value) => {
      if (name === "summary") set(name, value || undefined);
      else if (known) change(name, (before) => withTitle(before, known, id, value));
    });
    return this.head ? [slug, ...words] : [...words, slug];
  }

  #titleAndSummary(title: string, summary: string, set: (name: "title" | "summary", value: string) => void): TextLine[] {
    return [
      {
        name: "title",
        label: msg("editor.title"),
        value: title,
        rule: "title",
        lines: true,
        write: (value) => set("title", oneLine(value)),
      },
      {
        name: "summary",
        label: msg("editor.summary"),
        value: summary,
        rule: "summary",
        lines: true,
        write: (value) => set("summary", value),
      },
    ];
  }

  #addressNote(course: AuthoredCourse, id: string) {
    const address = addressOf(course, id);
    const whole = address === null ? nothing : html`<bdi class="mono" dir="ltr">${`/courses/${address}`}</bdi><br />`;
    return html`${whole}${msg("editor.addressMayChangeAny")}`;
  }

  #apply(label: string, name: string, to: (course: AuthoredCourse) => AuthoredCourse): void {
    const { pageId } = this;
    this.session?.apply({ label, coalesce: `${name} ${pageId ?? "course"}`, ...(pageId && { place: { topicId: pageId } }) }, to);
  }

  #line({ name, label, value, rule, problem = fieldProblem(rule, value), lines, code, note, write, beside }: TextLine) {
    const id = `${this.#name}-${name}`;
    const described = [problem === null ? [] : [`${id}-wrong`], note ? [`${id}-note`] : []].flat().join(" ");
    const { language } = this.session?.state.course.manifest ?? { language: "" };
    const typed = (event: InputEvent): void => {
      if (!event.isComposing) write((event.target as HTMLInputElement).value);
    };
    const composed = (event: CompositionEvent): void => write((event.target as HTMLInputElement).value);
    const invalid = problem === null ? nothing : "true";
    const field = lines
      ? html`<textarea id=${id} rows="1" data-field=${name} dir="auto" lang=${language} spellcheck="true" .value=${live(value)} aria-invalid=${invalid} aria-describedby=${described || nothing}
          placeholder=${name === "summary" ? msg("editor.sentenceTwoAbout") : nothing}
          @input=${typed} @compositionend=${composed} @keydown=${name === "title" ? onward : nothing}></textarea>`
      : html`<input id=${id} class=${code ? "mono" : nothing} data-field=${name} dir=${code ? "ltr" : "auto"} spellcheck="false" autocapitalize="off" autocomplete="off" .value=${live(value)} aria-invalid=${invalid} aria-describedby=${described || nothing}
          @input=${typed} @compositionend=${composed} />`;
    return html`<div class="field ${name}"><label for=${id}>${label}</label>${beside ? html`<div class="line">${field}${beside}</div>` : field}
      ${name === "summary" ? this.#preview(value) : nothing}
      ${problem === null ? nothing : html`<p class="wrong" dir="auto" id=${`${id}-wrong`}>${problem}</p>`}
      ${note ? html`<small dir="auto" id=${`${id}-note`}>${note}</small>` : nothing}</div>`;
  }

  /** A preview of a line that contains formulas. */
  #preview(text: string) {
    if (!formulasInLine(text).length) return nothing;
    const { language } = this.session?.state.course.manifest ?? { language: "" };
    return html`<p class="as-read" role="group" aria-label=${msg("editor.preview")} lang=${language} dir="auto">${renderedLine(text)}</p>`;
  }

  #objectives({ objectives }: Topic) {
    const { language } = this.session?.state.course.manifest ?? { language: "" };
    return html`<fieldset class="aims"><legend>${msg("editor.objectivesReadersCanDo")}</legend>
      ${objectives.map(({ id, text }, index) => {
        const problem = fieldProblem("objective", text);
        const place = formatNumber(index + 1);
        const set = (event: Event) =>
          this.#write(
            (now) => now.map((one) => (one.id === id ? { id, text: oneLine((event.target as HTMLInputElement).value) } : one)),
            `objective ${id}`,
          );
        return html`<div class="field"><div class="line"><div class="written"><textarea rows="1" data-field=${id} dir="auto" lang=${language} spellcheck="true" .value=${live(text)} aria-label=${msg("editor.objective", { place })}
            aria-invalid=${problem === null ? nothing : "true"} aria-describedby=${problem === null ? nothing : `${this.#name}-${id}-wrong`}
            @input=${(event: InputEvent) => event.isComposing || set(event)} @compositionend=${set} @keydown=${onward}></textarea>${this.#preview(text)}</div>
          <button type="button" aria-label=${msg("editor.moveObjectiveUp", { place })} aria-disabled=${index === 0 ? "true" : nothing} @click=${() => this.#moveObjective(id, -1)}>${editorIcons.up}</button>
          <button type="button" aria-label=${msg("editor.moveObjectiveDown", { place })} aria-disabled=${index === objectives.length - 1 ? "true" : nothing} @click=${() => this.#moveObjective(id, 1)}>${editorIcons.down}</button>
          <button type="button" aria-label=${msg("editor.deleteObjective", { place })} @click=${() => this.#removeObjective(id)}>${icons.close}</button></div>
          ${problem === null ? nothing : html`<p class="wrong" dir="auto" id=${`${this.#name}-${id}-wrong`}>${problem}</p>`}</div>`;
      })}
      <button type="button" class="add" @click=${() => this.#addObjective()}>${icons.add}${msg("editor.addAnObjective")}</button></fieldset>`;
  }

  #write(to: (objectives: Objective[]) => Objective[], coalesce?: string): void {
    const { session, pageId } = this;
    if (!session || pageId === null) return;
    session.apply({ label: msg("editor.objectivesChanged"), place: { topicId: pageId }, ...(coalesce && { coalesce }) }, (course) =>
      editTopic(course, pageId, { objectives: to(course.topics.find(({ id }) => id === pageId)?.objectives ?? []) }),
    );
  }

  /** The present objectives: newer than those rendered. */
  get #now(): Objective[] {
    const page = this.#page;
    return page?.kind === "topic" ? page.of.objectives : [];
  }

  #addObjective(): void {
    const id = uuidv7();
    this.#write((now) => [...now, { id, text: "" }]);
    void this.focusField(id);
  }

  #removeObjective(id: string): void {
    const at = this.#now.findIndex((one) => one.id === id);
    const next = this.#now[at + 1] ?? this.#now[at - 1];
    this.#write((now) => now.filter((one) => one.id !== id));
    this.dispatchEvent(new AnnounceEvent(msg("editor.objectiveDeletedUndoBrings")));
    if (next) void this.focusField(next.id);
    else void this.updateComplete.then(() => this.querySelector<HTMLElement>(".add")?.focus());
  }

  #moveObjective(id: string, by: number): void {
    const from = this.#now.findIndex((one) => one.id === id);
    const [one, to] = [this.#now[from], from + by];
    if (!one || to < 0 || to >= this.#now.length) return;
    this.#write((now) => now.toSpliced(from, 1).toSpliced(to, 0, one));
    const values = { place: formatNumber(to + 1), count: formatNumber(this.#now.length) };
    this.dispatchEvent(new AnnounceEvent(msg("editor.movedToOf", values)));
    // Focus moves to the same button of the moved row.
    const button = by < 0 ? 0 : 1;
    void this.updateComplete.then(() => {
      const row = this.querySelector(`[data-field="${CSS.escape(id)}"]`)?.closest(".line");
      row?.querySelectorAll<HTMLElement>("button")[button]?.focus({ preventScroll: true });
    });
  }
}

/** Escape leaves a field for its row, where Enter leads back into it; the next Escape leaves Edit, as with blocks. */
function leaveField(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.defaultPrevented || isComposing(event) || !(target instanceof HTMLElement)) return;
  const row = target.closest<HTMLElement>(".field");
  const isField = target.matches("input, textarea");
  if (key === "Escape" && isField && row) restOn(row, target as HTMLInputElement);
  else if (target === row && (key === "Enter" || key === "F2")) row.querySelector<HTMLElement>("[data-field]")?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Focuses a row, which is a group with its field's name as long as it has the focus. */
function restOn(row: HTMLElement, field: HTMLInputElement): void {
  Object.assign(row, { tabIndex: -1, role: "group", ariaLabel: field.ariaLabel ?? field.labels?.[0]?.textContent ?? "" });
  row.focus({ preventScroll: true });
  const leave = () => {
    for (const name of ["tabindex", "role", "aria-label"]) row.removeAttribute(name);
  };
  row.addEventListener("blur", leave, { once: true });
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

/** Enter moves to the next field: these texts are one line, even if their fields wrap. */
function onward(event: KeyboardEvent): void {
  if (event.key !== "Enter" || isComposing(event)) return;
  event.preventDefault();
  const fields = [
    ...((event.currentTarget as HTMLElement).closest("colloquy-page-fields")?.querySelectorAll<HTMLElement>("[data-field]") ?? []),
  ];
  fields[fields.indexOf(event.currentTarget as HTMLElement) + 1]?.focus();
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-page-fields": PageFields;
  }
}
