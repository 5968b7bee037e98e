import { expect } from "chai";
import { textDirection } from "./direction.ts";

describe("the direction of a line", () => {
  it("follows most of its letters, not its label", () => {
    expect(textDirection("السجل: Know which directions a map leaves alone")).to.equal("ltr");
    expect(textDirection("Ledger: ما هو المتجه الذاتي؟")).to.equal("rtl");
    expect(textDirection("محادثة جديدة")).to.equal("rtl");
    expect(textDirection("Eigenvectors")).to.equal("ltr");
  });

  it("is automatic without letters", () => {
    expect(textDirection("1 + 1")).to.equal("auto");
    expect(textDirection("")).to.equal("auto");
  });
});
