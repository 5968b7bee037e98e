import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { s3Settings } from "./open.ts";
import { type S3Options, s3ObjectStore } from "./s3.ts";
import { type Fault, type S3Double, startS3Double } from "./s3-double.fixture.ts";
import type { S3Settings } from "./s3-exchange.ts";
import { type ObjectStore, ObjectStoreRefused, ObjectStoreUnavailable, OutcomeUnknown } from "./store.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const errorOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);
/** Who is only slow is waited for; tests of silence have less patience. */
const hasty = { pauseMs: 1, idleMs: 30_000, connectMs: 30_000, triesWithinMs: 60_000, continueMs: 200 };

describe("objects in an S3", () => {
  let double: S3Double;
  let store: ObjectStore;
  /** Somebody else who writes. */
  let rival: ObjectStore;

  beforeEach(async () => {
    double = await startS3Double({ pageSize: 3 });
    [store, rival] = [open(), open()];
  });
  afterEach(() => double.close());

  function open({ options = {}, settings = {} }: { options?: S3Options; settings?: Partial<S3Settings> } = {}): ObjectStore {
    const configured = s3Settings(readConfig(double.environment));
    if (!configured) throw new Error("The double's variables select no S3");
    return s3ObjectStore({ ...configured, ...settings }, { ...hasty, ...options });
  }
  const fault = (one: Fault): void => void double.faults.push(one);
  const textAt = async (key: string): Promise<string | null> => {
    const found = await store.get(key);
    return found && new TextDecoder().decode(found.bytes);
  };
  const etagAt = async (key: string): Promise<string> => (await store.get(key))?.etag ?? "";
  const sent = (method: string): number => double.requests.filter((request) => request.method === method).length;

  describe("whose answer to a conditional write was lost", () => {
    it("counts its own write as won", async () => {
      fault({ method: "PUT", what: "after" });
      const created = await store.put("a", bytesOf("one"), { ifNoneMatch: true });
      expect(created).to.deep.equal({ ok: true, etag: await etagAt("a") });
      fault({ method: "PUT", what: "after" });
      const replaced = await store.put("a", bytesOf("two"), { ifMatch: created.ok ? created.etag : "" });
      expect(replaced).to.deep.equal({ ok: true, etag: await etagAt("a") });
      expect(await textAt("a")).to.equal("two");
    });

    it("writes once more when it had not been carried out", async () => {
      fault({ method: "PUT", what: "before" });
      expect((await store.put("a", bytesOf("one"), { ifNoneMatch: true })).ok).to.equal(true);
      expect(await textAt("a")).to.equal("one");
    });

    it("counts another's write as lost, even one of the very same bytes", async () => {
      const meanwhile = (condition: Parameters<ObjectStore["put"]>[2]) => () => rival.put("a", bytesOf("one"), condition);
      fault({ method: "PUT", what: "before", meanwhile: meanwhile({ ifNoneMatch: true }) });
      expect(await store.put("a", bytesOf("one"), { ifNoneMatch: true })).to.deep.equal({ ok: false });

      await store.put("a", bytesOf("zero"));
      const etag = await etagAt("a");
      fault({ method: "PUT", what: "before", meanwhile: meanwhile({ ifMatch: etag }) });
      expect(await store.put("a", bytesOf("one"), { ifMatch: etag })).to.deep.equal({ ok: false });
    });

    it("says that it cannot tell, when another has written since", async () => {
      let times = 0;
      const overtake = async (): Promise<void> => {
        times += 1;
        await rival.put("a", bytesOf(`theirs ${times}`), { ifMatch: await etagAt("a") });
      };
      fault({ method: "PUT", what: "after", meanwhile: overtake });
      const error = await errorOf(store.put("a", bytesOf("ours"), { ifNoneMatch: true }));
      expect(error).to.be.instanceOf(OutcomeUnknown);

      const etag = await etagAt("a");
      fault({ method: "PUT", what: "after", meanwhile: overtake });
      expect(await errorOf(store.put("a", bytesOf("ours"), { ifMatch: etag }))).to.be.instanceOf(OutcomeUnknown);

      fault({ method: "PUT", what: "after", meanwhile: () => rival.remove("a") });
      expect(await errorOf(store.put("a", bytesOf("ours"), { ifMatch: await etagAt("a") }))).to.be.instanceOf(OutcomeUnknown);
    });

    it("finds its write also when every answer was lost", async () => {
      fault({ method: "PUT", what: "after", times: 5 });
      expect((await store.put("a", bytesOf("one"), { ifNoneMatch: true })).ok).to.equal(true);
      expect(sent("PUT")).to.equal(5);
    });

    it("has no doubt about a write that was turned away at the door", async () => {
      await store.put("a", bytesOf("theirs"));
      fault({ method: "PUT", what: { status: 503, code: "SlowDown" }, times: 2 });
      expect(await store.put("a", bytesOf("ours"), { ifNoneMatch: true })).to.deep.equal({ ok: false });
      expect(sent("HEAD")).to.equal(0);
    });

    it("claims nothing when no try got through", async () => {
      fault({ method: "PUT", what: "before", times: 5 });
      expect(await errorOf(store.put("a", bytesOf("one"), { ifNoneMatch: true }))).to.be.instanceOf(ObjectStoreUnavailable);
      expect(double.objects.size).to.equal(0);
    });

    it("keeps an honest count whatever happens", async () => {
      await store.put("count", bytesOf("0"));
      fault({ what: "before", share: 0.1, times: Number.POSITIVE_INFINITY });
      fault({ what: "after", share: 0.15, times: Number.POSITIVE_INFINITY });
      fault({ method: "PUT", what: { status: 409, code: "ConditionalRequestConflict" }, share: 0.1, times: Number.POSITIVE_INFINITY });
      let won = 0;
      let unknown = 0;
      const countUp = async (): Promise<void> => {
        for (let tries = 0; tries < 40; tries += 1) {
          try {
            const found = await store.get("count");
            const next = String(Number(new TextDecoder().decode(found?.bytes)) + 1);
            if ((await store.put("count", bytesOf(next), { ifMatch: found?.etag ?? "" })).ok) won += 1;
          } catch (error) {
            if (!(error instanceof ObjectStoreUnavailable)) throw error;
            unknown += 1;
          }
        }
      };
      await Promise.all([countUp(), countUp(), countUp()]);
      double.faults.length = 0;
      const counted = Number(await textAt("count"));
      expect(won).to.be.above(20);
      expect(counted).to.be.within(won, won + unknown);
    });
  });

  it("retries what the store puts off, and no longer than it should", async () => {
    await store.put("a", bytesOf("one"));
    for (const status of [500, 503, 429]) {
      double.requests.length = 0;
      fault({ what: { status }, times: 4 });
      expect(await textAt("a"), String(status)).to.equal("one");
      expect(sent("GET")).to.equal(5);
    }
    fault({ what: { status: 400, code: "RequestTimeout" } });
    expect((await store.put("a", bytesOf("two"))).ok).to.equal(true);
    fault({ what: "before", times: 4 });
    expect(await Array.fromAsync(store.list(""))).to.deep.equal(["a"]);
    fault({ what: "after", times: 4 });
    await store.remove("a");
    expect(double.objects.size).to.equal(0);

    double.requests.length = 0;
    fault({ what: { status: 503, code: "SlowDown" }, times: 6 });
    expect(await errorOf(store.get("a")))
      .to.be.instanceOf(ObjectStoreUnavailable)
      .with.property("message")
      .that.contains("SlowDown");
    expect(sent("GET")).to.equal(5);
  });

  it("writes again when two conditional writes met, and then tells the truth", async () => {
    const conflict = { status: 409, code: "ConditionalRequestConflict" };
    fault({ method: "PUT", what: conflict, times: 2 });
    expect((await store.put("a", bytesOf("one"), { ifNoneMatch: true })).ok).to.equal(true);
    fault({ method: "PUT", what: conflict, meanwhile: () => rival.put("b", bytesOf("theirs")) });
    expect(await store.put("b", bytesOf("ours"), { ifNoneMatch: true })).to.deep.equal({ ok: false });
    fault({ method: "PUT", what: conflict, times: 5 });
    expect(await errorOf(store.put("c", bytesOf("one"), { ifNoneMatch: true }))).to.be.instanceOf(ObjectStoreUnavailable);
  });

  it("says what is wrong when the store does not want it, and asks once only", async () => {
    const refusals: [Partial<S3Settings>, string][] = [
      [{ secretAccessKey: "wrong" }, "S3_SECRET_ACCESS_KEY"],
      [{ accessKeyId: "wrong" }, "S3_ACCESS_KEY_ID"],
      [{ region: "mars-1" }, "S3_REGION"],
      [{ bucket: "no-such-bucket" }, "S3_BUCKET"],
    ];
    for (const [settings, advice] of refusals) {
      const wrong = open({ settings });
      double.requests.length = 0;
      const calls = [
        () => wrong.get("a"),
        () => wrong.put("a", bytesOf("a")),
        () => wrong.put("a", bytesOf("a"), { ifMatch: "etag" }),
        () => wrong.remove("a"),
        () => wrong.stream("a"),
        () => Array.fromAsync(wrong.list("")),
      ];
      for (const call of calls)
        expect(await errorOf(call()), advice)
          .to.be.instanceOf(ObjectStoreRefused)
          .with.property("message")
          .that.contains(advice);
      expect(double.requests).to.have.length(6);
    }
  });

  it("says when nobody is there", async () => {
    const { endpoint } = double;
    await double.close();
    expect(await errorOf(store.get("a")), endpoint).to.be.instanceOf(ObjectStoreUnavailable);
    double = await startS3Double();
  });

  describe("reading", () => {
    const long = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 253));
    beforeEach(async () => {
      await store.put("long", long);
    });
    const streamed = async (range?: { start: number; end?: number }): Promise<Buffer> =>
      Buffer.concat(await Array.fromAsync((await store.stream("long", range))?.stream ?? []));

    it("reads again what broke off, and never gives half an object", async () => {
      fault({ method: "GET", what: "cut", times: 3 });
      expect(long.equals((await store.get("long"))?.bytes ?? new Uint8Array())).to.equal(true);
      fault({ method: "GET", what: "cut", times: 5 });
      expect(await errorOf(store.get("long"))).to.be.instanceOf(ObjectStoreUnavailable);
    });

    it("takes a broken stream up where it broke", async () => {
      fault({ method: "GET", what: "cut", times: 7 });
      expect(long.equals(await streamed())).to.equal(true);
      fault({ method: "GET", what: "cut", times: 2 });
      expect(long.subarray(1_000, 200_001).equals(await streamed({ start: 1_000, end: 200_000 }))).to.equal(true);
    });

    it("does not go on with another object's bytes", async () => {
      fault({ method: "GET", what: "cut" });
      const half = await store.stream("long");
      await rival.put("long", Buffer.alloc(long.length));
      expect(await errorOf(Array.fromAsync(half?.stream ?? [])))
        .to.be.instanceOf(ObjectStoreUnavailable)
        .with.property("message")
        .that.contains("replaced");
    });

    it("gives up a store that falls silent, and asks again", async () => {
      const impatient = open({ options: { idleMs: 500 } });
      fault({ what: "silent", times: 2 });
      expect((await impatient.get("long"))?.bytes.length).to.equal(long.length);
      fault({ method: "PUT", what: "silent" });
      expect((await impatient.put("b", bytesOf("b"), { ifNoneMatch: true })).ok).to.equal(true);
    });

    it("does not ask one again and again that stays silent, while somebody waits", async () => {
      const impatient = open({ options: { idleMs: 300, triesWithinMs: 200 } });
      double.requests.length = 0;
      fault({ what: "silent", times: 5 });
      expect(await errorOf(impatient.get("long"))).to.be.instanceOf(ObjectStoreUnavailable);
      fault({ method: "PUT", what: "silent", times: 5 });
      expect(await errorOf(impatient.put("b", bytesOf("b")))).to.be.instanceOf(ObjectStoreUnavailable);
      expect([sent("GET"), sent("PUT")]).to.deep.equal([1, 1]);
    });

    it("has patience with a slow reader", async () => {
      const impatient = open({ options: { idleMs: 1_500 } });
      await store.put("longer", Buffer.alloc(8 << 20));
      let length = 0;
      for await (const chunk of (await impatient.stream("longer"))?.stream ?? []) {
        if (length === 0) await pause(2_000);
        length += (chunk as Buffer).length;
      }
      expect(length).to.equal(8 << 20);
      expect(double.requests.filter(({ method }) => method === "GET")).to.have.length(1);
    });

    it("lets go of a connection whose stream nobody reads to its end", async () => {
      await store.put("longer", Buffer.alloc(8 << 20));
      const single = open({ options: { agent: new Agent({ keepAlive: true, maxSockets: 1 }) } });
      (await single.stream("longer"))?.stream.destroy();
      const begun = await single.stream("longer");
      for await (const _ of begun?.stream ?? []) break;
      expect((await single.get("long"))?.bytes.length).to.equal(long.length);
    });

    it("knows the size also for ranges that are none", async () => {
      for (const range of [{ start: 300_000 }, { start: 5, end: 4 }, { start: -1 }])
        expect(await errorOf(store.stream("long", range))).to.include({ name: "RangeNotSatisfiable", size: long.length });
      expect(await store.stream("none", { start: 5, end: 4 })).to.equal(null);
    });
  });

  it("does not upload a large object whose race is lost already", async () => {
    const large = Buffer.alloc(4 << 20);
    // Who waits for its word less long sends the body to a store that is slow to refuse it.
    const patient = open({ options: { continueMs: 60_000 } });
    expect((await patient.put("a", large, { ifNoneMatch: true })).ok).to.equal(true);
    expect((await patient.put("a", large, { ifNoneMatch: true })).ok).to.equal(false);
    expect(double.requests.filter(({ method }) => method === "PUT").map(({ received }) => received)).to.deep.equal([large.length, 0]);
    // The connection the body was owed to is not used again.
    expect((await patient.get("a"))?.bytes.length).to.equal(large.length);
  });

  it("lists over many pages, passing over what is not ours", async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `list/${index}`);
    for (const key of keys) await store.put(key, bytesOf(key));
    const object = { bytes: Buffer.alloc(0), etag: "0", metadata: {} };
    for (const foreign of ["list/", "list/with space", "list/<&>", "list/.hidden"]) double.objects.set(foreign, object);
    expect(await Array.fromAsync(store.list("list/"))).to.deep.equal(keys);
    expect(sent("GET")).to.equal(5);
    expect(await errorOf(Array.fromAsync(store.list("../")))).to.be.instanceOf(TypeError);
  });

  it("addresses the bucket by path or by host name, and stays under its prefix", async () => {
    // Every name leads to the double, as a wildcard in the DNS would.
    const lookup: NonNullable<ConstructorParameters<typeof Agent>[0]>["lookup"] = (_name, options, done) =>
      options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
    const agent = new Agent({ keepAlive: true, lookup });
    const hosted = open({
      settings: { addressing: "virtual-host", prefix: "shared/colloquy/", endpoint: double.endpoint.replace("127.0.0.1", "s3.test") },
      options: { agent },
    });
    double.hostNames.push("s3.test");
    await hosted.put("a", bytesOf("one"), { ifNoneMatch: true });
    await store.put("b", bytesOf("two"));
    expect([...double.objects.keys()]).to.deep.equal(["shared/colloquy/a", "b"]);
    expect(await Array.fromAsync(hosted.list(""))).to.deep.equal(["a"]);
    expect((await hosted.get("a"))?.etag).to.equal(await etagAt("shared/colloquy/a"));
    agent.destroy();
  });
});
