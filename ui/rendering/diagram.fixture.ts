import type { Theme } from "./diagram.ts";
import { resetting } from "./mermaid.ts";

// The test server does not bundle, so the library's own bundle stands in for the split one of the build.
const bundle = "/node_modules/mermaid/dist/mermaid.esm.min.mjs";
export const load = async () => resetting((await import(bundle)).default);
export const theme: Theme = {
  dark: false,
  font: "sans-serif",
  ink: "#111111",
  soft: "#444444",
  line: "#cccccc",
  paper: "#ffffff",
  raised: "#ffffff",
  sunken: "#eeeeee",
  accent: "#00666b",
  wash: "#e0f0f0",
  mark: "#ffeeaa",
};
