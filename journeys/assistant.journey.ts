import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { openBrowser, openVisitor } from "./browser.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

/** What an assistant is before it may do anything: an address that codes come back to. */
describe("a signed-in learner connects an assistant", () => {
  let program: SharedProgram;
  let browser: Browser;
  let assistant: Server;
  const arrived: string[] = [];
  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
    assistant = createServer((request, response) => {
      if (request.url?.startsWith("/callback")) arrived.push(request.url);
      response.setHeader("content-type", "text/html").end("<h1>Back at the assistant</h1>");
    });
    await new Promise<void>((resolve) => assistant.listen(0, "127.0.0.1", resolve));
  });
  after(async () => {
    assistant?.close();
    await browser?.close();
    await program?.stop();
  });

  it("asks once for consent and returns with a code, with a service worker", async () => {
    const callback = `http://127.0.0.1:${(assistant.address() as AddressInfo).port}/callback`;
    const registered = await fetch(`${program.url}/oidc/reg`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "A stranger", redirect_uris: [callback], token_endpoint_auth_method: "none" }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const leave = new URL(`${program.url}/oidc/auth`);
    leave.search = String(
      new URLSearchParams({
        response_type: "code",
        client_id,
        redirect_uri: callback,
        scope: "sources:read tutor:read",
        state: "state-1",
        code_challenge: createHash("sha256").update("v".repeat(43)).digest("base64url"),
        code_challenge_method: "S256",
      }),
    );
    const { page } = await openVisitor(browser);
    await page.goto(`${program.url}/auth/demo?as=learner2&return=/ai`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    for (let round = 1; round <= 3; round += 1) {
      await page.goto(leave.href);
      await page.getByRole("heading", { name: "Connect an assistant?" }).waitFor();
      expect(await page.locator("main").innerText()).to.contain("on behalf of Tomas");
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByRole("heading", { name: "Back at the assistant" }).waitFor();
      const back = new URLSearchParams(arrived.at(-1)?.split("?")[1]);
      expect(back.get("code")).to.be.a("string");
      expect([back.get("state"), arrived.length]).to.deep.equal(["state-1", round]);
    }
  });
});
