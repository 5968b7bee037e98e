import { randomUUID } from "node:crypto";
import { otherAccount } from "@colloquy/command-api/explainers/explainer.fixture.ts";
import { type ServedFilms, serveFilms, sha256Of } from "@colloquy/command-api/explainers/served.fixture.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { filmObjectKey } from "@colloquy/infra/object-store/film-objects.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { projection } from "@colloquy/projections/explainers/projection.ts";
import type { ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import { temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { correctionsResponse, settledResponse } from "@colloquy/schemas/explainers/corrections.ts";
import { explainerJobResponse, explainerJobsResponse, explainerOffer, type JobEvent, jobEvent } from "@colloquy/schemas/explainers/job.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { rangeOf } from "./artifact.ts";
import { jobTail } from "./job-tail.ts";
import { explainerReadRoutes } from "./routes.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const others = { "x-account": otherAccount };

describe("the range of bytes a request asks for", () => {
  const cases: [string | undefined, ReturnType<typeof rangeOf>][] = [
    [undefined, null],
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=2-", { start: 2, end: 9 }],
    ["bytes=2-99", { start: 2, end: 9 }],
    ["bytes=-3", { start: 7, end: 9 }],
    ["bytes=-99", { start: 0, end: 9 }],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=5-2", null],
    ["bytes=0-1,3-4", null],
    ["lines=0-1", null],
    ["bytes=-", null],
  ];
  for (const [header, range] of cases) it(String(header), () => expect(rangeOf(header, 10)).to.deep.equal(range));
});

const pageSaying = (text: string): ResolvedReference =>
  ({ source: {}, courseId: "shell-novice", revisionId: "revision-0002", passages: [{ text }] }) as never;

for (const engine of await enginesToTest())
  describeOn(engine, `reading films on ${engine.name}`, () => {
    let films: ServedFilms;
    let ending: AbortController;
    let jobId: string;
    /** The page of the topic as it is published now. */
    let page: ResolvedReference | null;
    beforeEach(async () => {
      page = pageSaying("a pipe hands it on");
      ending = new AbortController();
      const models = await temporaryReadModels(engine, [projection]);
      const { store, database } = models;
      const { signal } = ending;
      const catalogue = { get: async (courseId: string) => (courseId === "none-such" ? null : ({ courseId } as never)) };
      const config = readConfig({ NODE_ENV: "test", EXPLAINER_COURSE_IDS: "shell-novice, none-such" });
      films = await serveFilms(models, (objectStore) => [
        explainerReadRoutes({
          config,
          database,
          store,
          objectStore,
          catalogue,
          library: { resolve: async () => page },
          log,
          signal,
          tail: jobTail({ store, log, signal }),
        }),
      ]);
      jobId = await films.draft();
      await isKnown();
    });
    afterEach(async () => {
      ending.abort();
      await films.close();
    });

    const isKnown = async (): Promise<void> => {
      expect(await waitForPosition(films.models.database, "explainers", (await films.models.store.head()) ?? "0", 30_000)).to.equal(true);
    };
    const claimed = async () => {
      await films.owner(`/jobs/${jobId}/render`);
      const claim = await films.claim();
      if (!claim) throw new Error("nothing was claimed");
      return claim.leaseId;
    };
    const made = async (text = "a film"): Promise<void> => {
      expect(await films.finish(jobId, await claimed(), text)).to.equal(200);
      await isKnown();
    };
    const drawing = (done: number) => ({ stage: "drawing" as const, done, total: 100 });

    /** Reads events until one is wanted, and hangs up. */
    async function watch(until: (event: JobEvent) => boolean, last?: number): Promise<{ id: number; event: JobEvent }[]> {
      const response = await fetch(`${films.url}/jobs/${jobId}/events`, {
        headers: { "x-account": "acc_mira_0001", ...(last !== undefined && { "last-event-id": String(last) }) },
      });
      expect(response.headers.get("content-type")).to.include("text/event-stream");
      const seen: { id: number; event: JobEvent }[] = [];
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const [, id, data] = /^id: (\d+)\ndata: (.*)$/m.exec(text.slice(0, end)) ?? [];
          text = text.slice(end + 2);
          if (data === undefined) continue;
          seen.push({ id: Number(id), event: jobEvent.parse(JSON.parse(data)) });
          if (until(seen[seen.length - 1]?.event as JobEvent)) return seen;
        }
      }
      return seen;
    }

    it("says whether a course offers films, and how many are left today", async () => {
      const offer = async (courseId: string) => explainerOffer.parse(await (await films.get(`/offer?courseId=${courseId}`)).json());
      expect(await offer("shell-novice")).to.deep.include({ offered: true, left: filmBounds.perDay - 1, voices: false });
      expect((await offer("other-course")).offered).to.equal(false);
      expect((await offer("none-such")).offered).to.equal(false);
    });

    it("sends the fonts of films to everybody", async () => {
      const font = await films.get("/fonts/colloquy-film-literata-400-latin", {});
      expect([font.status, font.headers.get("content-type")]).to.deep.equal([200, "font/woff2"]);
      expect(Buffer.from(await font.arrayBuffer()).toString("latin1", 0, 4)).to.equal("wOF2");
      expect((await films.get("/fonts/another-font", {})).status).to.equal(404);
    });

    it("offers an owner's film to every account, without saying whose it is, until it is withdrawn", async () => {
      const prepared = async () => {
        await isKnown();
        const response = await films.get("/offer?courseId=shell-novice", { "x-account": "acc_tomas_001" });
        return explainerOffer.parse(await response.json()).prepared;
      };
      const asOwner = (path: string) =>
        fetch(`${films.url}/jobs/${jobId}/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-account": "acc_mira_0001", "x-owner": "yes" },
          body: JSON.stringify({ schemaVersion: 1, requestId: films.requestId() }),
        });
      await made();
      expect((await films.owner(`/jobs/${jobId}/offer`)).status, "a learner").to.equal(403);
      expect((await asOwner("offer")).status).to.equal(200);
      const [film, ...others] = (await prepared()) ?? [];
      expect(others).to.deep.equal([]);
      expect(film).to.deep.include({ filmId: jobId, topicId: "topic-pipes", emphasis: "intuition" });
      expect(Object.keys(film ?? {}).toSorted()).to.deep.equal(["emphasis", "filmId", "title", "topicId"]);
      for (const path of [`/jobs/${jobId}`, `/jobs/${jobId}/artifact?kind=video`])
        expect((await films.get(path, { "x-account": "acc_tomas_001" })).status, path).to.equal(404);
      page = pageSaying("something else");
      expect(await prepared(), "the page no longer says what it quotes").to.deep.equal([]);
      page = pageSaying("a pipe hands it on");
      expect((await asOwner("withdraw")).status).to.equal(200);
      expect(await prepared()).to.deep.equal([]);
    });

    it("shows an account only its own films", async () => {
      await made();
      const { jobs } = explainerJobsResponse.parse(await (await films.get("/jobs?topicId=topic-pipes")).json());
      expect(jobs.map((job) => [job.jobId, job.state, job.marked])).to.deep.equal([[jobId, "completed", false]]);
      const { job } = explainerJobResponse.parse(await (await films.get(`/jobs/${jobId}`)).json());
      expect(job).to.deep.include({ jobId, state: "completed", answered: null });
      expect(explainerJobsResponse.parse(await (await films.get("/jobs", others)).json()).jobs).to.deep.equal([]);
      for (const path of ["", "/events", "/artifact?kind=video"]) {
        expect((await films.get(`/jobs/${jobId}${path}`, others)).status, path).to.equal(404);
        expect((await films.get(`/jobs/${randomUUID()}${path}`)).status, path).to.equal(404);
        expect((await films.get(`/jobs/${jobId}${path}`, {})).status, path).to.equal(401);
      }
      for (const command of ["render", "retry", "cancel"])
        expect((await films.owner(`/jobs/${jobId}/${command}`, {}, otherAccount)).status, command).to.equal(404);
      expect((await films.owner(`/jobs/${jobId}/answer`, { choice: 0 }, otherAccount)).status).to.equal(404);
    });

    it("sends a film whole and by range, to its owner only", async () => {
      await made();
      const text = "video of a film";
      const ask = (headers: Record<string, string> = {}) =>
        films.get(`/jobs/${jobId}/artifact?kind=video`, { "x-account": "acc_mira_0001", ...headers });
      const whole = await ask();
      expect(whole.status).to.equal(200);
      expect(await whole.text()).to.equal(text);
      const etag = whole.headers.get("etag") ?? "";
      expect(etag).to.equal(`"${sha256Of(new TextEncoder().encode(text))}"`);
      expect(whole.headers.get("content-type")).to.equal("video/mp4");
      expect(whole.headers.get("cache-control")).to.equal("private, no-cache");
      expect(whole.headers.get("x-content-type-options")).to.equal("nosniff");
      const part = await ask({ range: "bytes=6-7" });
      expect([part.status, part.headers.get("content-range"), await part.text()]).to.deep.equal([206, `bytes 6-7/${text.length}`, "of"]);
      const end = await ask({ range: "bytes=-4", "if-range": etag });
      expect([end.status, await end.text()]).to.deep.equal([206, "film"]);
      expect((await ask({ range: "bytes=-4", "if-range": '"another"' })).status, "another film").to.equal(200);
      const behind = await ask({ range: "bytes=999-" });
      expect([behind.status, behind.headers.get("content-range")]).to.deep.equal([416, `bytes */${text.length}`]);
      expect((await ask({ "if-none-match": `W/${etag}` })).status).to.equal(304);
      expect((await films.get(`/jobs/${jobId}/artifact?kind=transcript`)).status, "never made").to.equal(404);
      expect((await films.get(`/jobs/${jobId}/artifact?kind=video&render=${randomUUID()}`)).status).to.equal(404);
      expect((await films.get(`/jobs/${jobId}/artifact?kind=everything`)).status).to.equal(400);
    });

    it("answers 404 for a damaged film, with what to do", async () => {
      await made();
      const key = (kind: string) => filmObjectKey(sha256Of(new TextEncoder().encode(`${kind} of a film`)));
      const ask = (kind: string) => films.get(`/jobs/${jobId}/artifact?kind=${kind}`, { "x-account": "acc_mira_0001", range: "bytes=0-1" });
      await films.objectStore.put(key("video"), new TextEncoder().encode("video of a fiim"));
      await films.objectStore.put(key("captions"), new TextEncoder().encode("captions"));
      await films.objectStore.remove(key("poster"));
      for (const kind of ["video", "captions", "poster"]) {
        const answer = await ask(kind);
        expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")], kind).to.deep.equal([
          404,
          "application/problem+json; charset=utf-8",
          null,
        ]);
        expect(await answer.text(), kind).to.include("Create it again");
      }
      await films.objectStore.put(key("video"), new TextEncoder().encode("video of a film"));
      expect((await ask("video")).status, "mended").to.equal(206);
    });

    it("resumes a progress stream after the last event", async () => {
      const first = await claimed();
      const seen: { id: number; event: JobEvent }[] = [];
      const upTo = async (wanted: (event: JobEvent) => boolean) => seen.push(...(await watch(wanted, seen.at(-1)?.id)));
      await films.lease(jobId, first, drawing(80));
      await upTo(({ percent }) => percent > 0);
      await films.worker(`/jobs/${jobId}/fail`, { leaseId: first, code: "renderer_failed", retryable: true });
      films.forward(10);
      const second = (await films.claim())?.leaseId ?? "";
      const watching = upTo(({ state }) => state === "completed");
      await films.lease(jobId, second, drawing(10));
      films.forward(2);
      await films.lease(jobId, second, drawing(40));
      expect(await films.finish(jobId, second)).to.equal(200);
      await watching;
      const ids = seen.map(({ id }) => id);
      expect(ids, "each event once and in order").to.deep.equal(Array.from({ length: ids.length }, (_, index) => (ids[0] ?? 0) + index));
      const percents = seen.map(({ event }) => event.percent);
      expect(percents).to.deep.equal(percents.toSorted((a, b) => a - b));
      expect(percents.at(-1)).to.equal(100);
      expect(
        seen.map(({ event }) => event.state),
        "nothing that is tried again looks as if it had failed",
      ).to.not.include("failed");
      expect(seen.map(({ event }) => event.attempt)).to.include.members([1, 2]);
      expect(
        (await watch(() => true)).map(({ id }) => id),
        "how it stands now",
      ).to.deep.equal([ids.at(-1)]);
      expect((await films.get(`/jobs/${jobId}/events`, { "x-account": "acc_mira_0001", "last-event-id": "x" })).status).to.equal(400);
    });

    it("sends the place in the queue, without other accounts", async () => {
      expect((await films.owner(`/jobs/${jobId}/render`)).status).to.equal(200);
      const others = [];
      for (let count = 0; count < 3; count += 1) {
        const other = await films.draft(otherAccount);
        others.push(other);
        expect((await films.owner(`/jobs/${other}/render`, {}, otherAccount)).status).to.equal(200);
      }
      await isKnown();
      const leaving = new AbortController();
      const response = await fetch(`${films.url}/jobs/${jobId}/events`, {
        headers: { "x-account": "acc_mira_0001" },
        signal: leaving.signal,
      });
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        if (/"ahead".*\n\n/.test(text)) break;
      }
      leaving.abort();
      const [, told = ""] = /\n\ndata: (.*"ahead".*)\n\n/.exec(text) ?? [];
      expect(jobEvent.parse(JSON.parse(told)), "without a number of its own").to.include({ state: "queued", ahead: 1 });
      expect(text).to.not.include(otherAccount).and.not.include(others[0]);
    });

    it("bounds the streams of an account and closes them at a stop", async () => {
      const streams = await Promise.all(Array.from({ length: filmBounds.streamsPerAccount }, () => films.get(`/jobs/${jobId}/events`)));
      expect(streams.map(({ status }) => status)).to.deep.equal(streams.map(() => 200));
      expect((await films.get(`/jobs/${jobId}/events`)).status).to.equal(429);
      ending.abort();
      await Promise.all(streams.map((stream) => stream.text()));
    });

    it("answers a repeated request as before; rejects another with its id", async () => {
      const requestId = "request-render";
      const render = (more: object = {}) => films.owner(`/jobs/${jobId}/render`, { requestId, ...more });
      // Said with it is how far the job has come by now.
      const answer = async () => ({ ...(await (await render()).json()), position: "" });
      const first = await answer();
      expect(await films.finish(jobId, (await films.claim())?.leaseId ?? "")).to.equal(200);
      expect(await answer()).to.deep.equal(first);
      expect((await render({ settings: { aspect: "9:16", height: 720, theme: "dark", voice: "none" } })).status).to.equal(409);
      expect((await films.owner(`/jobs/${jobId}/cancel`, { requestId })).status).to.equal(409);
      expect(
        (await films.owner(`/jobs/${jobId}/render`, { settings: { aspect: "16:9", height: 720, theme: "dark", voice: "spoken" } })).status,
      ).to.equal(400);
    });

    it("shows corrections to owners without the reporter, and marks the film", async () => {
      await made();
      const { job } = explainerJobResponse.parse(await (await films.get(`/jobs/${jobId}`)).json());
      const sceneId = job.storyboard.scenes[1]?.sceneId;
      expect((await films.owner(`/jobs/${jobId}/corrections`, { sceneId: "scene-nowhere", text: "x" })).status).to.equal(422);
      expect((await films.owner(`/jobs/${jobId}/corrections`, { sceneId, text: "It also buffers." })).status).to.equal(200);
      await isKnown();
      const read = (headers: Record<string, string>) => films.get("/corrections?courseId=shell-novice", headers);
      expect((await read({ "x-account": otherAccount })).status).to.equal(403);
      const answer = await (await read({ "x-account": otherAccount, "x-owner": "1" })).json();
      const [reported] = correctionsResponse.parse(answer).corrections;
      expect(reported).to.deep.include({
        text: "It also buffers.",
        sceneTitle: "What goes through",
        topicId: "topic-pipes",
        settledAt: null,
        edited: false,
      });
      expect(reported?.onScreen.map(({ text }) => text)).to.deep.equal(["one writes", "one reads"]);
      expect(reported?.href).to.match(/^\/courses\/[^#]+$/);
      expect(reported?.quotes.map(({ href }) => href)).to.deep.equal([job.storyboard.sources[0]?.href]);
      expect(JSON.stringify(answer)).to.not.include("acc_mira").and.not.include(jobId);
      expect(explainerJobsResponse.parse(await (await films.get("/jobs")).json()).jobs[0]?.marked).to.equal(true);
    });

    it("lets only an owner settle a correction, once", async () => {
      await made();
      for (const text of ["It also buffers.", "The order is wrong."])
        expect((await films.owner(`/jobs/${jobId}/corrections`, { text })).status).to.equal(200);
      await isKnown();
      const owner = { "x-account": otherAccount, "x-owner": "1" };
      const listed = async (after = "") =>
        correctionsResponse.parse(await (await films.get(`/corrections?courseId=shell-novice${after && `&after=${after}`}`, owner)).json())
          .corrections;
      const [newest] = await listed();
      expect([newest?.text, newest?.settledAt]).to.deep.equal(["The order is wrong.", null]);
      const path = `/corrections/${newest?.correctionId}/settle`;
      const settle = (headers: Record<string, string>, requestId = "request-settle-01", at = path) =>
        fetch(films.url + at, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ schemaVersion: 1, requestId }),
        });
      expect((await settle({})).status).to.equal(401);
      expect((await settle({ "x-account": "acc_mira_0001" })).status, "whose film it is").to.equal(403);
      expect((await settle(owner, undefined, `/corrections/${randomUUID()}/settle`)).status).to.equal(404);
      const first = settledResponse.parse(await (await settle(owner)).json());
      expect(await (await settle(owner)).json(), "the same again").to.deep.equal(first);
      expect(await (await settle(owner, "request-settle-02")).json(), "another request").to.deep.include({ settledAt: first.settledAt });
      expect((await films.typesOf(jobId)).filter((type) => type === "CorrectionSettled")).to.have.length(1);
      const after = await listed(first.position);
      expect(after.map(({ text, settledAt }) => [text, settledAt])).to.deep.equal([
        ["It also buffers.", null],
        ["The order is wrong.", first.settledAt],
      ]);
      const { job } = explainerJobResponse.parse(await (await films.get(`/jobs/${jobId}`)).json());
      expect(job.corrections.map(({ settledAt }) => settledAt)).to.deep.equal([null, first.settledAt]);
      expect(JSON.stringify(job)).to.not.include(otherAccount);
    });

    it("shows the answer key after an answer and takes no second answer", async () => {
      await made();
      const answer = await films.owner(`/jobs/${jobId}/answer`, { choice: 0 });
      expect(await answer.json()).to.deep.include({ correct: false, right: 1, recorded: false });
      expect((await films.owner(`/jobs/${jobId}/answer`, { choice: 1 })).status).to.equal(409);
      await isKnown();
      expect(explainerJobResponse.parse(await (await films.get(`/jobs/${jobId}`)).json()).job.answered).to.deep.include({
        choice: 0,
        right: 1,
      });
    });
  });
