import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import { sendKeys } from "@web/test-runner-commands";
import { html } from "lit";
import { deep, mount, until } from "../workspace/testing/browser.ts";
import { models, places } from "../workspace/testing/fixtures.ts";
import "./composer.ts";
import "./model-picker.ts";
import type { Composer } from "./composer.ts";

const find = async (query: string): Promise<ReferenceResult[]> =>
  places.filter((place) => place.title.toLowerCase().includes(query.toLowerCase()));

/** A composer with its field focused, and a log of its events. */
export async function compose(
  options: Partial<Composer> = {},
): Promise<{ composer: Composer; field: HTMLTextAreaElement; told: string[] }> {
  const composer = await mount<Composer>(
    html`<colloquy-composer style="margin-block-start:320px" .models=${models} automatic .configured=${true} .search=${find}></colloquy-composer>`,
  );
  Object.assign(composer, options);
  await composer.updateComplete;
  const told: string[] = [];
  composer.addEventListener("colloquy-send", (event) => told.push(`send ${event.text}`));
  composer.addEventListener("colloquy-stop", () => told.push("stop"));
  composer.addEventListener("colloquy-blocked", () => told.push("blocked"));
  composer.addEventListener("colloquy-attach", (event) => told.push(`attach ${event.reference.title}`));
  composer.addEventListener("colloquy-detach", (event) => told.push(`detach ${event.href}`));
  const field = deep<HTMLTextAreaElement>(composer, "textarea");
  field.focus();
  return { composer, field, told };
}

export const press = (key: string) => sendKeys({ press: key });
export const type = (text: string) => sendKeys({ type: text });
export const options = (composer: Composer) => [...(composer.shadowRoot?.querySelectorAll<HTMLElement>("[role=option]") ?? [])];
export const opened = (composer: Composer) => until(() => options(composer).length, "something to choose from");
/** The composer's hint about what prevents sending. */
export const hint = (composer: Composer) => composer.shadowRoot?.querySelector("#hint")?.textContent ?? "";
