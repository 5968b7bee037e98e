import { expect } from "chai";
import { followDrags } from "./drag.ts";

describe("the drop line", () => {
  const list = document.createElement("div");
  let end: () => void;
  beforeEach(() => {
    list.innerHTML = '<p style="block-size:60px;margin:0 0 20px"><b>hold</b></p>'.repeat(3);
    document.body.append(list);
    const items = () => [...list.querySelectorAll("p")];
    end = followDrags({ list, grip: "b", item: "p", others: (item) => items().filter((one) => one !== item), drop: () => undefined });
  });
  afterEach(() => {
    end();
    list.remove();
  });

  it("runs between items and never through the dragged one", () => {
    const [first, second] = [...list.querySelectorAll("p")].map((one) => one.getBoundingClientRect());
    const grip = list.querySelectorAll("b")[1];
    if (!first || !second || !grip) throw new Error("no list");
    const point = (type: string, clientY: number) =>
      grip.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: 10, clientY, button: 0, pointerId: 1 }));
    // There is no pointer to be captured.
    grip.setPointerCapture = () => undefined;
    const line = () => document.body.querySelector<HTMLElement>(":scope > div[style*='position: fixed']")?.getBoundingClientRect();
    point("pointerdown", second.top + 30);
    point("pointermove", second.top + 10);
    expect(line()?.bottom, "above it").to.be.at.most(second.top);
    point("pointermove", second.bottom - 5);
    expect(line()?.top, "below it").to.be.at.least(second.bottom);
    point("pointermove", first.top + 5);
    expect(line()?.bottom, "above the first").to.be.at.most(first.top);
  });
});
