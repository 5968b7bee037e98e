import type { Transcript } from "@colloquy/schemas/explainers/film.ts";
import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { citationHref } from "../rendering/citations.ts";
import { olderScreenLine } from "./older-screen-line.ts";
import { screenLineView } from "./screen-line.ts";
import { clock } from "./words.ts";

/** A caption with its line breaks. */
export interface Cue {
  startMs: number;
  endMs: number;
  text: string;
}

/** The captions of a loaded track. */
export const cuesOf = ({ cues }: TextTrack): Cue[] =>
  [...(cues ?? [])].map((cue) => ({
    startMs: cue.startTime * 1_000,
    endMs: cue.endTime * 1_000,
    // Unescape, because characters such as < are escaped in the file.
    text: (cue as VTTCue).getCueAsHTML().textContent?.trim() ?? "",
  }));

const isAt = ({ startMs, endMs }: Cue, at: number): boolean => at >= startMs && at < endMs;

/** The caption at a time in milliseconds; the last one stays in a pause, and the first one stands before it is spoken. */
const captionAt = (cues: readonly Cue[], at: number): Cue | undefined => cues.findLast(({ startMs }) => startMs <= at) ?? cues[0];

/** The caption, below the picture so that it covers nothing. */
export function captionsView(cues: readonly Cue[], at: number, language: string) {
  const caption = captionAt(cues, at);
  return caption ? html`<div class="captions" aria-hidden="true"><p dir="auto" lang=${language}>${caption.text}</p></div>` : nothing;
}

type TranscriptScene = Transcript["scenes"][number];

export const sceneAt = ({ scenes }: Transcript, at: number): TranscriptScene | undefined =>
  scenes.findLast(({ startMs }) => startMs <= at) ?? scenes[0];

type Seek = (milliseconds: number) => void;

/** The scenes as chapters to seek to. */
export function chaptersView(transcript: Transcript, at: number, seek: Seek) {
  const here = sceneAt(transcript, at);
  return html`<nav class="chapters" aria-label=${msg("explainer.chapters")}><ol>${transcript.scenes.map(
    (scene) =>
      html`<li><button type="button" aria-current=${scene === here ? "true" : nothing} @click=${() => seek(scene.startMs)}><span class="at" dir="ltr">${clock(scene.startMs)}</span><b dir="auto" lang=${transcript.language}>${scene.heading}</b></button>${sources({ ...scene, sources: firstOfTitle(scene.sources) })}</li>`,
  )}</ol></nav>`;
}

/** One link for each title: a chapter has little room, and the transcript has all of them. */
const firstOfTitle = (sources: TranscriptScene["sources"]): TranscriptScene["sources"] =>
  sources.filter(({ title }, index) => sources.findIndex((other) => other.title === title) === index);

/** The full transcript with sources. The current line is marked; nothing scrolls by itself. */
export function transcriptView(transcript: Transcript, cues: readonly Cue[], at: number, seek: Seek) {
  return html`<details class="transcript"><summary>${icons.down}${msg("explainer.transcript")}</summary>
    <ol lang=${transcript.language}>${transcript.scenes.map((scene) => {
      const lines = cues.filter(({ startMs }) => startMs >= scene.startMs && startMs < scene.endMs);
      const said = lines.length ? lines : [{ startMs: scene.startMs, endMs: scene.endMs, text: scene.narration }];
      return html`<li><h3><button type="button" @click=${() => seek(scene.startMs)}><span class="at" dir="ltr">${clock(scene.startMs)}</span><span class="visually-hidden">${msg("explainer.goTo")} </span><span dir="auto">${scene.heading}</span></button></h3>
        <p dir="auto">${said.map((cue) => html`<span aria-current=${isAt(cue, at) ? "true" : nothing}>${cue.text}</span> `)}</p>
        ${scene.shows.length ? html`<p class="shows" dir="auto"><em>${msg("explainer.onScreen")}</em> ${scene.shows.map((line) => (typeof line === "string" ? (olderScreenLine(line) ?? line) : line)).map((line, index, lines) => html`${index > 0 ? separator(lines[index - 1], line) : nothing}${typeof line === "string" ? line : screenLineView(line)}`)}</p>` : nothing}
        ${sources(scene)}</li>`;
    })}</ol></details>`;
}

type Shown = TranscriptScene["shows"][number];
const isFormula = (line: Shown | undefined): boolean => typeof line === "object" && line.as === "formula";

/** Terms of one formula follow each other directly: a dot between them would read as a product. */
const separator = (before: Shown | undefined, line: Shown): string => (isFormula(before) && isFormula(line) ? " " : " · ");

/** Links to the sources; a source with the scene's own title is not named again. */
const sources = ({ sources, heading }: TranscriptScene) =>
  sources.length
    ? html`<ul class="from" aria-label=${msg("explainer.sources")}>${sources.map((source) => html`<li><a href=${citationHref(source)} title=${source.quote}>${sourceName(source.title, heading)}</a></li>`)}</ul>`
    : nothing;

const sourceName = (title: string, heading: string) =>
  title === heading
    ? html`${msg("rendering.source")}<span class="visually-hidden">: <bdi>${title}</bdi></span>`
    : html`<bdi>${title}</bdi>`;
