import { createHash } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { ClaimResponse } from "@colloquy/schemas/explainers/worker.ts";
import type { FilmCrashRun } from "./run.ts";

const capabilities = { rendererVersion, voices: false };

/** A worker that does what no worker should, at a machine's boundary. */
function rogue(url: string, authorization: string) {
  const root = `${url}/api/visual-explainers/worker`;
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${root}/${path}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ schemaVersion: 1, ...body }),
    });
  return {
    claim: () => post("claim", { workerId: "rogue-1", capabilities }),
    lease: (jobId: string, leaseId: string) => post(`jobs/${jobId}/lease`, { leaseId, progress: { stage: "drawing", done: 1, total: 2 } }),
    fail: (jobId: string, leaseId: string) => post(`jobs/${jobId}/fail`, { leaseId, code: "renderer_failed", retryable: false }),
    complete: (jobId: string, leaseId: string, bytes: Buffer) =>
      post(`jobs/${jobId}/complete`, {
        leaseId,
        milliseconds: 40_000,
        metrics,
        artifacts: ["video", "captions", "poster"].map((kind) => ({ kind, sha256: sha256(bytes), bytes: bytes.length })),
      }),
    upload: (jobId: string, leaseId: string, bytes: Buffer<ArrayBuffer>, hash = sha256(bytes)) =>
      fetch(`${root}/jobs/${jobId}/artifacts/video?leaseId=${leaseId}&sha256=${hash}`, {
        method: "PUT",
        headers: { authorization },
        body: bytes,
      }),
    /** Says that more bytes come than do, and hangs up. */
    short: (jobId: string, leaseId: string, bytes: Buffer) =>
      new Promise<void>((resolve) => {
        const { hostname, port, pathname } = new URL(`${root}/jobs/${jobId}/artifacts/video`);
        const socket = connect(Number(port), hostname, () => {
          const head = [
            `PUT ${pathname}?leaseId=${leaseId}&sha256=${sha256(bytes)} HTTP/1.1`,
            `host: ${hostname}`,
            `authorization: ${authorization}`,
          ];
          socket.end([...head, `content-length: ${bytes.length + 100}`, "", ""].join("\r\n") + bytes.toString("latin1"), "latin1");
        });
        socket.resume().on("error", () => undefined);
        socket.once("close", () => resolve());
      }),
  };
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const metrics = {
  frames: 1_200,
  framesDrawn: 80,
  milliseconds: 40_000,
  overflowArea: 0,
  overlapArea: 0,
  leastContrast: 7,
  leastTextSize: 28,
  wordsPerSecond: 2,
  captionCharactersPerSecond: 14,
  segmentsReused: 0,
  renderMilliseconds: 1_000,
};

/** Workers without the token, with another's lease or with wrong bytes change nothing; the film is still made. */
export async function unauthorisedWorkers(stage: FilmCrashRun): Promise<{ said: string; wrong: string[] }> {
  const wrong: string[] = [];
  const [one = "", other = ""] = stage.deployment.commandApis.map((one) => one.address());
  const right = `Bearer ${stage.token}`;
  const asked = await stage.requestFilms(1);
  const { jobId = "" } = asked[0] ?? {};
  const versionOf = async (): Promise<number> => (await stage.state(jobId)).version;
  const demand = async (what: string, answer: Promise<Response>, status: number): Promise<void> => {
    const got = (await answer).status;
    if (got !== status) wrong.push(`${what} was answered with ${got}, not ${status}`);
  };
  const untouched = await versionOf();
  const bytes = Buffer.from("no film at all ".repeat(100));
  const bad = ["", "Bearer ", `Bearer ${"0".repeat(64)}`, `Bearer ${stage.token.slice(0, -1)}`, `Basic ${stage.token}`, stage.token];
  for (const authorization of bad) {
    const intruder = rogue(one, authorization);
    await demand("a claim without the token", intruder.claim(), 401);
    await demand("a lease without the token", intruder.lease(jobId, "lease-00000001"), 401);
    await demand("an upload without the token", intruder.upload(jobId, "lease-00000001", bytes), 401);
    await demand("a completion without the token", intruder.complete(jobId, "lease-00000001", bytes), 401);
    await demand("a failure without the token", intruder.fail(jobId, "lease-00000001"), 401);
  }
  const outside = stage.startWorker(one, { token: "x".repeat(64) });
  await stage.waitUntil("the worker without the token was told", () => outside.log.some((line) => line.includes("not let in")));
  await outside.kill();
  if ((await versionOf()) !== untouched) wrong.push("a worker without the token changed the job");

  const claim = rogue(one, right);
  // The second machine learns of the job by its read model.
  const { leaseId } = await claimed(claim);
  const held = await versionOf();
  const thief = rogue(other, right);
  const others = "00000000-0000-4000-8000-000000000000";
  await demand("another's lease", thief.lease(jobId, others), 409);
  await demand("an upload under another's lease", thief.upload(jobId, others, bytes), 409);
  await demand("a completion under another's lease", thief.complete(jobId, others, bytes), 409);
  await demand("a failure under another's lease", thief.fail(jobId, others), 409);
  await demand("an upload of other bytes than named", claim.upload(jobId, leaseId, bytes, sha256(Buffer.from("other"))), 400);
  await claim.short(jobId, leaseId, bytes);
  await demand("a completion of what was not uploaded", claim.complete(jobId, leaseId, bytes), 400);
  if ((await versionOf()) !== held) wrong.push("something refused changed the job");
  stage.expireLeases();
  stage.startWorker(one);
  await stage.waitForFilms(asked);
  const found = await stage.examine(asked);
  await stage.stopWorkers();
  return {
    wrong: [...wrong, ...found.lost, ...found.doubled, ...found.wrong],
    said: `${bad.length * 5 + 1} requests without the token, 4 under another's lease, 3 uploads that were not what they said: refused each, the job unchanged, the film made once`,
  };
}

async function claimed({ claim }: ReturnType<typeof rogue>): Promise<ClaimResponse> {
  for (;;) {
    const answer = await claim();
    if (answer.status === 200) return (await answer.json()) as ClaimResponse;
    await pause(50);
  }
}

/** Many workers claim one job from two command APIs at the same time; exactly one gets it. */
export async function concurrentClaims(
  stage: FilmCrashRun,
  { rounds, workers }: { rounds: number; workers: number },
): Promise<{ said: string; wrong: string[] }> {
  const wrong: string[] = [];
  const asked = await stage.requestFilms(rounds);
  const open = new Set(asked.map(({ jobId }) => jobId));
  const wins = [0, 0];
  while (open.size > 0) {
    const answers = await Promise.all(
      Array.from({ length: workers }, async (_, index) => {
        const answer = await rogue(stage.deployment.commandApis[index % 2]?.address() ?? "", `Bearer ${stage.token}`).claim();
        return answer.status === 200 ? { machine: index % 2, ...((await answer.json()) as ClaimResponse) } : null;
      }),
    );
    const got = answers.flatMap((answer) => answer ?? []);
    const jobs = got.map(({ job }) => job.jobId);
    if (new Set(jobs).size < jobs.length) wrong.push(`one job was given to two workers: ${jobs.join(", ")}`);
    for (const { machine, job } of got) {
      wins[machine] = (wins[machine] ?? 0) + 1;
      if (!open.delete(job.jobId)) wrong.push(`${job.jobId} was given away twice`);
    }
  }
  stage.expireLeases();
  stage.startWorker(stage.deployment.commandApis[0]?.address() ?? "");
  stage.startWorker(stage.deployment.commandApis[1]?.address() ?? "");
  await stage.waitForFilms(asked);
  const found = await stage.examine(asked);
  await stage.stopWorkers();
  return {
    wrong: [...wrong, ...found.lost, ...found.doubled, ...found.wrong],
    said: `${workers} workers at once ask two machines for ${rounds} jobs: each was given to one (${wins.join(" and ")} by machine), then left lying, and made once by others`,
  };
}
