import { expect } from "chai";
import { createLog } from "./log.ts";

const canary = "canary7secret";

describe("the log", () => {
  const logged = (fields: object): string => {
    const lines: string[] = [];
    createLog("test", { LOG_LEVEL: "info" }, { write: (line) => lines.push(line) }).error(fields, "failed");
    return lines.join("");
  };

  it("says of an error what it is, where it was thrown and what caused it", () => {
    const cause = Object.assign(new Error("the cause"), { code: "ECONNREFUSED" });
    const line = JSON.parse(logged({ err: new TypeError("the error", { cause }) }));
    expect(line.err).to.include({ type: "TypeError", message: "the error" });
    expect(line.err.stack).to.include("log.test.ts");
    expect(line.err.cause).to.include({ message: "the cause", code: "ECONNREFUSED" });
  });

  it("leaves out what an error quotes of rows, queries and addresses, at any depth", () => {
    const quoting = () =>
      Object.assign(new Error("null value in a column"), {
        code: "23502",
        table: "turns",
        detail: `Failing row contains (${canary})`,
        where: canary,
        hint: canary,
        internalQuery: canary,
        connectionString: `esdb://admin:${canary}@host`,
        response: { body: canary },
      });
    for (const err of [
      quoting(),
      new Error("outer", { cause: new Error("inner", { cause: quoting() }) }),
      new AggregateError([quoting()], "all of them"),
    ]) {
      const line = logged({ err });
      expect(line).to.include("23502").and.include("null value in a column");
      expect(line).to.not.include(canary);
    }
  });

  it("censors what signs somebody in", () => {
    const request = { headers: { authorization: canary, cookie: canary } };
    expect(logged({ req: request, provider: { apiKey: canary }, apiKey: canary })).to.not.include(canary);
  });
});
