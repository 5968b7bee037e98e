import type { Role } from "@colloquy/schemas/accounts/account.ts";
import { routes } from "@colloquy/schemas/openapi/routes.ts";
import { expect } from "chai";
import type { Request, Response } from "express";
import { ProblemError } from "../http/problem.ts";
import { refuseWhoOnlyReads } from "./readers-only.ts";

/** The code a request is refused with; null when it goes on. */
function refusal(method: string, path: string, roles: Role[], body: object = {}): string | null {
  const request = { method, path, body, account: { accountId: "acc_nils0001", name: "Nils", roles } };
  try {
    refuseWhoOnlyReads(request as unknown as Request, {} as Response, () => {});
    return null;
  } catch (error) {
    return error instanceof ProblemError ? error.code : "another";
  }
}

const all = Object.values(routes)
  .flat()
  .map(({ method, path }) => ({ method: method.toUpperCase(), path }));
const mutations = all.filter(({ method }) => method !== "GET");
const open = ["/auth/sign-out", "/api/ai/assistants"];

describe("an auditor who is no learner", () => {
  it("writes nothing, at any route that changes something", () => {
    expect(mutations.length).to.be.above(9);
    for (const { method, path } of mutations)
      expect(refusal(method, path, ["auditor"]), path).to.equal(open.includes(path) ? null : "not_allowed");
    expect(refusal("POST", "/API/ai/tutor/start/", ["auditor"])).to.equal("not_allowed");
  });

  it("reads everything as before", () => {
    for (const { method, path } of all.filter((route) => route.method === "GET"))
      expect(refusal(method, path, ["auditor"]), path).to.equal(null);
  });

  it("keeps preferences, and nothing beside them", () => {
    const push = (...domains: string[]) =>
      refusal("POST", "/api/sync/push", ["auditor"], { changes: domains.map((domain) => ({ domain })) });
    expect(push("preferences", "preferences")).to.equal(null);
    expect(push("preferences", "conversation")).to.equal("not_allowed");
  });

  it("who learns as well, or owns courses, does what those may", () => {
    for (const { method, path } of mutations)
      for (const roles of [["learner", "auditor"], ["owner", "auditor"], ["learner"]] satisfies Role[][])
        expect(refusal(method, path, roles), path).to.equal(null);
  });
});
