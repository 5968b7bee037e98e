import { createHash } from "node:crypto";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { filmObjectKey } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { explainerEvents, explainerStream } from "@colloquy/schemas/explainers/events.ts";
import { evolve, initialState } from "@colloquy/schemas/explainers/state.ts";

/** What became of jobs, by their events. */
export interface Findings {
  lost: string[];
  doubled: string[];
  wrong: string[];
  tries: number;
  leasesEnded: number;
  failures: number;
}

/** Holds the streams of jobs against what must be: each approved once is made once, under one lease at a time, and its files are what was said. */
export async function examine(store: EventStore, objects: Pick<ObjectStore, "get">, jobIds: readonly string[]): Promise<Findings> {
  const found: Findings = { lost: [], doubled: [], wrong: [], tries: 0, leasesEnded: 0, failures: 0 };
  for (const jobId of jobIds) {
    let state = initialState;
    let [approved, completed] = [0, 0];
    for await (const stored of store.read(explainerStream(jobId))) {
      const event = explainerEvents.parse(stored);
      const before = state;
      state = evolve(state, { ...event, metadata: { ...stored.metadata, revision: stored.revision } });
      if (event.type === "RenderApproved") approved += 1;
      else if ((state.render?.percent ?? 0) < (before.render?.percent ?? 0)) found.wrong.push(`${jobId} went back at ${stored.revision}`);
      if (event.type === "RenderCompleted" || event.type === "RenderReused") completed += 1;
      if (event.type === "RenderClaimed") {
        found.tries += 1;
        if (before.state !== "queued") found.wrong.push(`${jobId} was claimed while it was ${before.state}`);
      }
      if (event.type === "RenderLeaseExpired") found.leasesEnded += 1;
      if (event.type === "RenderFailed" && event.data.leaseId !== null) found.failures += 1;
    }
    if (state.state !== "completed")
      found.lost.push(`${jobId} is ${state.state} after ${state.render?.attempt} tries (${state.render?.failure?.code})`);
    if (completed > approved) found.doubled.push(`${jobId} was made ${completed} times`);
    for (const { kind, sha256, bytes } of state.films.flatMap(({ artifacts }) => artifacts)) {
      const kept = await objects.get(filmObjectKey(sha256));
      const hash = kept && createHash("sha256").update(kept.bytes).digest("hex");
      if (hash !== sha256 || kept?.bytes.length !== bytes) found.wrong.push(`${jobId}: the ${kind} is not what was said`);
    }
  }
  return found;
}
