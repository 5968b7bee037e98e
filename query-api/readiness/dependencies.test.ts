import { expect } from "chai";
import { courseObjectsCheck, UnhealthyError } from "./dependencies.ts";
import { withLastKnown } from "./routes.ts";

describe("readiness on a busy machine", () => {
  const progress = { name: "sync", position: "7", state: "running", failure: null, generation: 1, lagMs: 300 };

  it("adds to the last known lag how long the store has not answered, not since when nobody asked", async () => {
    let now = 0;
    let busy = false;
    const ask = withLastKnown(
      async () => {
        if (busy) throw new Error("nothing came");
        return [progress];
      },
      () => now,
    );
    expect(await ask()).to.deep.equal([progress]);
    [now, busy] = [4_000, true];
    expect(await ask()).to.deep.equal([{ ...progress, lagMs: 300 }]);
    now = 11_000;
    expect(await ask()).to.deep.equal([{ ...progress, lagMs: 7_300 }]);
    busy = false;
    expect(await ask()).to.deep.equal([progress]);
  });

  it("knows no progress before the first answer", async () => {
    expect(await withLastKnown(() => Promise.reject(new Error("nothing came")))()).to.deep.equal([]);
  });

  it("keeps the last result while a check of course objects takes long", async () => {
    let look = async (): Promise<void> => undefined;
    const check = courseObjectsCheck(() => look(), 5);
    await check();
    const slow = Promise.withResolvers<void>();
    look = () => slow.promise;
    await check();
    slow.reject(new UnhealthyError("The objects of x are missing."));
    const said = async (): Promise<string> =>
      check().then(
        () => "well",
        (error: Error) => error.message,
      );
    await slow.promise.catch(() => undefined);
    look = () => new Promise(() => undefined);
    expect(await said()).to.equal("The objects of x are missing.");
  });

  it("reports a silent object store only by its own check, after the first", async () => {
    const away = () => Promise.reject(new Error("the object store is away"));
    let look: () => Promise<void> = away;
    const check = courseObjectsCheck(() => look(), 5);
    const said = async (): Promise<string> =>
      check().then(
        () => "well",
        (error: Error) => error.message,
      );
    expect(await said()).to.equal("the object store is away");
    look = async () => undefined;
    expect(await said()).to.equal("well");
    look = away;
    expect(await said()).to.equal("well");
  });
});
