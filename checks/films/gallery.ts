import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { containsQuote } from "@colloquy/command-api/explainers/storyboard/checks/quotes.ts";
import { readSearchIndex } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { installed } from "@colloquy/render-service/worker/installed.ts";
import type { Film, Transcript } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { type SceneLayout, sceneLayouts } from "@colloquy/schemas/explainers/storyboard.ts";
import { createClient } from "../../client/client.ts";
import { type Program, startProgram } from "../../journeys/program.ts";
import { type Actor, demoCookie } from "../harness/actors.ts";
import { type AudioReport, checkAudio } from "./audio.ts";
import { captionFaults } from "./captions.ts";
import { type FilmChoice, filmChoices, importedCourses } from "./choices.ts";
import { type FilmOwner, filmOwner } from "./film-api.ts";
import { canProbe, contactSheet, hasFastStart, probe, type SheetSettings } from "./probe.ts";

/** A film of the gallery that was made, and what is to be said of it. */
export interface CheckedFilm {
  pick: FilmChoice;
  film: Film;
  layouts: readonly SceneLayout[];
  /** Scenes all of whose quotes stand in the course's text, as it was published. */
  quoted: number;
  scenes: number;
  /** What is heard, of a film that is spoken. */
  heard: AudioReport | null;
  wrong: readonly string[];
}

export interface Gallery {
  films: readonly CheckedFilm[];
  /** What keeps it from being whole. */
  wrong: readonly string[];
}

/** Whether workers here have a voice. */
export const canSpeak = installed("espeak-ng") !== null;
const madeWithinMs = 240_000;
const readWithinMs = 120_000;
const sheets: Record<"whole" | "small", SheetSettings> = {
  whole: { moments: [0.12, 0.5, 1], width: 480 },
  small: { moments: [1], width: 400, few: true },
};

/**
 * Makes the films of the gallery in the whole program, as a learner would, and looks at each: its file by an independent reader, its captions,
 * its quotes against the course's text. Films and contact sheets are left in `out`.
 * @param courses where the courses lie that are not part of the project; null leaves their films out
 * @param pictures where small contact sheets of some films go
 */
export async function makeGallery({
  courses,
  out,
  pictures,
}: {
  courses: string | null;
  out: string;
  pictures: string | null;
}): Promise<Gallery> {
  mkdirSync(out, { recursive: true });
  const program = await startProgram({ DEMO_MODEL_WORD_MS: "1", RENDER_WORKERS: "2", EXPLAINER_COURSE_IDS: "*", EXPLAINER_VOICES: "on" });
  try {
    for (const [courseId, folder] of Object.entries(courses === null ? {} : importedCourses))
      await program.tool("command-api/publication/import/cli.ts", join(courses ?? "", folder), "--id", courseId);
    const call = createClient({ address: program.url, headers: { cookie: await demoCookie(program.url, "learner") } });
    const owner = filmOwner(call);
    const wanted = filmChoices
      .filter(({ courseId }) => courses !== null || !(courseId in importedCourses))
      .filter(({ settings }) => settings.voice === "none" || canSpeak);
    const begun: { pick: FilmChoice; jobId: string }[] = [];
    const wrong: string[] = [];
    for (const pick of wanted) {
      const drawn = await owner.draw({ ...pick, topicId: await topicOf(call, pick) });
      if ("jobId" in drawn) begun.push({ pick, jobId: drawn.jobId });
      else wrong.push(`${nameOf(pick)}: ${drawn.refused} ${drawn.findings.map(({ detail }) => detail).join(" ")}`);
    }
    const films: CheckedFilm[] = [];
    for (const { pick, jobId } of begun) {
      await owner.approve(jobId, pick.settings);
      const job = await made(owner, jobId);
      const film = job.films.at(-1);
      if (film) films.push(await shown({ program, owner, out, pictures }, pick, job, film));
      else wrong.push(`${nameOf(pick)}: no film (${job.failure?.code})`);
    }
    const met = new Set(films.flatMap(({ layouts }) => layouts));
    const missing = sceneLayouts.filter((layout) => !met.has(layout));
    if (missing.length > 0) wrong.push(`no film has a scene of: ${missing.join(", ")}`);
    return { films, wrong };
  } finally {
    await program.stop();
  }
}

export const nameOf = ({ courseId, topic, emphasis }: FilmChoice): string => `${courseId}, ${topic}, ${emphasis}`;

/** The course once it is listed: a busy machine publishes the demonstration courses late. */
async function published(call: Actor["call"], courseId: string, giveUp: number) {
  for (;;)
    try {
      return await call("GET /api/courses/:courseId", { parameters: { courseId } });
    } catch (error) {
      if (Date.now() > giveUp) throw error;
      await pause(500);
    }
}

async function topicOf(call: Actor["call"], { courseId, topic }: FilmChoice): Promise<string> {
  const { course } = await published(call, courseId, Date.now() + readWithinMs);
  const found = course.topics.find(({ title }) => title === topic);
  if (!found) throw new Error(`${courseId} has no topic "${topic}"`);
  return found.id;
}

/** The job once it is over. */
async function made(owner: FilmOwner, jobId: string): Promise<ExplainerJob> {
  const giveUp = Date.now() + madeWithinMs;
  for (;;) {
    const job = await owner.job(jobId);
    if (job.state === "completed" || job.state === "failed") return job;
    if (Date.now() > giveUp) throw new Error(`the film ${jobId} is still ${job.state}`);
    await pause(200);
  }
}

async function shown(
  { program, owner, out, pictures }: { program: Program; owner: FilmOwner; out: string; pictures: string | null },
  pick: FilmChoice,
  { jobId, courseRevisionId, storyboard: { scenes } }: ExplainerJob,
  film: Film,
): Promise<CheckedFilm> {
  const wrong: string[] = [];
  const name = [pick.courseId, pick.topic, pick.emphasis].map((part) => part.toLowerCase().replace(/[^a-z0-9]+/g, "-")).join("--");
  const file = join(out, `${name}.mp4`);
  const video = await owner.artifact(jobId, film, "video");
  writeFileSync(file, video);
  const transcript = JSON.parse((await owner.artifact(jobId, film, "transcript")).toString()) as Transcript;
  if (!hasFastStart(video)) wrong.push("its table stands behind its pictures");
  if (canProbe) {
    wrong.push(...probe(file, film, transcript));
    const tall = pick.settings.aspect === "9:16";
    contactSheet(file, join(out, `${name}.png`), transcript, tall, sheets.whole);
    if (pictures && pick.picture) contactSheet(file, join(pictures, `${pick.picture}.png`), transcript, tall, sheets.small);
  }
  const captions = (await owner.artifact(jobId, film, "captions")).toString();
  wrong.push(...captionFaults(captions, film.milliseconds));
  const heard = canProbe && pick.settings.voice === "spoken" ? checkAudio(file, transcript, captions) : null;
  wrong.push(...(heard?.wrong ?? []));
  const { overflowArea, overlapArea, leastContrast, leastTextSize } = film.metrics;
  if (overflowArea > 0 || overlapArea > 0) wrong.push(`${overflowArea} px² over the edge, ${overlapArea} px² on one another`);
  if (leastContrast < 4.5 || leastTextSize < 24) wrong.push(`contrast ${leastContrast}, text of ${leastTextSize} px`);
  const objects = openObjectStore({ DATA_DIR: program.dataDir });
  const { passages } = await readSearchIndex(objects, pick.courseId, courseRevisionId);
  const texts = Map.groupBy(passages, ({ sourceId }) => sourceId);
  const stands = ({ sourceId, quote }: { sourceId: string; quote: string }): boolean =>
    texts.get(sourceId)?.some(({ text }) => containsQuote(quote, text)) ?? false;
  const quoted = scenes.filter(({ quotes }) => quotes.length > 0 && quotes.every(stands)).length;
  if (quoted < scenes.length) wrong.push(`${scenes.length - quoted} scenes without a quote that stands in the course`);
  return { pick, film, layouts: scenes.map(({ layout }) => layout), quoted, scenes: scenes.length, heard, wrong };
}
