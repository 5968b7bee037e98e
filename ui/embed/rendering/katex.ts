import { adoptFormulaSheet } from "../styles.ts";

export { typeset } from "../../rendering/katex.ts";

/** In an embedded element (the build puts this in the other's place) formulas bring their sheet and their fonts along. */
adoptFormulaSheet();
