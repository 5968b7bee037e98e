import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const most = 800;

/** The size of each file in a folder by its inode, so that a file with two names counts once. Links to rooms are not followed. */
function collectSizes(folder: string, sizes: Map<number, number>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Tools keep what they compiled in .cache.
    if (entry.isDirectory() && entry.name !== ".cache") collectSizes(path, sizes);
    if (!entry.isFile()) continue;
    const { ino, size } = lstatSync(path);
    sizes.set(ino, size);
  }
}

describe("the installed packages", () => {
  it(`take at most ${most} MB after node infra/prune-packages.js`, () => {
    const sizes = new Map<number, number>();
    collectSizes(packages, sizes);
    const megabytes = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1_048_576;
    expect(megabytes).to.be.at.most(most);
  });
});
