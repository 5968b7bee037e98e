import { expect } from "chai";
import { misreadDiagram, repairDiagram } from "./repair.ts";

describe("repairDiagram", () => {
  const notes: [string, string][] = [
    ["note for A : text", 'note for A "text"'],
    ["note for A text here", 'note for A "text here"'],
    ["note for A 'text'", 'note for A "text"'],
    ["note for A “text”", 'note for A "text"'],
    ["note right of A: text", 'note for A "text"'],
    ["note left of A : text", 'note for A "text"'],
    ["note over A: text", 'note for A "text"'],
    ['note A "text"', 'note for A "text"'],
    ['Note for A "text"', 'note for A "text"'],
    ['note for A "text";', 'note for A "text"'],
    ['note for "A" "text"', 'note for A "text"'],
    ['note for A::m "text"', 'note for A "text"'],
    ['note for A "say \\"hi\\""', 'note for A "say #quot;hi#quot;"'],
    ['note for A,B "text"', 'note for A "text"\nnote for B "text"'],
    ["note right of A\n  first\n  second\nend note", 'note for A "first\\nsecond"'],
    ["note : text", 'note "text"'],
    ['note "text"', 'note "text"'],
  ];
  for (const [wrong, right] of notes)
    it(`mends ${JSON.stringify(wrong)}`, () => {
      expect(repairDiagram(`classDiagram\nclass A\n${wrong}`)).to.equal(`classDiagram\nclass A\n${right}`);
    });

  it("strips fences and fixes comments and generics", () => {
    expect(repairDiagram("```mermaid\nclassDiagram\n// a map\nclass Map<K,V>\nA <|-- B\n```")).to.equal(
      "classDiagram\n%% a map\nclass Map~K,V~\nA <|-- B",
    );
  });

  it("quotes labels with brackets in flowcharts and renames a node called end", () => {
    expect(repairDiagram("flowchart TD\nA[call f(x)] --> B{a (b)?}\nB --> end")).to.equal(
      'flowchart TD\nA["call f(x)"] --> B{"a (b)?"}\nB --> End',
    );
    expect(repairDiagram("flowchart TD\nsubgraph s\nA[(db)] --> B[[sub]]\nend")).to.equal(
      "flowchart TD\nsubgraph s\nA[(db)] --> B[[sub]]\nend",
    );
  });

  it("moves a note out of a class's body", () => {
    expect(misreadDiagram('classDiagram\nclass A {\n  +x\n  note "t"\n}\nB --> A')).to.equal(
      'classDiagram\nclass A {\n  +x\n}\nnote for A "t"\nB --> A',
    );
    expect(misreadDiagram('classDiagram\nclass A {\n  +note\n  +note(x)\n}\nnote for A "t"')).to.equal(null);
    expect(misreadDiagram("flowchart TD\nA --> B")).to.equal(null);
  });

  it("escapes semicolons in messages", () => {
    expect(repairDiagram("sequenceDiagram\nA->>B: first; then second")).to.equal("sequenceDiagram\nA->>B: first#59; then second");
  });
});
