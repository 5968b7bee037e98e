import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { directionOf } from "@colloquy/schemas/languages.ts";
import { html, render } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { visibleTitle } from "./contents.ts";

interface Frame {
  /** The table of contents, which the editor draws. */
  tree: HTMLElement;
  /** The author chose Draw. */
  draw(): void;
}

/**
 * Gives the front page of a course the frame of a topic's page: contents beside the text, and Draw among the modes. The page of a topic can be
 * edited there without being loaded.
 * @returns takes the frame away; null where the page has one
 */
export function addReadingFrame({ manifest }: AuthoredCourse, { tree, draw }: Frame): (() => void) | null {
  const modes = document.querySelector<HTMLElement>(".page-modes");
  if (!modes || document.querySelector(".side")) return null;
  const { courseId, title, language } = manifest;
  const contents = msg("common.contents");
  const bar = document.createElement("header");
  bar.className = "bar";
  render(
    html`<button type="button" popovertarget="contents" aria-label=${contents}>${icons.menu}</button><a class="bar-title" lang=${language} dir=${directionOf(language)} href=${`/courses/${courseId}`}>${visibleTitle(title)}</a>`,
    bar,
  );
  const side = document.createElement("nav");
  Object.assign(side, { className: "side", id: "contents", popover: "auto", ariaLabel: msg("page.contentsOf", { course: title }) });
  render(
    html`<div class="side-top"><a class="brand" href="/">Colloquy</a><button type="button" class="side-close" popovertarget="contents" popovertargetaction="hide" aria-label=${msg("page.closeTheContents")}>${icons.close}</button></div>
      <a class="side-course" lang=${language} dir=${directionOf(language)} href=${`/courses/${courseId}`}>${visibleTitle(title)}</a>`,
    side,
  );
  Object.assign(tree, { lang: language, dir: directionOf(language) });
  side.append(tree);
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: msg("page.draw"), ariaPressed: "false" });
  button.addEventListener("click", draw);
  modes.querySelector(".modes")?.append(button);
  const around = [...document.querySelectorAll<HTMLElement>(".site-head, .site-foot")];
  for (const part of around) part.style.display = "none";
  document.body.classList.replace("front", "reading");
  modes.before(bar, side);
  return () => {
    document.body.classList.replace("reading", "front");
    for (const part of around) part.style.removeProperty("display");
    for (const part of [bar, side, button]) part.remove();
  };
}
