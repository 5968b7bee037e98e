import { expect } from "chai";
import { readWorkerFigures, type WorkerFigures, writeWorkerFigures } from "./worker-figures.ts";

describe("what a worker tells of its process", () => {
  const told: WorkerFigures = {
    worker: "render-1.school-7",
    isolation: "bubblewrap",
    encoder: true,
    loopDelayMicroseconds: 10_400,
    processorMilliseconds: 5_210,
    heapBytes: 21e6,
    residentBytes: 83e6,
    withRendersBytes: 620e6,
  };
  const text = writeWorkerFigures(told);

  it("comes as it was told, in whole numbers", () => {
    expect(readWorkerFigures(text)).to.deep.equal(told);
    expect(readWorkerFigures(writeWorkerFigures({ ...told, processorMilliseconds: 5_210.4 }))).to.deep.equal(told);
  });

  it("is nothing where a figure is missing or is none, whoever wrote it", () => {
    for (const wrong of [
      "",
      "worker=render-1",
      text.replace("render-1.school-7", ""),
      text.replace("render-1.school-7", 'a"b'),
      text.replace("render-1.school-7", "a".repeat(65)),
      text.replace("bubblewrap", "none"),
      text.replace("true", "yes"),
      text.replace("5210", "-1"),
      text.replace("5210", "1e400"),
      text.replace("5210", "9".repeat(16)),
      text.replace(",heapBytes=21000000", ""),
      ",".repeat(100_000),
    ])
      expect(readWorkerFigures(wrong), wrong.slice(0, 80)).to.equal(null);
  });
});
