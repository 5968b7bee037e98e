import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { openObjectStore, type ProbedObjectStore } from "./open.ts";
import { type S3Double, type S3DoubleOptions, startS3Double } from "./s3-double.fixture.ts";
import { ObjectStoreRefused, UnsafeObjectStore } from "./store.ts";

const bytes = new TextEncoder().encode("one");
const errorOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);

describe("opening the object store", () => {
  let folder: string;
  const doubles: S3Double[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-open-"));
  });
  afterEach(async () => {
    for (const double of doubles.splice(0)) await double.close();
    await rm(folder, { recursive: true });
  });

  async function bucket(options: S3DoubleOptions = {}): Promise<{ double: S3Double; store: ProbedObjectStore }> {
    const double = await startS3Double(options);
    doubles.push(double);
    return { double, store: openObjectStore(readConfig({ ...double.environment, DATA_DIR: folder })) };
  }

  it("takes the bucket when there is one, and then writes no folder", async () => {
    const { double, store } = await bucket();
    await store.put("a", bytes, { ifNoneMatch: true });
    expect([...double.objects.keys()]).to.deep.equal(["a"]);
    expect(await readdir(folder)).to.deep.equal([]);
    await openObjectStore(readConfig({ DATA_DIR: folder })).put("a", bytes, { ifNoneMatch: true });
    expect(await readdir(folder)).to.deep.equal(["objects"]);
  });

  for (const [ignores, words] of [
    [["ifNoneMatch"], "it created an object twice"],
    [["ifMatch"], "it replaced an object that was not there"],
    [["ifMatchOnNothing"], "it replaced an object that was not there"],
    [["ifNoneMatch", "ifMatch"], "it replaced an object that was not there"],
  ] as const)
    it(`refuses a bucket that ignores ${ignores.join(" and ")}`, async () => {
      const { double, store } = await bucket({ ignores: [...ignores] });
      for (const attempt of [() => store.probe(), () => store.put("a", bytes, { ifNoneMatch: true }), () => store.probe()])
        expect(await errorOf(attempt()))
          .to.be.instanceOf(UnsafeObjectStore)
          .with.property("message")
          .that.contains(words);
      expect(double.objects.size).to.equal(0);
    });

  it("refuses a bucket that has never heard of conditions", async () => {
    const { double, store } = await bucket();
    double.faults.push({ method: "PUT", what: { status: 501, code: "NotImplemented" } });
    expect(await errorOf(store.probe()))
      .to.be.instanceOf(UnsafeObjectStore)
      .with.property("message")
      .that.contains("does not know conditional writes");
  });

  it("does not call a wrong credential or a missing bucket unsafe, and asks again", async () => {
    const { double, store } = await bucket();
    double.faults.push({ method: "PUT", what: { status: 403, code: "AccessDenied" } });
    expect(await errorOf(store.probe())).to.be.instanceOf(ObjectStoreRefused);
    await store.probe();
    expect((await store.put("a", bytes, { ifNoneMatch: true })).ok).to.equal(true);
    expect([...double.objects.keys()]).to.deep.equal(["a"]);
  });

  it("is not confused by a bad connection", async () => {
    const { double, store } = await bucket();
    double.faults.push({ method: "PUT", what: "after", times: 2 }, { method: "PUT", what: { status: 500 } });
    await store.probe();
  });

  it("probes once, however many write at the same time", async () => {
    const { double, store } = await bucket();
    await Promise.all(["a", "b", "c"].map((key) => store.put(key, bytes, { ifNoneMatch: true })));
    await store.probe();
    expect(double.requests.filter(({ what }) => what.startsWith("probes/"))).to.have.length(6);
  });
});
