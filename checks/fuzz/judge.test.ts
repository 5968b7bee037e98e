import { expect } from "chai";
import { endOf, judge } from "./judge.ts";
import type { Answered, Sent } from "./send.ts";

const sent: Sent = { method: "POST", path: "/api/ai/ask", headers: {}, bytes: null, transport: "whole" };
const answered: Answered = { status: 200, type: "", retryAfter: undefined, headers: "", body: "", whole: true, ms: 1 };
const wrong = (answer: Partial<Answered>, route = "POST /api/ai/ask"): string | null =>
  judge({ route, sent }, { ...answered, ...answer }, "/var/data-of-colloquy");

describe("an answer to an odd request", () => {
  it("contains no stack trace and no path of the program", () => {
    for (const status of [200, 303, 404])
      for (const shown of [
        { body: "Error: x\n    at read (file:///app/query-api/main.ts:3:9)" },
        { headers: "x-why: query-api/main.ts:3:9" },
        { headers: "location: /var/data-of-colloquy/read-models.db" },
      ])
        expect(wrong({ status, ...shown }), JSON.stringify(shown)).to.contain("shows what is inside");
    expect(wrong({ body: "A lesson on TypeError, node_modules and /tmp/." })).to.equal(null);
  });

  describe("in frames", () => {
    const type = "application/x-ndjson; charset=utf-8";
    const error = JSON.stringify({ schemaVersion: 1, kind: "error", seq: 1, code: "ai_unavailable", title: "No.", retryable: true });
    it("ends once, in what it came to", () => {
      expect(wrong({ type, body: `${error}\n` })).to.equal(null);
      expect(endOf(`${error}\n`)).to.equal("ai_unavailable");
      expect(wrong({ type, body: `${error}\n${error}\n` })).to.contain("do not end once");
      const status = JSON.stringify({ schemaVersion: 1, kind: "status", seq: 1, phase: "retrieving", elapsedMs: 1 });
      expect(wrong({ type, body: `${status}\n` })).to.contain("do not end once");
    });
    it("keeps to the form its route promises", () => {
      expect(wrong({ type, body: `${error.replace('"title"', '"stack"')}\n` })).to.contain("not of the form");
      expect(wrong({ type, body: "{\n" })).to.contain("not of the form");
    });
  });

  it("is problem+json when it refuses", () => {
    expect(wrong({ status: 404, type: "text/html", body: "<p>Nothing" })).to.contain("answered 404 as text/html");
    const page: Sent = { ...sent, path: "/courses" };
    const ofPage = (type: string, body: string) =>
      judge({ route: "GET /courses", sent: page }, { ...answered, status: 404, type, body }, "/x");
    expect(ofPage("text/html", "<!doctype html><html><p>Nothing")).to.equal(null);
    expect(ofPage("text/html", "Cannot GET /courses")).to.contain("its page is none");
    expect(ofPage("text/plain", "Nothing")).to.contain("answered 404 as text/plain");
    expect(wrong({ status: 500 })).to.contain("answered 500");
    expect(wrong({ status: 429 })).to.equal("429 without retry-after");
  });
});
