import type { HLJSApi, Language } from "highlight.js";

const keywords = {
  $pattern: /[#@]?[A-Za-z_][\w'!?₀-₉]*/,
  keyword:
    "theorem lemma example def abbrev instance structure class inductive coinductive mutual where with match do let have show from by fun " +
    "if then else for in return unless break continue try catch finally deriving extends namespace section end open export import universe universes " +
    "variable variables axiom axioms constant opaque noncomputable partial unsafe private protected local scoped macro macro_rules syntax notation infix " +
    "infixl infixr prefix postfix elab elab_rules attribute set_option at using this calc conv termination_by decreasing_by nomatch nofun suffices obtain mut forall exists " +
    "#check #eval #print #reduce #synth #check_failure #guard #simp #help",
  built_in:
    "intro intros exact apply refine rfl simp simp_all simp_arith rw rewrite erw induction cases rcases rintro constructor exists left right split contradiction absurd " +
    "assumption unfold dsimp ext funext congr generalize specialize subst injection decide omega linarith ring norm_num trivial exfalso repeat first all_goals any_goals " +
    "case next skip done clear rename rename_i revert change symm trans ac_rfl native_decide exact? apply? aesop tauto push_neg by_cases by_contra use",
  type: "Prop Type Sort Nat Int Float String Char Bool Unit List Array Option Fin Set Vector Subtype Sigma Exists And Or Not Iff Eq HEq True False Decidable Monad Except IO",
  literal: "true false sorry admit",
};

/** A highlight.js grammar for Lean 4, as far as a course's code needs it: nested comments, attributes, tactics, binders, strings. */
export function lean(hljs: HLJSApi): Language {
  const comment = hljs.COMMENT(/\/-/, /-\//, { contains: ["self"] });
  const documentation = hljs.COMMENT(/\/-[-!]/, /-\//, { contains: ["self"] });
  return {
    name: "Lean",
    unicodeRegex: true,
    aliases: ["lean4"],
    keywords,
    contains: [
      documentation,
      comment,
      hljs.COMMENT("--", "$"),
      { scope: "string", begin: /[sf]?!?"/, end: /"/, contains: [{ scope: "char.escape", begin: /\\./ }] },
      { scope: "string", begin: /'(?:\\.|[^'\\\n])'/ },
      { scope: "meta", begin: /@\[/, end: /\]/ },
      { scope: "symbol", begin: /`{1,2}[\p{L}_][\p{L}\p{N}_.']*/u },
      {
        begin: [/\b(?:theorem|lemma|def|abbrev|structure|class|inductive|instance|axiom|opaque)/, /\s+/, /[\p{L}_][\p{L}\p{N}_.'!?]*/u],
        beginScope: { 1: "keyword", 3: "title.function" },
      },
      { scope: "number", begin: /\b(?:0x[\da-fA-F]+|0b[01]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/ },
      { scope: "operator", begin: /:=|=>|->|<-|[→←↔∀∃λΣΠ∧∨¬≤≥≠≈∣∈∉⊆∪∩×∘▸⟨⟩·•|]|\|>|<\||\$/u },
    ],
  };
}
