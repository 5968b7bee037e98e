import { expect } from "chai";
import { diagramScenes, flowchart } from "./diagrams.ts";

const mermaid = `flowchart LR
  w["What you meet"] -->|attention| wm["Working memory"]
  wm -->|thinking| ltm["Long-term memory"] --> done
  ltm -.->|not used| hidden["Hard to find"]`;

describe("diagrams of a course in films", () => {
  it("keep their boxes and arrows", () => {
    expect(flowchart(mermaid)).to.deep.equal({
      diagram: "flow",
      nodes: ["What you meet", "Working memory", "Long-term memory", "done", "Hard to find"].map((label, index) => ({
        key: `n${index + 1}`,
        label,
        cue: "",
      })),
      edges: [
        { from: "n1", to: "n2", label: "attention" },
        { from: "n2", to: "n3", label: "thinking" },
        { from: "n3", to: "n4", label: "" },
        { from: "n3", to: "n5", label: "not used" },
      ].map((edge) => ({ ...edge, cue: "", quote: "" })),
    });
  });

  it("are left out where they are of another kind, in groups, or too large", () => {
    expect(flowchart("sequenceDiagram\n  A->>B: hello")).to.equal(null);
    expect(flowchart('flowchart LR\n  subgraph one["One"]\n  a --> b\n  end')).to.equal(null);
    expect(flowchart(`flowchart LR\n${Array.from({ length: 9 }, (_, index) => `  a${index} --> b${index}`).join("\n")}`)).to.equal(null);
    expect(flowchart("flowchart LR\n  a ~~~ b")).to.equal(null);
    expect(flowchart("")).to.equal(null);
  });

  it("are said by their caption, where that is a sentence", () => {
    const text = "A line of boxes.\nWhat you meet becomes memory only by attention and by thinking.";
    const passage = { id: "s1", title: "Memory", trail: ["Course", "Memory"], kind: "figure", text };
    const [scene] = diagramScenes([passage], new Map([["s1", mermaid]]));
    expect(scene?.narration).to.equal("What you meet becomes memory only by attention and by thinking.");
    expect(diagramScenes([passage], new Map())).to.deep.equal([]);
  });
});
