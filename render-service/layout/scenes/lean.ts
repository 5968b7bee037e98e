import type { LanguageFn } from "highlight.js";

/** Lean 4 as far as it is coloured: highlight.js does not know it. */
export const lean: LanguageFn = () => ({
  name: "Lean",
  aliases: ["lean4"],
  keywords: {
    // The names behind a dot are somebody's own: `And.left`.
    $pattern: /(?<![\w.])[a-z_]+/,
    keyword:
      "abbrev axiom by calc class deriving do else end example export extends fun have hiding if import in inductive infix infixl infixr instance let macro match mutual namespace noncomputable notation opaque open partial postfix prefix private protected renaming return section set_option show structure suffices syntax termination_by then theorem universe unsafe variable where with def",
    built_in: "apply assumption cases constructor exact exists induction intro intros left repeat rfl right rw simp",
    literal: "true false",
  },
  contains: [
    { scope: "comment", begin: "--", end: "$" },
    { scope: "comment", begin: "/-", end: "-/" },
    { scope: "string", begin: '"', end: '"', illegal: "\\n" },
    { scope: "built_in", begin: /#[a-z]+/ },
    { scope: "number", begin: /\b\d+\b/ },
  ],
});
