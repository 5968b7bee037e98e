import { randomUUID } from "node:crypto";
import type { Film, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";

const root = "/api/visual-explainers";

/** What a storyboard's frames came to. */
export type Drawn = { jobId: string } | { refused: string; findings: readonly Finding[] };

/** What an account does with films of its own, over HTTP. */
export interface FilmOwner {
  draw(of: { courseId: string; topicId: string; emphasis: Emphasis }): Promise<Drawn>;
  approve(jobId: string, settings: RenderSettings): Promise<void>;
  job(jobId: string): Promise<ExplainerJob>;
  artifact(jobId: string, film: Film, kind: string): Promise<Buffer>;
}

export function filmOwner(url: string, cookie: string): FilmOwner {
  async function send(path: string, body?: object): Promise<Response> {
    const response = await fetch(`${url}${root}${path}`, {
      headers: { cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { method: "POST", body: JSON.stringify({ schemaVersion: 1, requestId: randomUUID(), ...body }) }),
    });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${(await response.text()).slice(0, 500)}`);
    return response;
  }
  return {
    async draw({ courseId, topicId, emphasis }) {
      const told = await (await send("/storyboard", { courseId, topicId, emphasis, model: { choice: "automatic" } })).text();
      const last = told.trim().split("\n").at(-1) ?? "";
      const frame = JSON.parse(last) as StoryboardFrame;
      if (frame.kind === "complete") return { jobId: frame.jobId };
      return frame.kind === "error" ? { refused: frame.title, findings: frame.findings ?? [] } : { refused: last, findings: [] };
    },
    approve: async (jobId, settings) => void (await send(`/jobs/${jobId}/render`, { settings })),
    job: async (jobId) => ((await (await send(`/jobs/${jobId}`)).json()) as { job: ExplainerJob }).job,
    async artifact(jobId, { renderId }, kind) {
      return Buffer.from(await (await send(`/jobs/${jobId}/artifact?${new URLSearchParams({ kind, render: renderId })}`)).arrayBuffer());
    },
  };
}
