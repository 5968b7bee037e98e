import { expect } from "chai";
import { readStages, writeStages } from "./stages.ts";

describe("the times of a render's stages, as a worker tells them", () => {
  it("come as they were told, in the order of the stages", () => {
    const told = writeStages([
      { stage: "encoding", milliseconds: 830.4 },
      { stage: "drawing", milliseconds: 5_210 },
    ]);
    expect(readStages(told)).to.deep.equal([
      { stage: "drawing", milliseconds: 5_210 },
      { stage: "encoding", milliseconds: 830 },
    ]);
  });

  it("are read as far as they can be, whoever wrote them", () => {
    expect(readStages("")).to.deep.equal([]);
    expect(readStages("drawing=-1,encoding=x,somebody=5,uploading=")).to.deep.equal([]);
    expect(readStages("drawing=1,drawing=2")).to.deep.equal([{ stage: "drawing", milliseconds: 1 }]);
    const [long] = readStages("drawing=999999999");
    expect(long?.milliseconds).to.be.lessThan(10_000_000);
  });
});
