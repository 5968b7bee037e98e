import { expect } from "chai";
import { textDirection } from "./direction.ts";

describe("which way a line reads", () => {
  it("is told by most of its letters, not by the label before them", () => {
    expect(textDirection("السجل: Know which directions a map leaves alone")).to.equal("ltr");
    expect(textDirection("Ledger: ما هو المتجه الذاتي؟")).to.equal("rtl");
    expect(textDirection("محادثة جديدة")).to.equal("rtl");
    expect(textDirection("Eigenvectors")).to.equal("ltr");
  });

  it("is left open where there are none", () => {
    expect(textDirection("1 + 1")).to.equal("auto");
    expect(textDirection("")).to.equal("auto");
  });
});
