import { createHash, randomUUID } from "node:crypto";
import { metrics } from "@colloquy/command-api/explainers/explainer.fixture.ts";
import type { ReportedCorrection } from "@colloquy/schemas/explainers/corrections.ts";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import { type Artifact, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import type { ClaimResponse } from "@colloquy/schemas/explainers/worker.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { createClient } from "../../client/client.ts";
import { filmOwner } from "../films/film-api.ts";
import type { Credentials } from "./actors.ts";

/** The learner's films. */
export interface Films {
  /** Was made. */
  madeId: string;
  scenes: Scene[];
  artifacts: Artifact[];
  /** Of what the learner reported of it. */
  correctionId: string;
  /** Was drawn up, and waits to be approved. */
  draftedId: string;
}

/** For who has none: ids of nobody's. */
export const noFilms = (): Films => ({
  madeId: randomUUID(),
  draftedId: randomUUID(),
  correctionId: randomUUID(),
  scenes: [],
  artifacts: [],
});

const root = "/api/visual-explainers";

/** Has two films drawn up for the learner, and makes one of them as a worker does at its boundary: of bytes that are no pictures. */
export async function makeFilms(
  url: string,
  { learner, owner, worker }: Pick<Credentials, "learner" | "owner" | "worker">,
  courseId: string,
): Promise<Films> {
  async function ask<Answer>(path: string, headers: Record<string, string>, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(url + path, { ...init, headers: { "content-type": "application/json", ...headers } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }
  const post = <Answer>(path: string, headers: Record<string, string>, body: object): Promise<Answer> =>
    ask(root + path, headers, { method: "POST", body: JSON.stringify(versioned(body)) });

  const mine = filmOwner(createClient({ address: url, headers: learner }));
  const { course } = await ask<{ course: { topics: { id: string }[] } }>(`/api/courses/${courseId}`, {});
  const drafts: string[] = [];
  for (const { id: topicId } of course.topics) {
    const drawn = await mine.draw({ courseId, topicId, emphasis: "intuition" });
    if ("jobId" in drawn) drafts.push(drawn.jobId);
    if (drafts.length === 2) break;
  }
  const [madeId = "", draftedId = ""] = drafts;

  await mine.approve(madeId, defaultSettings);
  const capabilities = { rendererVersion, voices: false };
  const { leaseId } = await post<ClaimResponse>("/worker/claim", worker, { workerId: "worker-1", capabilities });
  const artifacts: Artifact[] = [];
  for (const kind of ["video", "captions", "poster"] as const) {
    const bytes = new TextEncoder().encode(`${kind} of ${madeId}`);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await ask(`${root}/worker/jobs/${madeId}/artifacts/${kind}?leaseId=${leaseId}&sha256=${sha256}`, worker, {
      method: "PUT",
      body: bytes,
    });
    artifacts.push({ kind, sha256, bytes: bytes.length });
  }
  await post(`/worker/jobs/${madeId}/complete`, worker, { leaseId, milliseconds: 50_000, artifacts, metrics });

  const report = { requestId: randomUUID(), text: "The second scene names the wrong thing." };
  const { position } = await post<{ position: string }>(`/jobs/${madeId}/corrections`, learner, report);
  const { job } = await ask<{ job: ExplainerJob }>(`${root}/jobs/${madeId}?after=${position}`, learner);
  const reported = `${root}/corrections?courseId=${courseId}&after=${position}`;
  const { corrections } = await ask<{ corrections: ReportedCorrection[] }>(reported, owner);
  return { madeId, draftedId, artifacts, scenes: job.storyboard.scenes, correctionId: corrections[0]?.correctionId ?? "" };
}
