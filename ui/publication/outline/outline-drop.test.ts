import { expect } from "chai";
import { dropTarget } from "./outline-drop.ts";

const rows: Parameters<typeof dropTarget>[0] = [
  { id: null, kind: "course", depth: 0 },
  { id: "basics", kind: "collection", depth: 1 },
  { id: "pipes", kind: "topic", depth: 2 },
  { id: "deeper", kind: "collection", depth: 2 },
  { id: "loops", kind: "topic", depth: 3 },
  { id: "scripts", kind: "topic", depth: 1 },
];

describe("dropTarget", () => {
  it("drops between rows of one container", () => {
    expect(dropTarget(rows, 3, 2)).to.deep.equal({ container: "basics", to: 1, depth: 2 });
    expect(dropTarget(rows, 6, 1)).to.deep.equal({ container: null, to: 2, depth: 1 });
  });

  it("chooses the container by depth at the end of parts", () => {
    expect(dropTarget(rows, 2, 2)).to.deep.equal({ container: "basics", to: 0, depth: 2 });
    expect(dropTarget(rows, 5, 3)).to.deep.equal({ container: "deeper", to: 1, depth: 3 });
    expect(dropTarget(rows, 5, 2)).to.deep.equal({ container: "basics", to: 2, depth: 2 });
    expect(dropTarget(rows, 5, 1)).to.deep.equal({ container: null, to: 1, depth: 1 });
  });

  it("counts depth from the first row", () => {
    const below = [
      { id: "part", kind: "collection", depth: -1 },
      { id: "one", kind: "topic", depth: 0 },
      { id: "inner", kind: "collection", depth: 0 },
    ] as const;
    expect(dropTarget(below, 1, 0)).to.deep.equal({ container: "part", to: 0, depth: 0 });
    expect(dropTarget(below, 3, 0)).to.deep.equal({ container: "part", to: 2, depth: 0 });
    expect(dropTarget(below, 3, 1)).to.deep.equal({ container: "inner", to: 0, depth: 1 });
  });

  it("clamps the place and the depth", () => {
    expect(dropTarget(rows, 0, 0)).to.deep.equal({ container: null, to: 0, depth: 1 });
    expect(dropTarget(rows, 6, 9)).to.deep.equal({ container: null, to: 2, depth: 1 });
    expect(dropTarget(rows, 4, 1)).to.deep.equal({ container: "deeper", to: 0, depth: 3 });
  });
});
