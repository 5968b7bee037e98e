import type { EmbedMessage } from "@colloquy/schemas/embed/embed.ts";
import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import { Connection } from "./connection.ts";
import { type Answer, beginStage, endStage, service, signedIn } from "./testing/stage.ts";

describe("a page's connection to its service", () => {
  beforeEach(beginStage);
  afterEach(endStage);

  async function connected(answer: Answer, token: Partial<EmbedMessage> = {}) {
    const at = service(answer);
    const connection = new Connection(at.origin);
    await until(() => connection.state === "signed-out", "asked whether it may");
    connection.signIn();
    signedIn(at.origin, token);
    expect(connection.state).to.equal("signed-in");
    return { connection, asked: (path: string) => at.asked.filter((one) => one.path === path) };
  }
  const renewed = (token: string, seconds: number) => ({ schemaVersion: 1, token, seconds });
  const unauthorised = () => Response.json({ schemaVersion: 1, status: 401, code: "sign_in_required", title: "Sign in." }, { status: 401 });

  it("renews tokens on a timer before they expire", async () => {
    let count = 1;
    const began = performance.now();
    const { connection, asked } = await connected(
      ({ path }) => {
        if (path !== "/auth/embed/renew") return undefined;
        count += 1;
        return renewed(`token-${count}`, count === 2 ? 2 : 600);
      },
      { seconds: 2 },
    );
    await until(() => asked("/auth/embed/renew").length === 1, "the first renewal");
    expect(performance.now() - began, "three quarters of its time").to.be.at.least(1_450);
    await until(() => asked("/auth/embed/renew").length === 2, "the second renewal");
    expect(asked("/auth/embed/renew").map(({ authorization }) => authorization)).to.deep.equal(["Bearer token-one", "Bearer token-2"]);
    await until(() => count === 3, "the last token");
    await connection.api.models();
    expect(asked("/api/ai/models").at(-1)?.authorization).to.equal("Bearer token-3");
    expect(connection.state).to.equal("signed-in");
  });

  it("is signed out when renewal is refused", async () => {
    const { connection, asked } = await connected(({ path }) => (path === "/auth/embed/renew" ? unauthorised() : undefined), {
      seconds: 0.1,
    });
    await until(() => connection.state === "signed-out", "the renewal was refused");
    await connection.api.models();
    expect(asked("/api/ai/models").at(-1)?.authorization).to.equal(null);
  });

  it("stays signed in while offline, and renews before the next request", async () => {
    let away = true;
    const { connection, asked } = await connected(
      ({ path }) => {
        if (path !== "/auth/embed/renew") return undefined;
        if (away) throw new TypeError("Failed to fetch");
        return renewed("token-two", 600);
      },
      { seconds: 0.1 },
    );
    await until(() => asked("/auth/embed/renew").length === 1, "the timer");
    away = false;
    expect(connection.state).to.equal("signed-in");
    await connection.api.models();
    expect(asked("/api/ai/models").at(-1)?.authorization).to.equal("Bearer token-two");
  });

  it("rejects a token from another site or with another nonce", async () => {
    const at = service();
    const connection = new Connection(at.origin);
    await until(() => connection.state === "signed-out", "asked whether it may");
    connection.signIn();
    signedIn(at.origin, { nonce: "another-nonce-of-nobody" });
    const data = { type: "colloquy-embed-token", nonce: "", token: "stolen", seconds: 600, reader: "x" };
    window.dispatchEvent(new MessageEvent("message", { origin: "https://evil.example", data }));
    expect(connection.state).to.equal("signing-in");
    signedIn(at.origin);
    expect(connection.state).to.equal("signed-in");
  });
});
