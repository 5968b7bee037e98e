import { expect } from "chai";
import { type OfflineRoute, offlineRoute } from "./offline.ts";

describe("the way of a request past the browser's worker", () => {
  const cases: [path: string, navigates: boolean, accept: string, route: OfflineRoute][] = [
    ["/ai", true, "text/html", "shell"],
    ["/review", true, "text/html", "shell"],
    ["/reviews", true, "text/html", "unkept"],
    ["/offline", true, "text/html", "shell"],
    ["/", true, "text/html", "page"],
    ["/courses", true, "text/html", "page"],
    ["/courses/linear-maps/what", true, "text/html", "page"],
    ["/courses/linear-maps/what", false, "text/html", "page"],
    ["/courses/linear-maps/what", false, "*/*", null],
    ["/assets/course-1.js", false, "*/*", "asset"],
    ["/icon.svg", false, "image/*", "asset"],
    ["/app.webmanifest", false, "*/*", null],
    ["/icons/app-192.png", false, "image/*", null],
    ["/api/courses/linear-maps/assets/0f", false, "image/*", "picture"],
    ["/api/courses/linear-maps/revision", false, "*/*", null],
    ["/api/courses/linear-maps", false, "text/html", null],
    ["/api/me", false, "application/json", null],
    ["/api/ai/ask", false, "*/*", null],
    ["/auth/login", true, "text/html", null],
    ["/auth/callback", true, "text/html", null],
    ["/oidc/auth", true, "text/html", null],
    ["/embed/sign-in", true, "text/html", null],
    ["/worker.js", false, "*/*", null],
    ["/sign-in", true, "text/html", "unkept"],
    ["/audit", true, "text/html", "unkept"],
    ["/coursesque", true, "text/html", "unkept"],
  ];
  for (const [path, navigates, accept, route] of cases)
    it(`${navigates ? "to" : "for"} ${path} as ${accept}: ${route}`, () =>
      expect(offlineRoute({ path, navigates, accept })).to.equal(route));
});
