import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { type OtlpReceiver, startOtlpReceiver } from "@colloquy/infra/telemetry/otlp-receiver.fixture.ts";
import { startTraces } from "@colloquy/infra/telemetry/traces.ts";
import { projection } from "@colloquy/projections/explainers/projection.ts";
import { temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { workerApi } from "@colloquy/render-service/worker/api.ts";
import { processFigures } from "@colloquy/render-service/worker/process-figures.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { expect } from "chai";
import { metrics } from "./explainer.fixture.ts";
import { type ServedFilms, serveFilms, sha256Of, workerToken } from "./served.fixture.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const kinds = ["video", "captions", "poster"] as const;

const [engine] = await enginesToTest();
if (engine)
  describeOn(engine, "the trace of a video", () => {
    let receiver: OtlpReceiver;
    let traces: Awaited<ReturnType<typeof startTraces>>;
    let films: ServedFilms;
    let folder: string;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "film-trace-"));
      receiver = await startOtlpReceiver();
      const quiet = { info: () => undefined, warn: () => undefined };
      traces = await startTraces(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint }), "test", quiet);
      films = await serveFilms(await temporaryReadModels(engine, [projection]));
    });
    afterEach(async () => {
      await films.close();
      await traces.close();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Approves a film as somebody whose request is traced. */
    async function approved(): Promise<string> {
      const jobId = await films.draft();
      const response = await fetch(`${films.url}/jobs/${jobId}/render`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-account": "acc_mira_0001", traceparent: `00-${traceId}-b7ad6b7169203331-01` },
        body: JSON.stringify({ schemaVersion: 1, requestId: films.requestId() }),
      });
      expect(response.status, await response.text()).to.equal(200);
      return jobId;
    }

    it("continues at the worker, whose stages the API adds", async () => {
      await approved();
      const figures = processFigures(() => ({ worker: "worker-1", isolation: "bubblewrap", encoder: true }));
      const worker = workerApi({ url: new URL(films.url).origin, token: workerToken, workerId: "worker-1", voices: false, figures });
      const claim = await worker.claim();
      if (!claim) throw new Error("nothing was claimed");
      const held = { jobId: claim.job.jobId, leaseId: claim.leaseId };
      const artifacts = kinds.map((kind) => {
        const bytes = new TextEncoder().encode(`${kind} of a film`);
        writeFileSync(join(folder, kind), bytes);
        return { kind, file: join(folder, kind), sha256: sha256Of(bytes), bytes: bytes.length };
      });
      for (const artifact of artifacts) await worker.upload(held, artifact, new AbortController().signal);
      const stages = [
        { stage: "drawing", milliseconds: 5_000 },
        { stage: "uploading", milliseconds: 700 },
      ] as const;
      await worker.complete(held, { milliseconds: 50_000, artifacts, metrics, stages });
      await traces.close(60_000);

      const spans = receiver.spans().filter((span) => span.traceId === traceId);
      const named = (name: string) => spans.filter((span) => span.name === name);
      expect(named("PUT /api/visual-explainers/worker/jobs/:jobId/artifacts/:kind")).to.have.length(kinds.length);
      const [complete] = named("POST /api/visual-explainers/worker/jobs/:jobId/complete");
      for (const { stage, milliseconds } of stages) {
        const [span] = named(`render ${stage}`);
        expect(span?.milliseconds, stage).to.be.closeTo(milliseconds, 1);
        expect(span?.parentSpanId, stage).to.equal(complete?.spanId);
      }
      expect(named("object put").length).to.be.greaterThan(0);
      expect(named("append").length).to.be.greaterThan(1);
    });

    it("is known to another command API than the approving one", async () => {
      await approved();
      const other = films.parts();
      const claimed = await other.work.claim("worker-2", { rendererVersion, voices: false });
      expect(claimed?.traceparent).to.match(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    });
  });
