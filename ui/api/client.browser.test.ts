import { expect } from "chai";
import { createApi } from "./client.ts";
import { RequestFailed } from "./problems.ts";
import { uuidv7 } from "./uuid.ts";

const answering = (body: object, init: ResponseInit = {}) => {
  const calls: { path: string; init: RequestInit | undefined }[] = [];
  const fetch = async (path: string, given?: RequestInit) => {
    calls.push({ path, init: given });
    return new Response(JSON.stringify(body), init);
  };
  return { api: createApi(fetch), calls };
};

describe("the client", () => {
  it("sends mutations as versioned JSON", async () => {
    const { api, calls } = answering({ schemaVersion: 1, results: [], position: "4" });
    await api.push("device-01", []);
    expect(calls[0]?.path).to.equal("/api/sync/push");
    expect(calls[0]?.init?.method).to.equal("POST");
    expect(new Headers(calls[0]?.init?.headers).get("content-type")).to.equal("application/json");
    expect(new Headers(calls[0]?.init?.headers).get("x-request-id")).to.match(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(String(calls[0]?.init?.body))).to.deep.equal({ schemaVersion: 1, deviceId: "device-01", changes: [] });
  });

  it("encodes queries", async () => {
    const { api, calls } = answering({ schemaVersion: 1, references: [] });
    await api.references("a & b=c");
    expect(new URL(calls[0]?.path ?? "", "http://x.test").searchParams.get("q")).to.equal("a & b=c");
  });

  it('returns null for "not found" and throws other problems', async () => {
    const problem = (code: string, status: number) => ({
      body: { schemaVersion: 1, status, code, title: "Words.", requestId: "r", retryable: false },
      init: { status, headers: { "content-type": "application/problem+json" } },
    });
    const missing = problem("not_found", 404);
    expect(await answering(missing.body, missing.init).api.conversation("conversation-1")).to.equal(null);
    expect(await answering(missing.body, missing.init).api.source("/courses/x")).to.equal(null);
    const refused = problem("sign_in_required", 401);
    const error = await answering(refused.body, refused.init)
      .api.conversation("conversation-1")
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(RequestFailed);
    expect((error as RequestFailed).problem).to.include({ code: "sign_in_required", title: "Words." });
  });

  it("reports a body that is not JSON", async () => {
    const api = createApi(async () => new Response("<html>"));
    expect(await api.models().catch((thrown: unknown) => thrown)).to.be.instanceOf(RequestFailed);
  });
});

describe("ids", () => {
  it("are UUIDv7 and sort by time, also when the clock goes back", () => {
    const ids = Array.from({ length: 6_000 }, (_, index) => uuidv7(index < 5_000 ? 1_700_000_000_000 : 1_600_000_000_000));
    for (const id of ids) expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
