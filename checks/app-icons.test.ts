import { readFileSync } from "node:fs";
import { type AppIcon, appIcons } from "@colloquy/query-api/pages/app.ts";
import { createCanvas, Image } from "@napi-rs/canvas";
import { expect } from "chai";
import { drawIcon, iconFile } from "./app-icons.ts";

describe("the icons of the installed app", () => {
  for (const [name, { size, purpose }] of Object.entries(appIcons) as [AppIcon, (typeof appIcons)[AppIcon]][])
    it(`${name} shows the brand as it is now`, async () => {
      const drawn = drawIcon(name).getContext("2d").getImageData(0, 0, size, size).data;
      const image = new Image();
      image.src = readFileSync(iconFile(name));
      await image.decode();
      const context = createCanvas(size, size).getContext("2d");
      context.drawImage(image, 0, 0);
      const kept = context.getImageData(0, 0, size, size).data;
      // Edges may be smoothed differently on other processors.
      const different = kept.filter((value, index) => Math.abs(value - (drawn[index] ?? 0)) > 32).length;
      expect(different / kept.length, "run npm run icons").to.be.below(0.001);
      expect(kept[3], "opacity of the corner").to.equal(purpose === "maskable" ? 255 : 0);
    });
});
