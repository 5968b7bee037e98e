import { expect } from "chai";
import { courseObjectsCheck, NotWell } from "./dependencies.ts";
import { lastKnown } from "./ready.ts";

describe("readiness on a busy machine", () => {
  const progress = { name: "sync", position: "7", state: "running", failure: null, generation: 1, lagMs: 300 };

  it("given nobody says in time how far read models are, then each is as far behind as it may be by now", async () => {
    let now = 0;
    let busy = false;
    const ask = lastKnown(
      async () => {
        if (busy) throw new Error("nothing came");
        return [progress];
      },
      () => now,
    );
    expect(await ask()).to.deep.equal([progress]);
    [now, busy] = [4_000, true];
    expect(await ask()).to.deep.equal([{ ...progress, lagMs: 4_300 }]);
    now = 11_000;
    expect(await ask()).to.deep.equal([{ ...progress, lagMs: 11_300 }]);
    busy = false;
    expect(await ask()).to.deep.equal([progress]);
  });

  it("given it was never said, then nothing is known", async () => {
    expect(await lastKnown(() => Promise.reject(new Error("nothing came")))()).to.deep.equal([]);
  });

  it("given a look at the courses' objects takes long, then what was found last counts, until something else is found", async () => {
    let look = async (): Promise<void> => undefined;
    const check = courseObjectsCheck(() => look(), 5);
    await check();
    const slow = Promise.withResolvers<void>();
    look = () => slow.promise;
    await check();
    slow.reject(new NotWell("The objects of x are missing."));
    const said = async (): Promise<string> =>
      check().then(
        () => "well",
        (error: Error) => error.message,
      );
    await slow.promise.catch(() => undefined);
    look = () => new Promise(() => undefined);
    expect(await said()).to.equal("The objects of x are missing.");
  });

  it("given the object store does not answer, then that is said of it alone, except at the first look", async () => {
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
