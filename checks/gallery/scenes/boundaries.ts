import { createHash } from "node:crypto";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { worksOffline } from "../../../journeys/kept.ts";
import { learnerOf } from "../accounts.ts";
import { once, type Scene, type Stage } from "../scene.ts";

const at = (path: string) => (stage: Stage) => stage.go(path);
const refused = /Failed to load resource|net::ERR_/;
const visitor = learnerOf("visitor");
const topic = "/courses/linear-maps/directions-that-stay/eigenvectors";

/** The address at which an assistant asks to be let in. */
async function leave({ program }: Stage): Promise<string> {
  const callback = "http://127.0.0.1:9/callback";
  const registered = await fetch(`${program.url}/oidc/reg`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "An assistant with a rather long name",
      redirect_uris: [callback],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: callback,
    scope: "sources:read tutor:read tutor:write",
    state: "state-1",
    code_challenge: createHash("sha256").update("v".repeat(43)).digest("base64url"),
    code_challenge_method: "S256",
  });
  return `/oidc/auth?${query}`;
}
const takeCoursesAway = once(async ({ program }) => renameSync(join(program.dataDir, "objects"), join(program.dataDir, "taken-away")));

/** Doors, and what stands where there is none. */
export const boundaryScenes: readonly Scene[] = [
  { page: "sign-in", state: "with demo accounts", show: at(`/sign-in?return=${encodeURIComponent(topic)}`) },
  {
    page: "consent",
    state: "an assistant asks",
    async show(stage) {
      await stage.go("/auth/demo?as=learner2&return=/courses");
      await stage.go(await leave(stage));
      await stage.page.locator("input[name=scope]").first().waitFor();
    },
  },
  {
    page: "consent",
    state: "nobody signed in",
    async show(stage) {
      await stage.go(await leave(stage));
      await stage.page.locator("main").waitFor();
    },
  },
  { page: "not found", state: "no such page", allows: refused, show: at("/nowhere") },
  { page: "not found", state: "no such topic", allows: refused, show: at("/courses/linear-maps/eigenvektoren") },
  { page: "not found", state: "no such course", allows: refused, show: at("/courses/nowhere") },
  { page: "no permission", state: "audit, as a learner", as: visitor, allows: refused, show: at("/audit") },
  {
    page: "server error",
    state: "courses cannot be read",
    at: "broken",
    allows: refused,
    prepare: takeCoursesAway,
    show: at(topic),
  },
  {
    page: "server error",
    state: "a part restarts",
    at: "bare",
    // It comes back by itself.
    allows: /Failed to load resource|net::ERR_|meta-refresh/,
    async show(stage) {
      const { program, page } = stage;
      await program.ready();
      program.kill("query-api/main.ts");
      await stage.go("/courses");
      // It would come back by itself while it is looked at.
      await page.route("**/courses", (route) => route.fulfill({ status: 204 }));
      await page.locator("meta[http-equiv=refresh]").waitFor({ state: "attached", timeout: 5_000 });
    },
  },
  {
    page: "offline",
    state: "a page that is not kept",
    as: visitor,
    allows: refused,
    async show(stage) {
      const { page, context } = stage;
      await stage.go(topic);
      await worksOffline(page);
      await stage.go("/courses/linear-maps");
      await context.setOffline(true);
      await stage.go("/courses/learning-to-learn");
      await page.locator("section.kept:not([hidden]) li").first().waitFor();
    },
  },
  { page: "offline", state: "nothing kept", show: at("/offline") },
  { page: "developers", state: "reference", show: at("/developers") },
  { page: "embed", state: "reference", show: at("/embed") },
  {
    page: "embed",
    state: "try, nobody signed in",
    async show(stage) {
      await stage.go("/embed/try");
      await stage.page.locator("colloquy-ask").first().waitFor();
    },
  },
  {
    page: "embed",
    state: "try, signed in",
    as: visitor,
    async show(stage) {
      await stage.go("/embed/try");
      await stage.page.locator("colloquy-ask").first().waitFor();
    },
  },
  {
    page: "embed",
    state: "sign-in refused",
    allows: refused,
    show: at("/embed/sign-in?origin=https%3A%2F%2Felsewhere.example&nonce=0123456789abcdef"),
  },
];
