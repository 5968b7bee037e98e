import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import { setViewport } from "@web/test-runner-commands";
import { html } from "lit";
import type { AccountStore } from "../store/account-store.ts";
import { mount, until } from "../workspace/testing/browser.ts";
import { courseId, type fakeService, job, jobId, storyboard, topicId } from "./explainer.fixture.ts";
import "./explainer.ts";
import type { ExplainerElement } from "./explainer.ts";

/** The explainer element over a fake service, with helpers for its tests. */

export type Service = ReturnType<typeof fakeService>;

export async function explainer(service: Service, more: { film?: string; session?: string; store?: Pick<AccountStore, "workspace"> } = {}) {
  const announced: string[] = [];
  const recorded: string[] = [];
  const element =
    await mount<ExplainerElement>(html`<colloquy-explainer embedded .of=${`${courseId}.${topicId}`} .film=${more.film ?? null} .fetch=${service.fetch}
    .store=${more.store ?? null} .sessionOf=${() => more.session ?? null} .onRecorded=${(sessionId: string) => recorded.push(sessionId)} @colloquy-announce=${(event: Event & { text: string }) => announced.push(event.text)}></colloquy-explainer>`);
  await until(() => element.ariaBusy === "false", "something is shown");
  return { element, announced, recorded };
}

export const words = (element: Element, selector: string) =>
  element.querySelector(selector)?.textContent?.replaceAll(/\s+/g, " ").trim() ?? "";
export const button = (element: Element, text: string) =>
  [...element.querySelectorAll("button")].find(
    (one) => one.textContent?.includes(text) || one.ariaLabel?.includes(text),
  ) as HTMLButtonElement;
export const shows = (element: Element, text: string) =>
  until(() => element.textContent?.replaceAll(/\s+/g, " ").includes(text), `shows ${text}`);
export const asked = (service: Service, path: string) => service.asked.findLast((one) => one.path === path);
export const status = (phase: "retrieving" | "drafting" | "validating" | "reviewing", detail?: object) =>
  ({ kind: "status", phase, elapsedMs: 1, ...(detail && { detail }) }) as unknown as StoryboardFrame;

/** Drafts a storyboard to the end. */
export async function drawn(service: Service, element: ExplainerElement, next = job()) {
  (element.querySelector("[data-emphasis='intuition']") as HTMLElement).click();
  await until(() => asked(service, "/storyboard"), "the request");
  service.put(next);
  service.frame({ kind: "artifact", artifact: storyboard } as never);
  service.frame({ kind: "complete", jobId, version: next.version, review: next.review } as never);
  await until(() => element.querySelector(".approve"), "the storyboard");
}

/** A phone held upright, in the dark. */
export async function holdUprightInTheDark(): Promise<void> {
  await setViewport({ width: 390, height: 800 });
  document.documentElement.dataset.theme = "dark";
}
/** A wide page in the light. */
export async function sitBeforeAScreen(): Promise<void> {
  await setViewport({ width: 1280, height: 800 });
  document.documentElement.dataset.theme = "light";
}
