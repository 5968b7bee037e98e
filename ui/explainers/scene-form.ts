import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { icons } from "../controls/icons.ts";
import { formatNumber, msg } from "../messages/page.ts";
import { type Path, valueAt } from "./edits.ts";
import { type Field, fieldsOf, type Rows } from "./fields.ts";

export interface SceneForm {
  scene: Scene;
  /** Paths of invalid fields. */
  invalidFields: ReadonlySet<string>;
  write(path: Path, value: unknown): void;
}

/** A scene's form; errors appear below their field at once. */
export function sceneForm(form: SceneForm) {
  return html`<div class="form">${fieldsOf(form.scene).map((part) => (part.kind === "rows" ? rows(form, part) : field(form, part)))}</div>`;
}

function rows(form: SceneForm, part: Rows) {
  const { path, label, add, least, most, fresh, fields } = part;
  const values = valueAt(form.scene, path) as readonly unknown[];
  return html`<fieldset class="rows"><legend>${label}</legend>
    ${values.map(
      (_, index) => html`<div class="row">${fields(index).map((one) => field(form, one))}
        ${
          values.length > least && most > 0
            ? html`<button type="button" class="quiet" aria-label=${msg("explainer.takeAway", { what: fields(index)[0]?.label ?? label })} @click=${() => form.write(path, without(values, index))}>${icons.close}</button>`
            : nothing
        }</div>`,
    )}
    ${values.length < most ? html`<button type="button" class="quiet add" @click=${() => form.write(path, [...values, fresh()])}>${icons.add}${add}</button>` : nothing}
  </fieldset>`;
}

const without = (values: readonly unknown[], index: number): unknown[] => values.filter((_, at) => at !== index);

function field(form: SceneForm, { kind, path, label, most, optional, options }: Field) {
  const { scene, invalidFields, write } = form;
  const value = valueAt(scene, path);
  const id = `field-${scene.sceneId}-${path.join("-")}`;
  const text = String(value ?? "");
  const trouble = invalidFields.has(path.join("."));
  const over = most !== undefined && text.length > most;
  const said = !trouble
    ? ""
    : over
      ? msg("explainer.tooLong")
      : !text.trim() && !optional
        ? msg("explainer.writeSomethingHere")
        : msg("explainer.thisCannotBeRead");
  const counted = most !== undefined && (over || text.length > most * 0.6);
  const described = `${id}-note`;
  const note =
    said || counted
      ? html`<span class="note ${said ? "bad" : ""}" id=${described}>${said} ${counted ? msg("explainer.ofLetters", { n: formatNumber(text.length), most: formatNumber(most ?? 0) }) : nothing}</span>`
      : nothing;
  const described_ = note === nothing ? nothing : described;
  if (kind === "choice")
    return html`<label class="field"><span>${label}</span><select .value=${live(text)} @change=${(event: Event) => write(path, (event.target as HTMLSelectElement).value)}>${options?.map(
      (option) => html`<option value=${option.value} ?selected=${option.value === text}>${option.label}</option>`,
    )}</select></label>`;
  const wrote = (event: Event) => {
    const typed = (event.target as HTMLInputElement | HTMLTextAreaElement).value;
    write(path, kind === "number" ? (typed.trim() === "" ? Number.NaN : Number(typed)) : typed);
  };
  const control =
    kind === "line"
      ? html`<input type="text" dir="auto" .value=${live(text)} aria-invalid=${trouble} aria-describedby=${described_} @input=${wrote}>`
      : kind === "number"
        ? html`<input type="number" step="any" .value=${Number.isNaN(value) ? "" : text} aria-invalid=${trouble} aria-describedby=${described_} @input=${wrote}>`
        : html`<textarea rows=${kind === "text" ? 3 : Math.min(10, text.split("\n").length)} dir=${kind === "code" ? "ltr" : "auto"} class=${kind === "code" ? "mono" : nothing} spellcheck=${kind === "code" ? "false" : "true"}
            .value=${live(text)} aria-invalid=${trouble} aria-describedby=${described_} @input=${wrote}></textarea>`;
  return html`<label class="field ${kind === "number" ? kind : ""}"><span>${label}${optional ? html` <em>${msg("explainer.optional")}</em>` : nothing}</span>${control}${note}</label>`;
}
