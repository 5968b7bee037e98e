import { openingCookie, opensOtherwise } from "@colloquy/schemas/pages/opening-cookie.ts";
import { expect } from "chai";
import { beginsEmpty } from "./opening.ts";

describe("opening of an empty conversation", () => {
  const mira = { accountId: "acc_mira0001", name: "Mira", roles: ["learner" as const] };
  const at = (originalUrl: string, account: typeof mira | null = mira, cookie = "") =>
    beginsEmpty({ originalUrl, account, headers: { cookie } });

  it("is shown when signed in, at the bare address, unless the cookie objects", () => {
    expect(at("/ai")).to.equal(true);
    expect(at("/ai", null), "a visitor").to.equal(false);
    expect(at("/ai?conversation=conversation-0001")).to.equal(false);
    expect(at("/ai?page=%2Fcourses%2Flinear-maps")).to.equal(false);
    expect(at("/ai", mira, `colloquy-look=x; ${openingCookie}=${opensOtherwise}`)).to.equal(false);
    expect(at("/ai", mira, "colloquy-look=x")).to.equal(true);
  });
});
