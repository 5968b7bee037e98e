import { expect } from "chai";
import { piecesOf } from "./formulas.ts";
import { lexicons } from "./lexicon/lexicons.ts";
import { silentSigns } from "./silent-signs.ts";
import { spokenText } from "./spoken-text.ts";

/** Formulas of courses on linear algebra, on proofs and on learning. */
const formulas = [
  ...["(A − 3I)v = 0", "A v = λ v", "λ² − 4λ + 3 = 0", "det(A − λI) = 0", "λ² + 1 = 0", "±i", "3 + 1 = 4", "3 · 1 = 3", "(1, −1)"],
  ...["−x + y = 0", "2x + y = 0", "ad − bc", "det(AB) = det A · det B", "det(A⁻¹) = 1 / det A", "4 − t²", "t = −2", "10⁻²⁰", "0.01 · I"],
  ...["AᵀA x = Aᵀb", "b − A x", "x = (AᵀA)⁻¹Aᵀb", "P² = P", "A = P D P⁻¹", "Aᵏ = P Dᵏ P⁻¹", "D = P⁻¹A P", "u + v = v + u"],
  ...["c(u + v) = cu + cv", "f(u + v) = f(u) + f(v)", "f(cu) = c f(u)", "AB ≠ BA", "(AB)⁻¹ = B⁻¹A⁻¹", "ker A = {0}", "dim ker A = 1"],
  ...["x ∈ ℝⁿ", "v ≠ 0", "‖v‖ = 1", "u · v = 0", "u ⊥ v", "x₁ + 2x₂ = 4", "2 × 2", "3 × 4 = 12", "e₁ = (1, 0)", "sin(x)² + cos(x)² = 1"],
  ...["y = m x + c", "√2 ≈ 1.414", "|x| ≤ 3", "x^2 − 1", "1/2", "½", "p ∧ q → q ∧ p", "¬p ∨ q", "¬(p ∧ q) ↔ ¬p ∨ ¬q", "p x → q x"],
  ...["p x ∧ ¬q x", "p → q → r", "(p → q) → (¬q → ¬p)", "x ∉ S", "A ⊆ B", "A ∩ B ⊆ A", "A ∪ B = B ∪ A", "n + 1 > n", "0 ≤ n"],
  ...["m * n = n * m", "a ≡ b", "f ∘ g", "f′(x) = 2x", "x → ∞", "α + β = γ", "μ − σ", "R = e^(−t/s)", "2ⁿ", "n² − n", "a ≤ b", "a < b"],
  ...["x ≥ 0", "∑ x", "a · (b + c) = a · b + a · c", "(a + b)² = a² + 2ab + b²", "x³ − 2", "−(−x) = x", "2⁻³", "k = 0.5"],
  ...["x = −b ± √(b² − 4ac)", "α → β", "λ₁ = 3", "λ₂ = −1", "A₁ + A₂", "c₁v₁ + c₂v₂ = 0", "(x + 1)(x − 1) = x² − 1", "p ⇒ q", "p ⇔ q"],
  ...["x ↦ 2x", "x ÷ y", "n/2", "(a + b)/2", "∀ x ∈ S", "∃ x ∈ S", "v = −2u", "(0, −1)", "a − b − c", "−1 · −1 = 1"],
];

describe("a narration as it is spoken", () => {
  for (const language of ["en", "de"]) {
    it(`leaves no sign of ${formulas.length} formulas silent (${language})`, async () => {
      const lexicon = lexicons[language];
      if (!lexicon) throw new Error("no lexicon");
      for (const formula of formulas) {
        expect(piecesOf(formula), formula).to.deep.equal([{ kind: "formula", text: formula }]);
        const spoken = (await spokenText(formula, language)).replace(/\bay\b/g, "a");
        expect(silentSigns(formula, spoken, lexicon), `${formula}: ${spoken}`).to.deep.equal([]);
        expect(spoken, formula).not.to.match(/[=−+·×²³¹⁻≠≤≥∈λ√→∧∨¬()]/u);
      }
    });
  }

  const sentences: [string, string][] = [
    ["Solve (A − 3I)v = 0 for v.", "Solve open paren ay minus 3 I close paren times v equals 0 for v."],
    [
      "The trace is 4, so λ² − 4λ + 3 = 0, which gives λ = 1.",
      "The trace is 4, so lambda squared minus 4 lambda plus 3 equals 0, which gives lambda equals 1.",
    ],
    ["A 2 × 2 matrix.", "A 2 by 2 matrix."],
    ["I think a map with f(x) = x² grows.", "I think a map with f of x equals x squared grows."],
    ["It is zero for t = 2 and t = −2.", "It is zero for t equals 2 and t equals negative 2."],
    ["A non-zero vector v is an eigenvector of A.", "A non-zero vector v is an eigenvector of ay."],
    ["Run ls -l | wc -w > sizes.txt now.", "Run ls dash l, pipe to wc dash w, redirect into sizes dot txt now."],
    ["From 30–60 minutes, a well-known rule of 2024-25.", "From 30–60 minutes, a well-known rule of 2024-25."],
    ["The shell waits for input because the pipe is empty.", "The shell waits for input, because the pipe is empty."],
    ["It waits (for a moment) — and then goes on.", "It waits, for a moment, and then goes on."],
    ["So it fails because of that.", "So it fails, because of that."],
    ["It stops because I do.", "It stops because I do."],
    ["If p → q and ¬q, then ¬p.", "If p arrow q and not q, then not p."],
  ];
  for (const [written, heard] of sentences) it(`says “${written}”`, async () => expect(await spokenText(written, "en")).to.equal(heard));

  it("finds a minus, a negation, a number and a letter that are not said", () => {
    const lexicon = lexicons.en;
    if (!lexicon) throw new Error("no lexicon");
    const formula = "(A − 3I)v ≠ 0";
    const whole = "open paren A minus 3 I close paren times v is not equal to 0";
    expect(silentSigns(formula, whole, lexicon)).to.deep.equal([]);
    for (const [left, sign] of [
      ["minus ", "−"],
      ["not ", "¬"],
      ["3 ", "3"],
      ["v ", "v"],
    ] as const)
      expect(silentSigns(formula, whole.replace(left, ""), lexicon), left).to.include(sign);
    expect(silentSigns("x + 1", "x plus 2", lexicon)).to.have.members(["1", "2"]);
  });

  it("speaks a language without a lexicon as it stands", async () => {
    expect(await spokenText("La valeur λ = 3.", "fr")).to.equal("La valeur λ = 3.");
  });
});
