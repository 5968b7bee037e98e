import { pseudonym } from "@colloquy/schemas/audit/requests.ts";
import { expect } from "chai";
import { learnerPseudonyms } from "./pseudonyms.ts";

const secret = "a-secret-of-thirty-two-letters-or-more";

describe("pseudonyms of learners", () => {
  it("are the same for the same account, for other accounts others, and say nothing of the account", () => {
    const of = learnerPseudonyms({ ACCOUNT_SECRET: secret, DATA_DIR: "" });
    const again = learnerPseudonyms({ ACCOUNT_SECRET: secret, DATA_DIR: "" });
    const accounts = Array.from({ length: 5_000 }, (_, index) => `acc_learner${index}`);
    const made = accounts.map(of);
    expect(accounts.map(again)).to.deep.equal(made);
    expect(new Set(made).size).to.equal(accounts.length);
    for (const one of made) expect(pseudonym.safeParse(one).success, one).to.equal(true);
  });

  it("are others under another key, so that nobody can make them from account ids", () => {
    const other = learnerPseudonyms({ ACCOUNT_SECRET: `${secret}-2`, DATA_DIR: "" });
    expect(other("acc_mira0001")).not.to.equal(learnerPseudonyms({ ACCOUNT_SECRET: secret, DATA_DIR: "" })("acc_mira0001"));
  });
});
