import { type WorkerFigures, writeWorkerFigures } from "@colloquy/schemas/explainers/worker-figures.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { workerFigureLog } from "./worker-figures.ts";

const told = (worker: string, more: Partial<WorkerFigures> = {}): string =>
  writeWorkerFigures({
    worker,
    isolation: "bubblewrap",
    encoder: true,
    loopDelayMicroseconds: 10_500,
    processorMilliseconds: 1_500,
    heapBytes: 20,
    residentBytes: 80,
    withRendersBytes: 600,
    ...more,
  });

describe("figures of render workers", () => {
  let time: number;
  const heard = () => workerFigureLog(() => time);
  beforeEach(() => {
    time = 0;
  });
  const workers = (text: string): string[] =>
    [...text.matchAll(/^process_cpu_seconds_total\{.*worker="([^"]+)"/gm)].map(([, name = ""]) => name);

  it("have the names of other processes and the last value of each worker", () => {
    const all = heard();
    all.record(told("render-1"));
    all.record(told("render-2"));
    all.record(told("render-1", { processorMilliseconds: 2_500 }));
    const text = all.text();
    for (const line of [
      'nodejs_eventloop_lag_p99_seconds{service="render-worker",worker="render-1"} 0.0105',
      'process_cpu_seconds_total{service="render-worker",worker="render-1"} 2.5',
      'process_cpu_seconds_total{service="render-worker",worker="render-2"} 1.5',
      'nodejs_heap_size_used_bytes{service="render-worker",worker="render-1"} 20',
      'process_resident_memory_bytes{service="render-worker",worker="render-1"} 80',
      'colloquy_render_worker_memory_bytes{service="render-worker",worker="render-1"} 600',
      'colloquy_render_workers{service="command-api"} 2',
    ])
      expect(text.split("\n")).to.include(line);
  });

  const processorSeconds = (text: string) => /^process_cpu_seconds_total\{.*\} (.+)$/m.exec(text)?.[1];

  it("are not taken from a request that another one overtook", () => {
    const all = heard();
    all.record(told("render-1", { processorMilliseconds: 1_718 }));
    all.record(told("render-1", { processorMilliseconds: 1_716 }));
    expect(processorSeconds(all.text())).to.equal("1.718");
  });

  it("begin again when a worker of the same name was restarted", () => {
    const all = heard();
    all.record(told("render-1", { processorMilliseconds: 90_000 }));
    all.record(told("render-1", { processorMilliseconds: 400 }));
    expect(processorSeconds(all.text())).to.equal("0.4");
  });

  it("expire a minute after a worker's last request", () => {
    const all = heard();
    all.record(told("render-1"));
    time = filmBounds.figures.forMs - 1;
    expect(workers(all.text())).to.deep.equal(["render-1"]);
    time += 1;
    expect(all.text()).to.include('colloquy_render_workers{service="command-api"} 0');
    expect(workers(all.text())).to.deep.equal([]);
  });

  it("count the workers that render in the weaker isolation or without an encoder", () => {
    const all = heard();
    all.record(told("render-1"));
    all.record(told("render-2", { isolation: "permissions" }));
    all.record(told("render-3", { encoder: false }));
    expect(all.workers()).to.deep.equal({ count: 3, inWeakerIsolation: 1, withoutEncoder: 1 });
    time = filmBounds.figures.forMs;
    expect(all.workers().count).to.equal(0);
  });

  it("are kept for a limited number of workers and only if valid", () => {
    const all = heard();
    for (let index = 0; index < filmBounds.figures.workers; index += 1) all.record(told(`render-${index}`));
    all.record(told("render-0"));
    all.record(told("one-more"));
    all.record('worker="} 1,');
    const known = workers(all.text());
    expect(known).to.have.length(filmBounds.figures.workers);
    expect(known).to.include.members(["render-0", "one-more"]).and.not.include("render-1");
  });
});
