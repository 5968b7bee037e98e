import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { expect } from "chai";
import { clientProblem, RequestFailed } from "../api/problems.ts";
import { currentAccount } from "./current-account.ts";
import { rememberAccount, rememberedAccount } from "./last-account.ts";

const mira: Account = { accountId: "acc_mira0000", name: "Mira", roles: ["learner"] };
const { signal } = new AbortController();

describe("the current account", () => {
  let actsFor: string[] = [];
  const api = (me: () => Promise<Account | null>) => ({ me, setAccount: (id: string) => void actsFor.push(id) });
  const failing = (status: number) => async (): Promise<never> => {
    throw new RequestFailed(clientProblem("unavailable", { status }));
  };
  beforeEach(() => {
    actsFor = [];
    rememberAccount(null);
  });
  after(() => rememberAccount(null));

  it("is the service's answer, which is remembered", async () => {
    expect(
      await currentAccount(
        api(async () => mira),
        signal,
      ),
    ).to.deep.equal(mira);
    expect(rememberedAccount()).to.deep.equal(mira);
    expect(
      await currentAccount(
        api(async () => null),
        signal,
      ),
    ).to.equal(null);
    expect(rememberedAccount()).to.equal(null);
  });

  it("is the remembered one without a service, and requests act for it", async () => {
    rememberAccount(mira);
    for (const status of [0, 503]) expect(await currentAccount(api(failing(status)), signal)).to.deep.equal(mira);
    expect(actsFor).to.deep.equal([mira.accountId, mira.accountId]);
  });

  it("is the remembered one if the service is slow", async () => {
    rememberAccount(mira);
    expect(
      await currentAccount(
        api(() => new Promise(() => undefined)),
        signal,
      ),
    ).to.deep.equal(mira);
    expect(actsFor).to.deep.equal([mira.accountId]);
  });

  it("fails if none is remembered or the service refuses", async () => {
    const failure = async (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: unknown) => error,
      );
    expect(await failure(currentAccount(api(failing(0)), signal))).to.be.instanceOf(RequestFailed);
    rememberAccount(mira);
    expect(await failure(currentAccount(api(failing(403)), signal))).to.be.instanceOf(RequestFailed);
    expect(actsFor).to.deep.equal([]);
  });
});
