import { expect } from "chai";
import { dropAt } from "./outline-drop.ts";

const rows: Parameters<typeof dropAt>[0] = [
  { id: null, kind: "course", depth: 0 },
  { id: "basics", kind: "collection", depth: 1 },
  { id: "pipes", kind: "topic", depth: 2 },
  { id: "deeper", kind: "collection", depth: 2 },
  { id: "loops", kind: "topic", depth: 3 },
  { id: "scripts", kind: "topic", depth: 1 },
];

describe("what is dropped in an outline", () => {
  it("stands between the rows, in the container they share", () => {
    expect(dropAt(rows, 3, 2)).to.deep.equal({ container: "basics", to: 1, depth: 2 });
    expect(dropAt(rows, 6, 1)).to.deep.equal({ container: null, to: 2, depth: 1 });
  });

  it("goes into the part above it, or out of those that end there, as deep as it is held", () => {
    expect(dropAt(rows, 2, 2)).to.deep.equal({ container: "basics", to: 0, depth: 2 });
    expect(dropAt(rows, 5, 3)).to.deep.equal({ container: "deeper", to: 1, depth: 3 });
    expect(dropAt(rows, 5, 2)).to.deep.equal({ container: "basics", to: 2, depth: 2 });
    expect(dropAt(rows, 5, 1)).to.deep.equal({ container: null, to: 1, depth: 1 });
  });

  it("is counted from what the rows begin with", () => {
    const below = [
      { id: "part", kind: "collection", depth: -1 },
      { id: "one", kind: "topic", depth: 0 },
      { id: "inner", kind: "collection", depth: 0 },
    ] as const;
    expect(dropAt(below, 1, 0)).to.deep.equal({ container: "part", to: 0, depth: 0 });
    expect(dropAt(below, 3, 0)).to.deep.equal({ container: "part", to: 2, depth: 0 });
    expect(dropAt(below, 3, 1)).to.deep.equal({ container: "inner", to: 0, depth: 1 });
  });

  it("never stands before the course, deeper than it may, or apart from what follows", () => {
    expect(dropAt(rows, 0, 0)).to.deep.equal({ container: null, to: 0, depth: 1 });
    expect(dropAt(rows, 6, 9)).to.deep.equal({ container: null, to: 2, depth: 1 });
    expect(dropAt(rows, 4, 1)).to.deep.equal({ container: "deeper", to: 0, depth: 3 });
  });
});
