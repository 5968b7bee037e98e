import { adoptFormulaSheet } from "../styles.ts";

export { typeset } from "../../rendering/katex.ts";

/** In an embedded element (the build replaces the other module with this) formulas also load their stylesheet and fonts. */
adoptFormulaSheet();
