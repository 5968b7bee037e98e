import { expect } from "chai";
import fc from "fast-check";
import { lookAttributes, lookOf, lookText, readLook } from "./look.ts";

describe("a look", () => {
  it("comes back from its cookie as it was chosen", () => {
    const look = lookOf({ theme: "dark", readingSize: "large", motion: "reduced", language: "de" });
    expect(look).to.deep.equal({ theme: "dark", readingSize: "large", motion: "reduced", language: "de" });
    expect(readLook(lookText(look))).to.deep.equal(look);
  });

  it("is as the device has it where nothing, or the device's own, was chosen", () => {
    expect(lookText(lookOf({}))).to.equal("");
    expect(lookOf({ theme: "system", readingSize: "medium", motion: "system", language: "system" })).to.deep.equal({});
    expect(lookOf({ language: "tlh" })).to.deep.equal({});
    expect(readLook(undefined)).to.deep.equal({});
  });

  it("lets nothing through but what it knows, whatever the cookie says", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `theme.${text}~readingSize.large`),
        ),
        (text) => {
          for (const [, value] of lookAttributes(readLook(text)))
            expect([undefined, "light", "dark", "small", "large", "larger", "reduced"]).to.include(value);
        },
      ),
    );
    expect(readLook('theme."><script>~__proto__.x')).to.deep.equal({});
  });
});
