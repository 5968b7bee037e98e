import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { questionKinds, questionPlaces } from "@colloquy/schemas/courses/blocks.ts";
import { editBlockSource, findBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import {
  addableParts,
  type QuestionHeader,
  type QuestionHeaderKey,
  type QuestionPart,
  readQuestionHeader,
  withHeaderField,
  withKind,
} from "@colloquy/schemas/courses/editing/question-source.ts";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { icons } from "../../controls/icons.ts";
import { LightElement } from "../../controls/light-element.ts";
import { onChange } from "../../controls/subscription.ts";
import { msg } from "../../messages/page.ts";
import { remarkText } from "../remark-text.ts";
import type { EditingSession } from "../session.ts";
import { blockErrors } from "./block-errors.ts";
import { typeName } from "./block-types.ts";
import { keepParts, keptParts } from "./kept-parts.ts";
import { questionFormStyles } from "./question-form.styles.ts";
import { kindNames, placeNames } from "./question-words.ts";

/** A part of the question is to be added. */
export class PartWantedEvent extends Event {
  static readonly type = "colloquy-part-wanted";
  readonly part: QuestionPart;
  constructor(part: QuestionPart) {
    super(PartWantedEvent.type, { bubbles: true });
    this.part = part;
  }
}

/** Characters of a block by which the list of blocks names it. */
const glimpseLength = 70;

let forms = 0;

/**
 * @summary The form above the source of a question: everything of its header, and buttons that add parts to its text.
 * @event {PartWantedEvent} colloquy-part-wanted
 * @event {AnnounceEvent} colloquy-announce
 */
@customElement("colloquy-question-form")
export class QuestionForm extends LightElement {
  static override lightStyles = [questionFormStyles];

  @property({ attribute: false }) session: EditingSession | null = null;
  @property() blockId = "";
  readonly #name = `question-${++forms}`;

  constructor() {
    super();
    onChange(this, () => this.session);
  }

  /** Focuses the field of a key of the header. */
  focusField(key: string): void {
    const field = this.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? this.querySelector<HTMLElement>("select");
    if (field instanceof HTMLDetailsElement) field.open = true;
    (field?.querySelector<HTMLElement>("summary") ?? field)?.focus();
  }

  protected override render() {
    const { session, blockId } = this;
    const found = session && findBlock(session.state.course, blockId);
    const header = found && readQuestionHeader(found.block.source);
    if (!session || !found || !header) return nothing;
    const { block, topic } = found;
    const errors = blockErrors(session.state.course, blockId);
    const problem = (key: QuestionHeaderKey) => {
      const line = block.source.split(/\r\n?|\n/).findIndex((text) => text.startsWith(`${key}:`)) + 1;
      return errors.find((error) => line > 0 && error.line === line) ?? (key === "objective" ? errors.find(isMissingObjective) : undefined);
    };
    const wrong = (key: QuestionHeaderKey) => {
      const error = problem(key);
      return error ? html`<p class="wrong" id=${`${this.#name}-${key}-wrong`}>${remarkText(error)}</p>` : nothing;
    };
    const described = (key: QuestionHeaderKey) => (problem(key) ? `${this.#name}-${key}-wrong` : nothing);
    const choice = (key: QuestionHeaderKey, label: string, value: string, options: readonly (readonly [string, string])[]) =>
      html`<label><span>${label}</span><select data-key=${key} aria-invalid=${problem(key) ? "true" : nothing} aria-describedby=${described(key)}
        @change=${(event: Event) => this.#set(key, (event.target as HTMLSelectElement).value)}>${options.map(
          ([name, words]) => html`<option value=${name} .selected=${live(name === value)}>${words}</option>`,
        )}</select>${wrong(key)}</label>`;
    const text = (key: "tolerance" | "unit", label: string) =>
      html`<label><span>${label}</span><input data-key=${key} .value=${live(header[key])} dir="auto" autocomplete="off" inputmode=${key === "tolerance" ? "decimal" : nothing}
        aria-invalid=${problem(key) ? "true" : nothing} aria-describedby=${described(key)} @input=${(event: Event) => this.#set(key, (event.target as HTMLInputElement).value)} />${wrong(key)}</label>`;
    return html`<div class="fields" role="group" aria-label=${msg("questionForm.settings")}>
      ${choice(
        "kind",
        msg("questionForm.kind"),
        header.kind,
        questionKinds.map((kind) => [kind, msg(kindNames[kind])]),
      )}
      ${choice("objective", msg("questionForm.objective"), header.objective, objectivesOf(topic, header))}
      ${choice("level", msg("questionForm.level"), header.level, [
        ["recall", msg("questionForm.recall")],
        ["application", msg("questionForm.application")],
      ])}
      ${choice(
        "place",
        msg("questionForm.place"),
        header.place,
        questionPlaces.map((place) => [place, msg(placeNames[place])]),
      )}
      ${header.kind === "number" ? [text("tolerance", msg("questionForm.tolerance")), text("unit", msg("questionForm.unit"))] : nothing}
      </div>
      ${this.#about(topic, header, session.state.course)}${wrong("about")}
      <label class="check"><input type="checkbox" data-key="retired" .checked=${live(header.retired)} @change=${(event: Event) => this.#set("retired", (event.target as HTMLInputElement).checked ? "true" : "")} /><span>${msg("questionForm.retiredNoLongerAsked")}</span></label>
      <div class="adding">${addableParts(block.source).map(
        (part) =>
          html`<button type="button" @click=${() => this.dispatchEvent(new PartWantedEvent(part))}>${icons.add}${partName(part, header)}</button>`,
      )}</div>`;
  }

  /** The blocks of the page, and those of other pages that are named already, to choose those that the answer follows from. */
  #about({ blocks }: Topic, { about }: QuestionHeader, course: AuthoredCourse) {
    const offered = blocks.filter(({ id, type }) => id !== this.blockId && type !== "core.question");
    const others = about
      .filter((id) => !offered.some((block) => block.id === id))
      .map((id) => ({ id, block: findBlock(course, id)?.block }));
    const missing = others.filter(({ block }) => !block).length;
    const item = (id: string, words: unknown) =>
      html`<li><label class="check"><input type="checkbox" .checked=${live(about.includes(id))} @change=${(event: Event) => this.#setAbout(id, (event.target as HTMLInputElement).checked)} /><span dir="auto">${words}</span></label></li>`;
    return html`<details data-key="about" ?open=${missing > 0}><summary>${msg("questionForm.restsOn", { n: about.length - others.length })}</summary>
      <ul>${others.map(({ id, block }) => item(id, html`<b>${msg("questionForm.blockNotOnThisPage")}</b> ${block ? glimpseOf(block) : html`<bdi class="id">${id}</bdi>`}`))}
      ${offered.map((block) => item(block.id, html`<b>${typeName(block.type)}</b> ${glimpseOf(block)}`))}</ul></details>`;
  }

  #setAbout(id: string, isChosen: boolean): void {
    const { session, blockId } = this;
    const found = session && findBlock(session.state.course, blockId);
    const about = found && readQuestionHeader(found.block.source)?.about;
    if (!found || !about) return;
    const order = found.topic.blocks.map((block) => block.id);
    const next = isChosen
      ? [...about, id].sort((one, other) => order.indexOf(one) - order.indexOf(other))
      : about.filter((one) => one !== id);
    this.#set("about", next.join(", "));
  }

  /** Sets a field of the header. Defaults are not written. */
  #set(key: QuestionHeaderKey, value: string): void {
    const { session, blockId } = this;
    const source = session && findBlock(session.state.course, blockId)?.block.source;
    if (!session || source === null || source === undefined) return;
    const isDefault = (key === "level" && value === "recall") || (key === "place" && value === "page");
    let next = source;
    if (key === "kind") {
      const kind = questionKinds.find((one) => one === value);
      if (!kind) return;
      const switched = withKind(source, kind, keptParts(session, blockId));
      keepParts(session, blockId, switched.kept);
      next = switched.source;
      this.dispatchEvent(new AnnounceEvent(msg("editor.now", { type: msg(kindNames[kind]) })));
    } else next = withHeaderField(source, key, isDefault ? "" : value);
    session.apply({ label: msg("questionForm.settingsChanged"), coalesce: `question ${key} ${blockId}`, place: { blockId } }, (course) =>
      editBlockSource(course, blockId, next),
    );
  }
}

const isMissingObjective = ({ remark }: { remark: string }): boolean => remark === "question-objectives";

/** The objectives of the page; one of another page stays until another is chosen. */
function objectivesOf({ objectives }: Topic, { objective }: QuestionHeader): [string, string][] {
  const isKnown = objective === "" || objectives.some(({ id }) => id === objective);
  return [
    ["", objectives.length > 1 ? msg("questionForm.chooseAnObjective") : msg("questionForm.thePagesObjective")],
    ...(isKnown ? [] : ([[objective, msg("questionForm.objectiveOfAnotherPage")]] as [string, string][])),
    ...objectives.map(({ id, text }): [string, string] => [id, text]),
  ];
}

function partName(part: QuestionPart, { kind }: QuestionHeader): string {
  if (part === "hint") return msg("questionForm.addHint");
  if (part === "explanation") return msg("questionForm.addExplanation");
  if (part === "distractor") return msg("questionForm.addDistractor");
  switch (kind) {
    case "text":
      return msg("questionForm.addAnswer");
    case "order":
      return msg("questionForm.addItem");
    case "match":
      return msg("questionForm.addPair");
    case "gap":
      return msg("questionForm.addGap");
    case "free":
      return msg("questionForm.addCriterion");
    default:
      return msg("questionForm.addChoice");
  }
}

/** The first words of a block, without its header and marks. */
function glimpseOf({ source }: Block): string {
  const body = source.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, "");
  const words = body
    .replaceAll(/^(?:#+|[-*+>|]|\d+\.|`{3,}.*$|~{3,}.*$|\$\$)\s*/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words.length > glimpseLength ? `${words.slice(0, glimpseLength)}…` : words;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-question-form": QuestionForm;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-part-wanted": PartWantedEvent;
  }
}
