import { expect } from "chai";
import { mostlyReads } from "./direction.ts";

describe("which way a line reads", () => {
  it("is told by most of its letters, not by the label before them", () => {
    expect(mostlyReads("السجل: Know which directions a map leaves alone")).to.equal("ltr");
    expect(mostlyReads("Ledger: ما هو المتجه الذاتي؟")).to.equal("rtl");
    expect(mostlyReads("محادثة جديدة")).to.equal("rtl");
    expect(mostlyReads("Eigenvectors")).to.equal("ltr");
  });

  it("is left open where there are none", () => {
    expect(mostlyReads("1 + 1")).to.equal("auto");
    expect(mostlyReads("")).to.equal("auto");
  });
});
