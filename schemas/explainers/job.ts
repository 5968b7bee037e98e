import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";
import { id, payload, position, readQuery, time } from "../payload.ts";
import { counted } from "./evidence.ts";
import { artifactKind, film, renderSettings } from "./film.ts";
import { failureCode, progress } from "./render.ts";
import { review } from "./review.ts";
import { emphasis, storyboard } from "./storyboard.ts";

export const jobStates = ["drafted", "queued", "rendering", "completed", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

/** A job as its owner sees it. */
export const explainerJob = z.strictObject({
  jobId: id,
  courseId: id,
  topicId: id,
  topicTitle: z.string(),
  courseRevisionId: id,
  emphasis,
  state: z.enum(jobStates),
  /** The number of the job's last event: what an edit or an approval states as `expectedVersion`. It is refused when the storyboard was changed since. */
  version: z.int().min(0),
  createdAt: time,
  storyboard,
  review,
  /** Of the current render or the last one. */
  settings: renderSettings.nullable(),
  progress: progress.nullable(),
  /** Attempts of the current render; the first is 1. */
  attempt: z.int().min(0),
  failure: z.strictObject({ code: failureCode, retryable: z.boolean() }).nullable(),
  /** When a failed render is retried automatically. */
  retryAt: time.nullable(),
  /** `marked`: a mistake was reported. */
  films: z.array(film.extend({ marked: z.boolean().optional() })).max(filmBounds.films),
  corrections: z
    .array(
      z.strictObject({
        correctionId: id,
        sceneId: id.nullable(),
        text: z.string(),
        at: time,
        /** When an owner of the course dealt with it. */
        settledAt: time.nullable(),
      }),
    )
    .max(filmBounds.corrections),
  /** Its owner, who owns the course, offers it to everyone who reads the page. */
  offered: z.boolean().optional(),
  /** Whether the closing question has an answer key; not after its owner changed it. */
  answerable: z.boolean(),
  /** The answer to the present closing question: the choice, the right one, and where it counts. */
  answered: z.strictObject({ choice: z.int().min(0), right: z.int().min(0), explanation: z.string(), ...counted }).nullable(),
});
export type ExplainerJob = z.infer<typeof explainerJob>;

export const explainerJobSummary = explainerJob
  .pick({ jobId: true, courseId: true, topicId: true, topicTitle: true, emphasis: true, state: true, createdAt: true })
  .extend({
    title: z.string(),
    seconds: z.number(),
    marked: z.boolean(),
  });
export type ExplainerJobSummary = z.infer<typeof explainerJobSummary>;

/** `GET /api/visual-explainers/jobs`: the account's own, newest first. */
export const explainerJobsQuery = readQuery.extend({ courseId: id.optional(), topicId: id.optional() });
export const explainerJobsResponse = payload({ jobs: z.array(explainerJobSummary).max(filmBounds.jobsListed) });
/** `GET /api/visual-explainers/jobs/:jobId`. */
export const explainerJobResponse = payload({ job: explainerJob, position });

/** `GET /api/visual-explainers/offer?courseId=`: whether films are made of a course, and how many the account may still have drawn up today. */
export const explainerOfferQuery = z.strictObject({ courseId: id });
export const explainerOffer = payload({
  offered: z.boolean(),
  left: z.int().min(0),
  voices: z.boolean(),
  /** Films of the course's authors: they need no model. `filmId`: one that an owner of the course offers. */
  prepared: z.array(z.strictObject({ topicId: id, emphasis, title: z.string(), filmId: id.optional() })).optional(),
  /** Whether the account may offer its videos of the course to everyone. */
  mayOffer: z.boolean().optional(),
});
export type ExplainerOffer = z.infer<typeof explainerOffer>;

/** One event of `GET /api/visual-explainers/jobs/:jobId/events`; the SSE id is the number of the job's event. */
export const jobEvent = payload({
  state: z.enum(jobStates),
  version: z.int().min(0),
  progress: progress.nullable(),
  /** Of the whole render, 0 to 100; never decreases within a render. */
  percent: z.int().min(0).max(100),
  /** The estimated remaining time. */
  remainingMs: z.int().min(0).nullable(),
  attempt: z.int().min(0),
  failure: explainerJob.shape.failure,
  retryAt: time.nullable(),
  /** While queued: how many videos begin before it at most. Missing if unknown. */
  ahead: z.int().min(0).optional(),
  at: time,
});
export type JobEvent = z.infer<typeof jobEvent>;

/** `GET …/jobs/:jobId/artifact`: of the last film, or of the one that is named. */
export const artifactOfQuery = z.strictObject({ kind: artifactKind, render: id.optional() });
