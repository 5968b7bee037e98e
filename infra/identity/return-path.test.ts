import { expect } from "chai";
import fc from "fast-check";
import { returnPath } from "./return-path.ts";

describe("the way back after signing in", () => {
  for (const path of ["/", "/ai", "/ai?conversation=0190&x=%2F%2F", "/courses/shell/pipes?mark=a%20b#block-1", "/a//b"])
    it(`may be ${path}`, () => expect(returnPath(path)).to.equal(path));

  for (const bad of [
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "/%2e//evil.example",
    "evil.example",
    "",
    "/auth/login",
    "/auth",
    "/x/../auth/demo?as=owner",
    "/oidc/auth",
    "/api/me",
    `/${"a".repeat(3000)}`,
    undefined,
    ["/ai"],
  ])
    it(`is never ${JSON.stringify(bad)?.slice(0, 40)}`, () => expect(returnPath(bad)).to.equal("/ai"));

  it("always stays on this site, whatever is asked for", () => {
    const pieces = fc.array(fc.constantFrom("/", "\\", ".", "..", "%2f", "%5c", "\t", "\n", "@", ":", "evil.example", "http", "?", "#"), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const path = returnPath(parts.join(""));
        expect(new URL(path, "https://colloquy.example/auth/callback").origin).to.equal("https://colloquy.example");
      }),
      { numRuns: 2_000 },
    );
  });
});
