import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { call } from "../api/http.ts";
import { RequestFailed } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import "../explainers/explainer.ts";
import type { EmbeddedElement } from "./element.ts";
import { EmbeddedPart } from "./part.ts";
import { adoptSheets } from "./styles.ts";

type Course = CourseResponse["course"];

/** @summary The content of `colloquy-explainer`: a page's videos, or a note if the service offers none. */
@customElement("colloquy-embedded-explainer")
export class ExplainerPart extends EmbeddedPart {
  #course: Course | null = null;
  #failure: "missing" | "unreachable" | null = null;
  /** The requested service and course. */
  #requested = "";
  /** The topic that the reader chose when the element names a whole course. */
  #chosen: string | null = null;

  protected override heading() {
    return html`${msg("embed.explainer")}`;
  }
  protected override invitation(): string {
    return msg("embed.signInToWatch");
  }

  get #path(): string {
    return URL.parse(this.host.getAttribute("page") ?? "", this.host.service)?.pathname ?? "";
  }
  get #courseId(): string {
    return /^\/courses\/([^/]+)/.exec(this.#path)?.[1] ?? "";
  }

  protected override attributeProblems(): Map<string, string> {
    const problems = super.attributeProblems();
    const page = this.host.getAttribute("page");
    const isFront = this.#course !== null && this.#path === `/courses/${this.#course.courseId}`;
    const isPage = this.#course?.topics.some(({ href }) => href === this.#path);
    if (!page) problems.set("page", msg("embed.attributePageNeeded"));
    else if (!this.#courseId || (this.#course && !isFront && !isPage)) problems.set("page", msg("embed.attributeNoPage", { value: page }));
    return problems;
  }

  /** No sign-in prompt when there are no videos. */
  protected override note(): TemplateResult | null {
    const { state } = this;
    if (state === "loading" || state === "refused" || state === "unreachable") return super.note();
    if (!this.connection.offers.has("explainer")) return this.#noneHere();
    if (state !== "signed-in") return super.note();
    if (this.#failure === "missing")
      return html`<div class="colloquy-note" part="note"><h2>${msg("embed.courseNotFound")}</h2><p>${msg("embed.serviceNoCourse", { course: this.#courseId })}</p></div>`;
    if (this.#failure)
      return html`<div class="colloquy-note" part="note"><h2>${msg("embed.courseCannotReadRight")}</h2><p>${msg("embed.serviceDoesNotRespond")}</p>
        <button type="button" class="colloquy-button" part="button" @click=${() => void this.#load()}>${msg("common.tryAgain")}</button></div>`;
    if (!this.#course) return html`<div class="colloquy-note" part="note" aria-busy="true"><p>${msg("embed.openingTheCourse")}</p></div>`;
    return null;
  }

  #noneHere(): TemplateResult {
    const page = this.host.getAttribute("page");
    const path = page && URL.parse(page, this.host.service);
    return html`<div class="colloquy-note" part="note"><h2>${msg("embed.noVideosServer")}</h2>
      <p>${msg("embed.doesNotMakeVideosReadCourses", { site: new URL(this.host.service).host })}</p>
      ${path ? html`<p><a class="colloquy-button" part="button" href=${path.pathname + path.hash}>${msg("embed.readThePage")}</a></p>` : nothing}</div>`;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (this.state !== "signed-in" || !this.connection.offers.has("explainer")) return;
    if (this.#requested !== `${this.host.service} ${this.#courseId}`) void this.#load();
  }

  async #load(): Promise<void> {
    const wanted = `${this.host.service} ${this.#courseId}`;
    this.#requested = wanted;
    this.#failure = this.#course = this.#chosen = null;
    try {
      const { course } = await call(this.connection.api.send, "GET /api/courses/:courseId", { parameters: { courseId: this.#courseId } });
      if (wanted === this.#requested) this.#course = course;
    } catch (error) {
      if (wanted === this.#requested)
        this.#failure = error instanceof RequestFailed && error.problem.status === 404 ? "missing" : "unreachable";
    }
    this.requestUpdate();
  }

  protected override content() {
    const course = this.#course;
    if (!course) return nothing;
    const named = course.topics.find(({ id, href }) => (this.#chosen ? id === this.#chosen : href === this.#path));
    if (!named) return this.#choice(course);
    return html`<colloquy-explainer ?embedded=${this.host.service !== location.origin} .of=${`${course.courseId}.${named.id}`} .pageTitle=${named.title} .fetch=${this.connection.api.send}></colloquy-explainer>`;
  }

  /** The `page` is a whole course, so the reader chooses a topic. */
  #choice({ title, language, topics }: Course) {
    const choose = (id: string) => {
      this.#chosen = id;
      this.requestUpdate();
    };
    return html`<div class="colloquy-body"><h2 class="title" lang=${language}>${title}</h2>
      <ol class="colloquy-tree" lang=${language}>${topics.map((topic) => html`<li><button type="button" part="button" @click=${() => choose(topic.id)}>${topic.title}</button></li>`)}</ol></div>`;
  }
}

/** Mounts the part in an element's shadow root. */
export function mount(host: EmbeddedElement, root: ShadowRoot): ExplainerPart {
  adoptSheets(root);
  const part = Object.assign(document.createElement("colloquy-embedded-explainer"), { host });
  root.replaceChildren(part);
  return part;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-embedded-explainer": ExplainerPart;
  }
}
