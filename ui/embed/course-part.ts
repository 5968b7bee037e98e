import { isBankQuestion } from "@colloquy/schemas/courses/audience.ts";
import { blockTopics, courseLink } from "@colloquy/schemas/courses/course-link.ts";
import { createAnchors } from "@colloquy/schemas/courses/markdown-text.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import type { ContentsEntry, CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, query } from "lit/decorators.js";
import { call } from "../api/http.ts";
import { RequestFailed } from "../api/problems.ts";
import { msg, pageLanguage, rich } from "../messages/page.ts";
import { renderBlock, renderBrokenBlock } from "../rendering/blocks.ts";
import { drawDiagrams } from "../rendering/diagram.ts";
import { sanitizedFragment } from "../rendering/sanitize.ts";
import { upgrade } from "../rendering/upgrade.ts";
import type { EmbeddedElement } from "./element.ts";
import { EmbeddedPart } from "./part.ts";
import { adoptSheets } from "./styles.ts";

type Course = CourseResponse["course"];
type Topic = Course["topics"][number];

/** @summary The content of `colloquy-course`: a course's contents, or one topic. */
@customElement("colloquy-embedded-course")
export class CoursePart extends EmbeddedPart {
  @query(".prose") private text!: HTMLElement | null;
  #course: Course | null = null;
  #failure: "missing" | "unreachable" | null = null;
  /** The requested service and course. */
  #requested = "";
  /** The shown topic: the element's, until the reader chooses another. */
  #topicId: string | null = null;
  #named: string | null = null;
  /** The collection of the `page` attribute; its contents are shown instead of the whole course's. */
  #collection: ContentsEntry | null = null;
  #isPageMissing = false;
  #written: Topic | null = null;

  protected override heading() {
    return this.#course?.title ?? msg("common.course");
  }
  protected override invitation(): string {
    return "";
  }

  /** Path of the `page` attribute; null without one, or for a page of another site. */
  get #page(): string | null {
    const page = this.host.getAttribute("page");
    const url = page ? URL.parse(page, this.host.service) : null;
    return url?.origin === this.host.service ? url.pathname.replace(/\/$/, "") : null;
  }

  /** The course of the attribute `course`, otherwise that of the page. */
  get #courseId(): string {
    return this.host.getAttribute("course") || (/^\/courses\/([^/]+)/.exec(this.#page ?? "")?.[1] ?? "");
  }

  protected override attributeProblems(): Map<string, string> {
    const problems = super.attributeProblems();
    const { host } = this;
    const [course, page, topic] = ["course", "page", "topic"].map((name) => host.getAttribute(name));
    if (!course && !page) problems.set("course", msg("embed.attributeCourseOrPage"));
    else if (page && !this.#courseId) problems.set("page", msg("embed.attributeNoPage", { value: page }));
    else if (this.#failure === "missing")
      problems.set(course ? "course" : "page", msg("embed.serviceNoCourse", { course: this.#courseId }));
    if (!this.#course) return problems;
    if (topic && !this.#topicNamed(this.#course, topic)) problems.set("topic", msg("embed.attributeNoTopic", { value: topic }));
    if (page && this.#isPageMissing) problems.set("page", msg("embed.attributeNoPage", { value: page }));
    return problems;
  }

  #topicNamed({ topics }: Course, named: string): Topic | undefined {
    return topics.find(({ id, href }) => id === named || href === named || href.endsWith(`/${named}`));
  }

  /** Courses need no sign-in, so only refusals and connection problems are shown. */
  protected override note(): TemplateResult | null {
    if (this.state === "refused" || this.state === "unreachable" || this.state === "loading") return super.note();
    // What is wrong with the attributes is said above it.
    if (!this.#courseId) return null;
    if (this.#failure === "missing") return html`<div class="colloquy-note" part="note"><h2>${msg("embed.courseNotFound")}</h2></div>`;
    if (this.#failure)
      return html`<div class="colloquy-note" part="note"><h2>${msg("embed.courseCannotReadRight")}</h2><p>${msg("embed.serviceDoesNotRespond")}</p>
        <button type="button" class="colloquy-button" part="button" @click=${() => void this.#load()}>${msg("common.tryAgain")}</button></div>`;
    if (!this.#course) return html`<div class="colloquy-note" part="note" aria-busy="true"><p>${msg("embed.openingTheCourse")}</p></div>`;
    return null;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (this.state === "loading" || this.state === "refused" || this.state === "unreachable") return;
    if (this.#requested !== `${this.host.service} ${this.#courseId}`) void this.#load();
    this.#follow();
  }

  /** Follows a change of the element's attributes. */
  #follow(): void {
    const course = this.#course;
    const topic = this.host.getAttribute("topic");
    const named = topic || this.#page;
    if (!course || named === this.#named) return;
    this.#named = named;
    this.#isPageMissing = false;
    this.#collection = null;
    this.#topicId = (named && this.#topicNamed(course, named)?.id) || null;
    const isFront = this.#page === `/courses/${course.courseId}`;
    if (!topic && this.#page !== null && !this.#topicId && !isFront) void this.#open(course, this.#page);
  }

  /** Shows a collection, or the page that a former address leads to. */
  async #open(course: Course, page: string): Promise<void> {
    const entryAt = (href: string | null): ContentsEntry | undefined => allEntries(course.contents).find((entry) => entry.href === href);
    const here = entryAt(page);
    const moved = here ? null : await this.#presentAddress(page);
    if (this.#course !== course || this.#named !== page) return;
    const entry = here ?? entryAt(moved);
    if (moved === "unreachable") this.#failure = moved;
    else this.#isPageMissing = entry === undefined;
    if (entry?.kind === "topic") this.#topicId = entry.id;
    else this.#collection = entry ?? null;
    this.requestUpdate();
  }

  /** The address that an address of the service leads to; null if it leads nowhere. */
  async #presentAddress(href: string): Promise<string | "unreachable" | null> {
    try {
      return (await call(this.#fetch, "GET /api/courses/source", { query: { href } })).source.href;
    } catch (error) {
      return isNotFound(error) ? null : "unreachable";
    }
  }

  readonly #fetch = (path: string, init?: RequestInit): Promise<Response> => fetch(this.host.service + path, init);

  async #load(): Promise<void> {
    const wanted = `${this.host.service} ${this.#courseId}`;
    this.#requested = wanted;
    this.#failure = null;
    this.#course = null;
    this.#named = null;
    if (!this.#courseId) {
      this.#failure = "missing";
      return;
    }
    try {
      const courseId = encodeURIComponent(this.#courseId);
      const { course } = await call(this.#fetch, "GET /api/courses/:courseId", { parameters: { courseId } });
      if (wanted === this.#requested) this.#course = course;
    } catch (error) {
      if (wanted !== this.#requested) return;
      this.#failure = isNotFound(error) ? "missing" : "unreachable";
    }
    this.#follow();
    this.requestUpdate();
  }

  protected override content() {
    const course = this.#course;
    if (!course) return nothing;
    const topic = course.topics.find(({ id }) => id === this.#topicId);
    return html`<div class="colloquy-body" lang=${course.language}>${topic ? this.#topic(course, topic) : this.#contents(this.#collection ? { ...course, summary: "", ...this.#collection, contents: this.#collection.children } : course)}
      ${course.license ? html`<p class="colloquy-licence" lang=${pageLanguage()}>${rich("page.licence", { course: html`<bdi lang=${course.language}>${course.title}</bdi>`, licence: html`<bdi>${course.license}</bdi>` })}</p>` : nothing}</div>`;
  }

  #contents({ title, summary, contents }: Course) {
    return html`<h2 class="title" tabindex="-1">${title}</h2><p class="lede">${summary}</p>${this.#tree(contents)}`;
  }

  #tree(entries: ContentsEntry[]): TemplateResult {
    return html`<ol class="colloquy-tree">${entries.map(
      (entry) =>
        html`<li>${
          entry.kind === "topic"
            ? html`<button type="button" part="button" @click=${() => this.#show(entry.id)}>${entry.title}</button>`
            : html`<span class="collection">${entry.title}</span>${this.#tree(entry.children)}`
        }</li>`,
    )}</ol>`;
  }

  #topic(course: Course, topic: Topic) {
    const at = course.topics.indexOf(topic);
    const [before, after] = [course.topics[at - 1], course.topics[at + 1]];
    const button = (id: string | null, words: string) =>
      html`<button type="button" class="colloquy-button" part="button" @click=${() => this.#show(id)}>${words}</button>`;
    return html`<h2 class="title" tabindex="-1">${topic.title}</h2>${topic.summary ? html`<p class="lede">${topic.summary}</p>` : nothing}
      <div class="prose" part="text"></div>
      <div class="colloquy-turn">${before ? button(before.id, `‹ ${before.title}`) : nothing}${button(null, msg("common.contents"))}${after ? button(after.id, `${after.title} ›`) : nothing}</div>`;
  }

  #show(topicId: string | null): void {
    this.#topicId = topicId;
    this.requestUpdate();
    void this.updateComplete.then(() => {
      const title = this.querySelector<HTMLElement>("h2.title");
      title?.focus({ preventScroll: true });
      title?.scrollIntoView({ block: "nearest" });
    });
  }

  protected override updated(_changed: PropertyValues): void {
    const topic = this.#course?.topics.find(({ id }) => id === this.#topicId) ?? null;
    if (topic === this.#written && (!topic || this.text?.hasChildNodes())) return;
    this.#written = topic;
    if (!topic || !this.text || !this.#course) return;
    this.text.replaceChildren(sanitizedFragment(blocksOf(this.#course, topic)));
    drawDiagrams(this.text);
    void upgrade(this.text);
    this.host.emit("colloquy-topic", { topicId: topic.id, title: topic.title });
  }
}

const isNotFound = (error: unknown): boolean => error instanceof RequestFailed && error.problem.status === 404;
const allEntries = (entries: readonly ContentsEntry[]): ContentsEntry[] =>
  entries.flatMap((entry) => [entry, ...allEntries(entry.children)]);

/** A topic's blocks as HTML, with the course's addresses resolved. */
function blocksOf(course: Course, topic: Topic): string {
  const assets = new Map(course.assets.map(({ path, href }) => [path, href]));
  const hrefs = new Map<string, string>();
  const topicOfBlock = blockTopics(course.topics);
  const walk = (entries: ContentsEntry[]): void => {
    for (const { id, href, children } of entries) {
      hrefs.set(id, href);
      walk(children);
    }
  };
  walk(course.contents);
  const options = {
    topHeadingLevel: 3,
    leaves: "wait" as const,
    anchors: createAnchors(topic.blocks.map(({ id }) => id)),
    resolveLink: (href: string) => {
      if (href.startsWith("/")) return href;
      const link = courseLink(href, topic.id, topicOfBlock);
      if (!link) return assets.get(decoded(href)) ?? null;
      if (href.startsWith("#") && link.topicId === topic.id) return href;
      const found = hrefs.get(link.topicId);
      return found === undefined ? null : found + link.hash;
    },
    resolveImage: (path: string) => {
      const src = assets.get(decoded(path));
      return src ? { src } : null;
    },
  };
  return topic.blocks
    .filter((block) => !isBankQuestion(block))
    .map((block) => {
      const parsed = parseBlock(block);
      return parsed.ok ? renderBlock(parsed.block, options) : renderBrokenBlock(block);
    })
    .join("");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Mounts the part in an element's shadow root. */
export function mount(host: EmbeddedElement, root: ShadowRoot): CoursePart {
  adoptSheets(root);
  const part = Object.assign(document.createElement("colloquy-embedded-course"), { host });
  root.replaceChildren(part);
  return part;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-embedded-course": CoursePart;
  }
}
