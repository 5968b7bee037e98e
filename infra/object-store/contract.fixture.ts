import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { openObjectStore, probeConditionalWrites } from "./open.ts";
import { type ObjectStore, RangeNotSatisfiable } from "./store.ts";

const run = promisify(execFile);
const writer = fileURLToPath(new URL("./contract-writer.fixture.ts", import.meta.url));

const mover = fileURLToPath(new URL("./contract-mover.fixture.ts", import.meta.url));

/** A child gets what selects the store under test, and nothing that selects another. */
function childEnvironment(given: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("S3_"));
  return { ...Object.fromEntries(inherited), ...given };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function keysUnder(store: ObjectStore, prefix: string): Promise<string[]> {
  return Array.fromAsync(store.list(prefix));
}

async function etagFrom(write: ReturnType<ObjectStore["put"]>): Promise<string> {
  const result = await write;
  if (!result.ok) throw new Error("The write was refused");
  return result.etag;
}

/**
 * What every object store must do, as mocha tests.
 * @param setUp gives the environment variables that select an empty store, and clears up after the tests.
 */
export function objectStoreContract(
  name: string,
  setUp: () => Promise<{ environment: Record<string, string>; tearDown(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of an object store`, () => {
    let given: Awaited<ReturnType<typeof setUp>>;
    let store: ObjectStore;
    before(async () => {
      given = await setUp();
      store = openObjectStore(readConfig(given.environment));
    });
    after(() => given.tearDown());
    const freshKey = (): string => `contract/${randomUUID()}`;

    it("gives back what was put, and null for what was not", async () => {
      const key = freshKey();
      expect(await store.get(key)).to.equal(null);
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
      const etag = await etagFrom(store.put(key, bytes));
      const found = await store.get(key);
      expect(found?.etag).to.equal(etag);
      expect(Buffer.from(found?.bytes ?? []).equals(Buffer.from(bytes))).to.equal(true);
      await store.remove(key);
      await store.remove(key);
      expect(await store.get(key)).to.equal(null);
    });

    it("keeps an empty object", async () => {
      const key = freshKey();
      await store.put(key, new Uint8Array());
      expect((await store.get(key))?.bytes.length).to.equal(0);
      const streamed = await store.stream(key);
      expect(streamed?.size).to.equal(0);
      expect(Buffer.concat(await Array.fromAsync(streamed?.stream ?? [])).length).to.equal(0);
    });

    it("creates once", async () => {
      const key = freshKey();
      expect((await store.put(key, bytesOf("one"), { ifNoneMatch: true })).ok).to.equal(true);
      expect((await store.put(key, bytesOf("two"), { ifNoneMatch: true })).ok).to.equal(false);
      expect(textOf((await store.get(key))?.bytes ?? new Uint8Array())).to.equal("one");
    });

    it("replaces only what is still as it was read", async () => {
      const key = freshKey();
      expect((await store.put(key, bytesOf("x"), { ifMatch: "0".repeat(64) })).ok, "nothing to replace").to.equal(false);
      expect(await store.get(key)).to.equal(null);
      const first = await etagFrom(store.put(key, bytesOf("one")));
      const second = await etagFrom(store.put(key, bytesOf("two"), { ifMatch: first }));
      expect((await store.put(key, bytesOf("late"), { ifMatch: first })).ok, "a stale etag").to.equal(false);
      expect((await store.get(key))?.etag).to.equal(second);
    });

    it("honours conditions by its own probe, which leaves nothing behind", async () => {
      await probeConditionalWrites(store);
      expect(await keysUnder(store, "probes/")).to.deep.equal([]);
    });

    it("lets exactly one of many writers create, and one replace", async () => {
      const key = freshKey();
      const created = await Promise.all(
        Array.from({ length: 24 }, (_, index) => store.put(key, bytesOf(`w${index}`), { ifNoneMatch: true })),
      );
      expect(created.filter((result) => result.ok)).to.have.length(1);
      const etag = (await store.get(key))?.etag ?? "";
      const replaced = await Promise.all(Array.from({ length: 24 }, (_, index) => store.put(key, bytesOf(`r${index}`), { ifMatch: etag })));
      expect(replaced.filter((result) => result.ok)).to.have.length(1);
    });

    it("takes and gives a large object without holding it a second time", async () => {
      const key = freshKey();
      const size = 64 << 20;
      const measure = async (what: string): Promise<{ grownBy: number; sha256: string }> => {
        const { stdout } = await run(process.execPath, ["--expose-gc", mover, what, key, String(size)], {
          env: childEnvironment(given.environment),
        });
        return JSON.parse(stdout) as { grownBy: number; sha256: string };
      };
      const put = await measure("put");
      const streamed = await measure("stream");
      expect(streamed.sha256).to.equal(put.sha256);
      // Whoever copies it or gathers it grows by all of it.
      expect(put.grownBy, "memory beside the object that is put").to.be.below(size / 4);
      expect(streamed.grownBy, "memory of a stream").to.be.below(size / 4);
      await store.remove(key);
    }).timeout(300_000);

    it("loses no update between processes", async () => {
      const key = freshKey();
      const [processes, increments] = [4, 15];
      const environment = childEnvironment(given.environment);
      const outputs = await Promise.all(
        Array.from({ length: processes }, () => run(process.execPath, [writer, key, String(increments)], { env: environment })),
      );
      const creators = outputs.filter(({ stdout }) => stdout.includes("created"));
      expect(creators, "processes that created the counter").to.have.length(1);
      expect(textOf((await store.get(key))?.bytes ?? new Uint8Array())).to.equal(String(processes * increments));
    }).timeout(120_000);

    it("shows a reader a whole object while writers replace it", async () => {
      const key = freshKey();
      const versions = ["a", "b", "c"].map((letter) => bytesOf(letter.repeat(200_000)));
      await store.put(key, versions[0] ?? new Uint8Array());
      let writing = true;
      const writers = (async () => {
        for (let round = 0; round < 10; round += 1) for (const version of versions) await store.put(key, version);
        writing = false;
      })();
      while (writing) {
        const text = textOf((await store.get(key))?.bytes ?? new Uint8Array());
        expect(text).to.equal((text[0] ?? "").repeat(200_000));
      }
      await writers;
    });

    it("lists by prefix, in order, also within a segment", async () => {
      const folder = freshKey();
      const keys = [`${folder}/b/two`, `${folder}/a`, `${folder}/b/One`, `${folder}/bb`];
      for (const key of keys) await store.put(key, bytesOf(key));
      expect(await keysUnder(store, `${folder}/`)).to.have.members(keys);
      expect(await keysUnder(store, `${folder}/b`)).to.have.members(keys.filter((key) => !key.endsWith("/a")));
      expect(await keysUnder(store, `${folder}/b/`)).to.deep.equal([`${folder}/b/One`, `${folder}/b/two`]);
      expect(await keysUnder(store, `${folder}/none`)).to.deep.equal([]);
    });

    it("streams whole objects and ranges", async () => {
      const key = freshKey();
      await store.put(key, bytesOf("0123456789"));
      const read = async (range?: { start: number; end?: number }) => {
        const found = await store.stream(key, range);
        return (
          found && {
            text: Buffer.concat(await Array.fromAsync(found.stream)).toString(),
            size: found.size,
            start: found.start,
            end: found.end,
          }
        );
      };
      expect(await read()).to.deep.equal({ text: "0123456789", size: 10, start: 0, end: 9 });
      expect(await read({ start: 2, end: 4 })).to.deep.equal({ text: "234", size: 10, start: 2, end: 4 });
      expect(await read({ start: 7, end: 400 })).to.deep.equal({ text: "789", size: 10, start: 7, end: 9 });
      expect(await store.stream(`${key}-none`)).to.equal(null);
      const refused = await store.stream(key, { start: 10 }).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(RangeNotSatisfiable);
    });

    it("refuses keys that could leave the store", async () => {
      for (const key of ["", "/etc/passwd", "a/../b", "..", "a//b", "a/", ".lock.db", "a\\b", "a b", "ä", `a/${"x".repeat(300)}`]) {
        const refused = await store.put(key, bytesOf("x")).catch((error: unknown) => error);
        expect(refused, key).to.be.instanceOf(TypeError);
        expect(await store.get(key).catch((error: unknown) => error), key).to.be.instanceOf(TypeError);
      }
    });

    it("tells keys apart that differ in capitals only", async () => {
      const key = freshKey();
      await store.put(`${key}/Course`, bytesOf("upper"));
      await store.put(`${key}/course`, bytesOf("lower"));
      expect(textOf((await store.get(`${key}/Course`))?.bytes ?? new Uint8Array())).to.equal("upper");
      expect(await keysUnder(store, `${key}/`)).to.have.length(2);
    });
  });
}
