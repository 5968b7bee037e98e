import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import { filmObjectKey, filmObjects } from "@colloquy/infra/object-store/film-objects.ts";
import { waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { projection } from "@colloquy/projections/explainers/projection.ts";
import { jobsUnderWay } from "@colloquy/projections/explainers/queries.ts";
import { temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { type RenderJob, renderJob } from "@colloquy/schemas/explainers/render.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { workerFiguresHeader, writeWorkerFigures } from "@colloquy/schemas/explainers/worker-figures.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { account, approval, draftOf, metrics, otherAccount } from "./explainer.fixture.ts";
import { claimOrder } from "./queue.ts";
import { type ServedFilms, serveFilms, sha256Of, workerToken } from "./served.fixture.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const codeOf = async (response: Response): Promise<string> => ((await response.json()) as { code: string }).code;

const [engine] = await enginesToTest();
if (engine)
  describeOn(engine, "the boundary to the workers", () => {
    let films: ServedFilms;
    beforeEach(async () => {
      films = await serveFilms(await temporaryReadModels(engine, [projection]));
    });
    afterEach(() => films.close());

    const queued = async (accountId = account): Promise<string> => {
      const jobId = await films.draft(accountId);
      expect((await films.owner(`/jobs/${jobId}/render`, {}, accountId)).status).to.equal(200);
      return jobId;
    };
    const claimed = async () => {
      const claim = await films.claim();
      if (!claim) throw new Error("nothing was claimed");
      return { ...claim, jobId: claim.job.jobId };
    };
    const objects = async (): Promise<number> => {
      let count = 0;
      for await (const _ of films.objectStore.list(filmObjects)) count += 1;
      return count;
    };
    const isKnown = async (): Promise<void> => {
      expect(await waitForPosition(films.models.database, "explainers", (await films.models.store.head()) ?? "0", 30_000)).to.equal(true);
    };

    it("requires the worker token and accepts no cookie instead", async () => {
      await queued();
      const body = { workerId: "worker-1", capabilities: { rendererVersion, voices: false } };
      for (const headers of [
        {},
        { authorization: `Bearer ${workerToken}x` },
        { authorization: workerToken },
        { cookie: `colloquy=${workerToken}` },
        { "x-account": account },
      ])
        expect((await films.worker("/claim", body, headers as Record<string, string>)).status, JSON.stringify(headers)).to.equal(401);
      expect((await films.worker("/claim", body)).status).to.equal(200);
      expect((await films.worker("/claim", { ...body, more: 1 })).status).to.equal(400);
    });

    it("gives the pictures that a video shows from the course's own files, and none that is no longer there", async () => {
      const bytes = bytesOf("<svg/>");
      const sha256 = sha256Of(bytes);
      await films.objectStore.put(courseKeys.asset(draftOf().courseId, sha256), bytes);
      await films.objectStore.put(courseKeys.asset("another-course", "e".repeat(64)), bytes);
      const picture = {
        sourceId: "topic-pipes",
        sha256,
        type: "image/svg+xml",
        width: 10,
        height: 10,
        alt: "",
        textSize: 0,
        signs: "",
      } as const;
      const draft = draftOf("figures");
      const [title, ...rest] = draft.storyboard.scenes;
      const shown = rest.map((scene, index): Scene => {
        if (index > 2) return scene;
        const file = index === 2 ? { ...picture, sha256: "e".repeat(64) } : picture;
        return { ...scene, layout: "figure", content: { heading: "A figure", picture: file, parts: [], zooms: [], callouts: [] } } as Scene;
      });
      const scenes = title ? [title, ...shown] : shown;
      const { jobId } = await films.handlers.draft(films.request(account), {
        ...draft,
        storyboard: { ...draft.storyboard, scenes },
        content: { tag: "figures" },
      });
      expect((await films.owner(`/jobs/${jobId}/render`)).status).to.equal(200);
      const { job } = (await claimed()) as unknown as { job: RenderJob };
      expect(renderJob.parse(job).pictures).to.deep.equal([{ sha256, data: Buffer.from(bytes).toString("base64") }]);
    });

    it("renders an approved video without telling the worker its account", async () => {
      const jobId = await queued();
      const claim = await claimed();
      expect(claim.job).to.deep.include({ jobId, attempt: 1, rendererVersion });
      expect(JSON.stringify(claim)).to.not.include(account).and.not.include("explanation");
      expect(await films.claim()).to.equal(null);
      expect(await (await films.lease(jobId, claim.leaseId)).json()).to.deep.include({ stop: false });
      expect(await films.finish(jobId, claim.leaseId)).to.equal(200);
      expect(await films.finish(jobId, claim.leaseId), "the same again").to.equal(409);
      expect((await films.typesOf(jobId)).filter((type) => type === "RenderCompleted")).to.have.length(1);
    });

    it("counts each attempt once and exports figures of admitted workers", async () => {
      const names = ["claimed", "completed", 'failed",code="out_of_memory', "lost"];
      const counts = async (): Promise<number[]> => {
        const text = await films.figures();
        const value = (pattern: string): number => Number(new RegExp(`^${pattern}[^}]*\\} (\\S+)`, "m").exec(text)?.[1] ?? 0);
        return names.map((name) => value(`colloquy_render_tries_total\\{outcome="${name}"`));
      };
      const seconds = async (): Promise<number> =>
        Number(/^colloquy_render_duration_seconds_sum(?:\{[^}]*\})? (\S+)/m.exec(await films.figures())?.[1] ?? 0);
      const [before, secondsBefore] = [await counts(), await seconds()];
      const since = async (): Promise<number[]> => (await counts()).map((count, index) => count - (before[index] ?? 0));

      await queued();
      const first = await claimed();
      expect(await films.claim(), "nothing waits").to.equal(null);
      const code = "out_of_memory";
      const fail = () => films.worker(`/jobs/${first.jobId}/fail`, { leaseId: first.leaseId, code, retryable: true });
      expect([(await fail()).status, (await fail()).status]).to.deep.equal([200, 409]);
      films.forward(filmBounds.attempts.mostMs / 1_000);
      await claimed();
      films.forward(filmBounds.leaseSeconds + 1);
      const last = await claimed();
      expect(await films.finish(last.jobId, last.leaseId)).to.equal(200);
      expect(await films.finish(last.jobId, last.leaseId), "the same again").to.equal(409);
      expect(await since()).to.deep.equal([3, 1, 1, 1]);
      expect((await seconds()) - secondsBefore).to.be.closeTo(metrics.renderMilliseconds / 1_000, 1e-6);

      const told = writeWorkerFigures({
        worker: "render-9",
        isolation: "bubblewrap",
        encoder: true,
        loopDelayMicroseconds: 1,
        processorMilliseconds: 2,
        heapBytes: 3,
        residentBytes: 4,
        withRendersBytes: 5,
      });
      const body = { workerId: "worker-1", capabilities: { rendererVersion, voices: false } };
      await films.worker("/claim", body, { [workerFiguresHeader]: told });
      expect(await films.figures(), "of a stranger").to.not.include("render-9");
      await films.worker("/claim", body, { authorization: `Bearer ${workerToken}`, [workerFiguresHeader]: told });
      expect(await films.figures()).to.include('process_resident_memory_bytes{service="render-worker",worker="render-9"} 4');
    });

    it("gives a job to one of two workers that claim at once", async () => {
      const jobId = await queued();
      const [one, two] = [films.parts(), films.parts()];
      await isKnown();
      const capabilities = { rendererVersion, voices: false };
      const claims = await Promise.all([one.work.claim("worker-1", capabilities), two.work.claim("worker-2", capabilities)]);
      expect(claims.filter(Boolean)).to.have.length(1);
      expect((await films.typesOf(jobId)).filter((type) => type === "RenderClaimed")).to.have.length(1);
    });

    it("refuses an upload whose lease expired meanwhile", async () => {
      const jobId = await queued();
      const { leaseId } = await claimed();
      const bytes = bytesOf("a film that takes long");
      const path = new URL(`${films.url}/worker/jobs/${jobId}/artifacts/video?leaseId=${leaseId}&sha256=${sha256Of(bytes)}`);
      const headers = { authorization: `Bearer ${workerToken}`, "content-length": bytes.length, expect: "100-continue" };
      const status = await new Promise<number>((resolve, reject) => {
        const upload = httpRequest(path, { method: "PUT", headers }, (response) => resolve(response.statusCode ?? 0));
        upload.on("error", reject);
        upload.on("continue", () => {
          upload.write(bytes.subarray(0, 5));
          films.forward(filmBounds.leaseSeconds + 1);
          upload.end(bytes.subarray(5));
        });
        upload.flushHeaders();
      });
      expect(status).to.equal(409);
      expect(await objects()).to.equal(0);
      const next = await claimed();
      expect(next.job).to.deep.include({ jobId, attempt: 2 });
      const neverUploaded = ["video", "captions", "poster"].map((kind) => ({ kind, sha256: "a".repeat(64), bytes: 1 }));
      for (const late of [
        films.lease(jobId, leaseId),
        films.worker(`/jobs/${jobId}/fail`, { leaseId, code: "too_slow", retryable: false }),
        // Said before anything is said of the film, which was never uploaded.
        films.worker(`/jobs/${jobId}/complete`, { leaseId, milliseconds: 1_000, artifacts: neverUploaded, metrics }),
      ])
        expect(await codeOf(await late)).to.equal("lease_lost");
      expect(await films.finish(jobId, next.leaseId)).to.equal(200);
    });

    it("cancels an upload whose lease was lost, so that others continue", async () => {
      const held = [];
      const disconnected: Promise<void>[] = [];
      for (let one = 0; one < filmBounds.uploadsAtOnce; one += 1) {
        await queued();
        const { jobId, leaseId } = await claimed();
        const path = new URL(`${films.url}/worker/jobs/${jobId}/artifacts/video?leaseId=${leaseId}&sha256=${"a".repeat(64)}`);
        const headers = { authorization: `Bearer ${workerToken}`, "content-length": 10, expect: "100-continue" };
        const upload = httpRequest(path, { method: "PUT", headers });
        disconnected.push(new Promise((resolve) => upload.once("error", () => resolve()).once("response", () => resolve())));
        await new Promise<void>((resolve) => upload.once("continue", resolve).flushHeaders());
        upload.write("half");
        held.push({ upload, jobId });
      }
      films.forward(filmBounds.leaseSeconds + 1);
      const next = await claimed();
      expect(held.map(({ jobId }) => jobId)).to.include(next.jobId);
      expect(await films.finish(next.jobId, next.leaseId)).to.equal(200);
      await Promise.all(disconnected);
      for (const { upload } of held) upload.destroy();
    });

    it("refuses bytes that do not match their hash", async () => {
      const jobId = await queued();
      const { leaseId } = await claimed();
      const upload = (bytes: Uint8Array<ArrayBuffer>, sha?: string) => films.upload(jobId, leaseId, "video", bytes, sha);
      expect((await upload(bytesOf("one film"), sha256Of(bytesOf("another")))).status).to.equal(400);
      expect((await upload(bytesOf(""))).status).to.equal(400);
      expect((await films.upload(jobId, leaseId, "film", bytesOf("one film"))).status).to.equal(400);
      expect(await objects()).to.equal(0);
      const artifacts = ["video", "captions", "poster"].map((kind) => ({ kind, sha256: sha256Of(bytesOf(kind)), bytes: kind.length }));
      const complete = (list: object[]) =>
        films.worker(`/jobs/${jobId}/complete`, { leaseId, milliseconds: 1_000, artifacts: list, metrics });
      expect((await complete(artifacts)).status, "never uploaded").to.equal(400);
      for (const { kind } of artifacts) expect((await films.upload(jobId, leaseId, kind, bytesOf(kind))).status).to.equal(200);
      expect((await complete(artifacts.map((one) => ({ ...one, bytes: one.bytes + 1 })))).status, "of another length").to.equal(400);
      expect((await complete(artifacts.slice(1))).status, "without its video").to.equal(400);
      expect((await complete(artifacts)).status).to.equal(200);
    });

    it("refuses an artifact that is too large before reading it", async () => {
      const jobId = await queued();
      const { leaseId } = await claimed();
      const path = new URL(`${films.url}/worker/jobs/${jobId}/artifacts/video?leaseId=${leaseId}&sha256=${"a".repeat(64)}`);
      const headers = { authorization: `Bearer ${workerToken}`, "content-length": filmBounds.artifactBytes + 1 };
      const status = await new Promise<number>((resolve, reject) => {
        const upload = httpRequest(path, { method: "PUT", headers }, (response) => {
          resolve(response.statusCode ?? 0);
          upload.destroy();
        });
        upload.on("error", reject);
        upload.flushHeaders();
      });
      expect(status).to.equal(413);
    });

    it("tells a worker to stop a cancelled render", async () => {
      const jobId = await queued();
      const { leaseId } = await claimed();
      expect((await films.owner(`/jobs/${jobId}/cancel`)).status).to.equal(200);
      expect(await (await films.lease(jobId, leaseId)).json()).to.deep.include({ stop: true });
      expect(await films.finish(jobId, leaseId)).to.equal(409);
      expect(await (await films.owner(`/jobs/${jobId}/retry`)).json()).to.deep.include({ state: "queued" });
      expect((await claimed()).job.attempt).to.equal(1);
    });

    it("keeps leases over a restart and sweeps expired ones", async () => {
      const jobId = await queued();
      const { leaseId } = await claimed();
      const restarted = films.parts();
      await restarted.work.renew(jobId, leaseId, { stage: "drawing", done: 1, total: 2 });
      expect(await restarted.work.sweep()).to.equal(0);
      films.forward(filmBounds.leaseSeconds + 1);
      await isKnown();
      expect(await restarted.work.sweep()).to.equal(1);
      expect((await films.typesOf(jobId)).slice(-2)).to.deep.equal(["RenderLeaseExpired", "RenderRequeued"]);
    });

    it("fails a spoken video when no process has known a voice for a while", async () => {
      const silent = await queued();
      const spoken = await films.draft();
      const settings = { ...defaultSettings, voice: "spoken" as const };
      const asked = { ...approval, settings, expectedVersion: null, cached: null, offered: true, again: false };
      await films.jobs.handle(spoken, null, { type: "approve", digest: "digest", at: films.now(), ...asked });
      const other = films.parts();
      const seconds = filmBounds.speakerMs / 1_000;
      films.forward(seconds - 10);
      expect((await films.work.claim("worker-voice", { rendererVersion, voices: true }))?.job.jobId).to.equal(silent);
      films.forward(11);
      await isKnown();
      expect(await other.work.sweep(), "the one that can speak is busy").to.equal(0);
      films.forward(seconds - 5);
      expect(await films.claim("worker-mute")).to.include({ leaseSeconds: filmBounds.leaseSeconds });
      expect(await other.work.sweep()).to.equal(0);
      films.forward(6);
      await isKnown();
      await other.work.sweep();
      expect((await films.typesOf(spoken)).slice(-2)).to.deep.equal(["RenderQueued", "RenderFailed"]);
    });

    it("skips an unreadable video, logs it once and serves the others", async () => {
      const metadata = { accountId: account, requestId: "request-later", correlationId: "request-later", at: new Date().toISOString() };
      const later = { type: "RenderCancelled", data: { schemaVersion: 2 }, metadata };
      const unreadable = await queued();
      await films.models.store.append(`explainer-${unreadable}`, [{ id: randomUUID(), ...later }], "any");
      const readable = [await queued(), await queued(otherAccount)];
      expect(await films.work.sweep()).to.equal(0);
      expect([(await claimed()).jobId, (await claimed()).jobId]).to.have.members(readable);
      expect(await films.claim()).to.equal(null);
      expect(films.logged.filter((line) => line.includes("cannot be read; the video is skipped"))).to.have.length(1);
    });

    it("takes turns between accounts", async () => {
      for (let count = 0; count < 4; count += 1) await queued();
      const late = await queued(otherAccount);
      expect((await claimed()).jobId).to.not.equal(late);
      expect((await claimed()).jobId).to.equal(late);
      await isKnown();
      const states = (await jobsUnderWay(films.models.database)).map(({ state }) => state);
      expect(
        claimOrder(states, new Map(), new Date().toISOString(), { rendererVersion: rendererVersion + 1, voices: false }),
      ).to.deep.equal([]);
    });

    it("refuses a course that is no longer offered and finishes earlier requests", async () => {
      const [asked, drafted] = [await queued(), await films.draft()];
      films.offered.courseId = "another-course";
      const refused = await films.owner(`/jobs/${drafted}/render`);
      expect([refused.status, await codeOf(refused)]).to.deep.equal([403, "not_allowed"]);
      const { jobId, leaseId } = await claimed();
      expect([jobId, await films.finish(jobId, leaseId)]).to.deep.equal([asked, 200]);
      expect(await (await films.owner(`/jobs/${asked}/render`)).json(), "it is there").to.deep.include({ state: "completed" });
      expect((await films.owner(`/jobs/${asked}/render`, { settings: { ...defaultSettings, theme: "dark" } })).status).to.equal(403);
      expect((await films.owner(`/jobs/${drafted}/retry`)).status, "nothing failed").to.equal(409);
    });

    it("limits the queue of an account", async () => {
      for (let count = 0; count < filmBounds.queuedPerAccount; count += 1) await queued();
      const refused = await films.owner(`/jobs/${await films.draft()}/render`);
      expect(refused.status).to.equal(429);
      expect(refused.headers.get("retry-after")).to.not.equal(null);
    });

    it("limits the queue of an account also for simultaneous approvals", async () => {
      const jobIds: string[] = [];
      for (let count = 0; count < filmBounds.queuedPerAccount * 2; count += 1) jobIds.push(await films.draft());
      const statuses = await Promise.all(jobIds.map(async (jobId) => (await films.owner(`/jobs/${jobId}/render`)).status));
      expect(statuses.filter((status) => status === 200)).to.have.length(filmBounds.queuedPerAccount);
      expect(statuses.filter((status) => status === 429)).to.have.length(filmBounds.queuedPerAccount);
      await queued(otherAccount);
    });

    it("reuses a video for the same storyboard until a mistake is reported", async () => {
      const first = await films.draft(account, "same");
      await films.owner(`/jobs/${first}/render`);
      expect(await films.finish(first, (await claimed()).leaseId)).to.equal(200);
      await isKnown();
      const render = async (accountId: string, asked: object = {}) => {
        const jobId = await films.draft(accountId, "same");
        const answer = await films.owner(`/jobs/${jobId}/render`, asked, accountId);
        return { jobId, state: ((await answer.json()) as { state: string }).state };
      };
      const dark = { settings: { ...defaultSettings, theme: "dark" } };
      const { jobId: darkOne } = await render(otherAccount, dark);
      expect(await films.finish(darkOne, (await claimed()).leaseId)).to.equal(200);
      await isKnown();
      expect((await render(otherAccount)).state).to.equal("completed");
      expect((await render("acc_third_001", dark)).state).to.equal("completed");
      expect((await films.owner(`/jobs/${first}/corrections`, { text: "That is wrong." })).status).to.equal(200);
      await isKnown();
      const again = await render("acc_third_001");
      expect(again.state).to.equal("queued");
      expect(await films.typesOf(again.jobId)).to.include("RenderQueued");
      expect((await render("acc_third_001", dark)).state, "its words are as wrong in the dark").to.equal("queued");
    });

    it("renders a video again when its objects are lost", async () => {
      const first = await films.draft(account, "same");
      const approved = async (jobId: string, accountId: string) =>
        ((await (await films.owner(`/jobs/${jobId}/render`, {}, accountId)).json()) as { state: string }).state;
      expect(await approved(first, account)).to.equal("queued");
      expect(await films.finish(first, (await claimed()).leaseId, "same")).to.equal(200);
      await isKnown();
      expect(await approved(first, account)).to.equal("completed");
      const lost = filmObjectKey(sha256Of(bytesOf("captions of same")));
      await films.objectStore.remove(lost);
      const other = await films.draft(otherAccount, "same");
      expect(await approved(other, otherAccount)).to.equal("queued");
      expect(await approved(first, account), "its own").to.equal("queued");
      const { leaseId } = await claimed();
      expect(await films.finish(other, leaseId, "another try")).to.equal(200);
      await isKnown();
      for (const accountId of ["acc_third_001", "acc_fourth_01"])
        expect(await approved(await films.draft(accountId, "same"), accountId), "the other's is whole").to.equal("completed");
      expect(await films.finish(first, (await claimed()).leaseId, "same")).to.equal(200);
      expect(await films.objectStore.get(lost)).to.not.equal(null);
      expect(await approved(first, account)).to.equal("completed");
    });

    it("renders a video again when one byte is damaged, and replaces it", async () => {
      const jobId = await films.draft();
      const approved = async () => ((await (await films.owner(`/jobs/${jobId}/render`)).json()) as { state: string }).state;
      expect(await approved()).to.equal("queued");
      expect(await films.finish(jobId, (await claimed()).leaseId, "same")).to.equal(200);
      await isKnown();
      expect(await approved(), "nothing is damaged").to.equal("completed");
      const right = bytesOf("video of same");
      await films.objectStore.put(filmObjectKey(sha256Of(right)), bytesOf("video of sane"));
      expect(await approved()).to.equal("queued");
      expect(await films.finish(jobId, (await claimed()).leaseId, "same")).to.equal(200);
      const kept = await films.objectStore.get(filmObjectKey(sha256Of(right)));
      expect(kept?.bytes && [...kept.bytes]).to.deep.equal([...right]);
      expect(await approved()).to.equal("completed");
    });

    it("removes an unneeded object in the second sweep", async () => {
      const jobId = await queued();
      const { leaseId } = await claimed();
      expect(await films.finish(jobId, leaseId)).to.equal(200);
      await films.objectStore.put(filmObjectKey("f".repeat(64)), bytesOf("of a render that came to nothing"));
      await isKnown();
      expect(await films.sweep()).to.equal(0);
      expect(await films.sweep()).to.equal(1);
      expect(await films.sweep()).to.equal(0);
      expect(await objects()).to.equal(3);
    });

    it("completes each of a hundred videos once while workers die at random", async function () {
      this.timeout(240_000);
      const jobs: string[] = [];
      for (let count = 0; count < 100; count += 1) jobs.push(await queued(`acc_number_${String(count % 10).padStart(3, "0")}`));
      let seed = 7;
      const random = (): number => {
        seed = (seed * 16_807) % 2_147_483_647;
        return seed / 2_147_483_647;
      };
      let deaths = 0;
      /** Claims a video and makes it or dies. Answers whether there was one. */
      const makeOne = async (workerId: string): Promise<boolean> => {
        const claim = await films.claim(workerId);
        if (!claim) return false;
        const { jobId, attempt } = claim.job;
        if (random() < 0.2 && attempt < filmBounds.attempts.most) deaths += 1;
        else {
          await films.lease(jobId, claim.leaseId);
          await films.finish(jobId, claim.leaseId);
        }
        return true;
      };
      const working = new Set<Promise<boolean>>();
      const makeAll = async (workerId: string): Promise<void> => {
        for (let idle = 0; idle < 3; ) {
          const work = makeOne(workerId);
          working.add(work);
          const hasClaimed = await work;
          working.delete(work);
          if (hasClaimed) idle = 0;
          // A worker that died holds its lease until it expires; one that lives, also one that still claims, finishes before that.
          else if (working.size > 0) await Promise.all(working);
          else {
            films.forward(filmBounds.leaseSeconds + 1);
            idle += 1;
          }
        }
      };
      await Promise.all([makeAll("worker-1"), makeAll("worker-2")]);
      expect(deaths).to.be.greaterThan(5);
      for (const jobId of jobs) {
        const types = await films.typesOf(jobId);
        expect(
          types.filter((type) => type === "RenderCompleted"),
          types.join(" "),
        ).to.have.length(1);
      }
      await isKnown();
      expect(await jobsUnderWay(films.models.database)).to.deep.equal([]);
    });
  });
