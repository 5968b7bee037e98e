import { randomUUID } from "node:crypto";
import type { Film, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Actor } from "../harness/actors.ts";

/** What a storyboard's frames came to. */
export type Drawn = { jobId: string } | { refused: string; findings: readonly Finding[] };

/** What an account does with its films. */
export interface FilmOwner {
  draw(of: { courseId: string; topicId: string; emphasis: Emphasis }): Promise<Drawn>;
  approve(jobId: string, settings: RenderSettings): Promise<void>;
  job(jobId: string): Promise<ExplainerJob>;
  artifact(jobId: string, film: Film, kind: "captions" | "transcript" | "video"): Promise<Buffer>;
}

export function filmOwner(call: Actor["call"]): FilmOwner {
  return {
    async draw({ courseId, topicId, emphasis }) {
      const frames = await call("POST /api/visual-explainers/storyboard", {
        body: { requestId: randomUUID(), courseId, topicId, emphasis, model: { choice: "automatic" } },
      });
      const last = (await Array.fromAsync(frames)).at(-1);
      if (last?.kind === "complete") return { jobId: last.jobId };
      return last?.kind === "error" ? { refused: last.title, findings: last.findings ?? [] } : { refused: "no last frame", findings: [] };
    },
    async approve(jobId, settings) {
      await call("POST /api/visual-explainers/jobs/:jobId/render", { parameters: { jobId }, body: { requestId: randomUUID(), settings } });
    },
    job: async (jobId) => (await call("GET /api/visual-explainers/jobs/:jobId", { parameters: { jobId } })).job,
    async artifact(jobId, { renderId: render }, kind) {
      const answer: unknown = await call("GET /api/visual-explainers/jobs/:jobId/artifact", {
        parameters: { jobId },
        query: { kind, render },
      });
      // The client has read a transcript: it is JSON.
      return answer instanceof Response ? Buffer.from(await answer.arrayBuffer()) : Buffer.from(JSON.stringify(answer));
    },
  };
}
