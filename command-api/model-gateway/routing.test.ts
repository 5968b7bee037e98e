import { readConfig } from "@colloquy/infra/config.ts";
import type { ModelSelection } from "@colloquy/schemas/models.ts";
import { expect } from "chai";
import { type Need, route } from "./routing.ts";
import { readTargets } from "./targets.ts";

const keys = (...slots: number[]) => Object.fromEntries(slots.map((slot) => [`P${slot}_API_KEY`, `key-${slot}`]));
const automatic: ModelSelection = { choice: "automatic" };
const pin = (id: string, allowFallbackWhenPinned = false): ModelSelection => ({ choice: "pinned", id, allowFallbackWhenPinned });

function decide(environment: Record<string, string>, selection: ModelSelection, need: Need): string {
  const routed = route(selection, need, readTargets(readConfig(environment)).models);
  if (!routed.ok) return routed.code;
  return routed.attempts
    .map(({ model, depth, onlyWhenUnavailable }) => `${depth}:${model.provider}/${model.id}${onlyWhenUnavailable ? "?" : ""}`)
    .join(" ");
}

const chain = "0:p1/gpt-oss-120b 1:p2/gemini-3.8-flash 2:p3/free 3:p4/mistral-medium";

// [what it shows, environment, selection, need, expected]
const table: [string, Record<string, string>, ModelSelection, Need, string][] = [
  ["automatic: P1 to P4 in order", keys(1, 2, 3, 4), automatic, "ask", chain],
  ["automatic: P5 to P7 never extend the chain", keys(1, 2, 3, 4, 5, 6, 7), automatic, "ask", chain],
  ["automatic: slots without a credential are left out", keys(4, 2), automatic, "tutor", "0:p2/gemini-3.8-flash 1:p4/mistral-medium"],
  ["automatic: nothing configured", {}, automatic, "ask", "ai_unavailable"],
  ["automatic: experimental slots alone are no chain", keys(5, 6, 7), automatic, "ask", "ai_unavailable"],
  [
    "automatic: an Ask-only default is passed over for Tutor",
    { ...keys(1, 3), P1_MODEL_ID: "llama-3.3-70b" },
    automatic,
    "tutor",
    "0:p3/free",
  ],
  ["automatic: only Ask-only defaults cannot tutor", { ...keys(1), P1_MODEL_ID: "llama-3.3-70b" }, automatic, "tutor", "model_not_capable"],
  ["automatic: an overridden default", { ...keys(4), P4_MODEL_ID: "open-mistral-nemo" }, automatic, "ask", "0:p4/open-mistral-nemo"],
  ["pinned: never switches", keys(1, 2, 3, 4), pin("p4/mistral-small"), "ask", "0:p4/mistral-small"],
  [
    "pinned with fallback: then the chain",
    keys(1, 2, 4),
    pin("p4/mistral-small", true),
    "ask",
    "0:p4/mistral-small 1:p1/gpt-oss-120b 2:p2/gemini-3.8-flash 3:p4/mistral-medium",
  ],
  [
    "pinned with fallback: the chain does not repeat it",
    keys(1, 4),
    pin("p1/gpt-oss-120b", true),
    "ask",
    "0:p1/gpt-oss-120b 1:p4/mistral-medium",
  ],
  ["pinned without credential", keys(1), pin("p4/mistral-small"), "ask", "ai_unavailable"],
  [
    "pinned without credential, fallback allowed: counted as passed over",
    keys(1),
    pin("p4/mistral-small", true),
    "ask",
    "1:p1/gpt-oss-120b",
  ],
  ["pinned, not on the allowlist", keys(1), pin("p1/another"), "ask", "ai_unavailable"],
  ["pinned Ask-only: Ask", keys(1), pin("p1/llama-3.3-70b"), "ask", "0:p1/llama-3.3-70b"],
  ["pinned Ask-only: Tutor is refused", keys(1, 2), pin("p1/llama-3.3-70b"), "tutor", "model_not_capable"],
  ["pinned Ask-only: Tutor is refused with fallback too", keys(1, 2), pin("p1/llama-3.3-70b", true), "tutor", "model_not_capable"],
  ["pinned experimental: Tutor is refused", keys(1, 6), pin("p6/nemotron-3-nano", true), "tutor", "model_not_capable"],
  [
    "pinned Ask-only: a quiz goes to the automatic order",
    keys(1, 2),
    pin("p1/llama-3.3-70b"),
    "quiz",
    "0:p1/gpt-oss-120b 1:p2/gemini-3.8-flash",
  ],
  ["pinned experimental: likewise", keys(7, 4), pin("p7/deepseek-v4-flash"), "quiz", "0:p4/mistral-medium"],
  [
    "pinned Ask-only default: a quiz goes to any configured model that can",
    { ...keys(1), P1_MODEL_ID: "llama-3.3-70b" },
    pin("p1/llama-3.3-70b"),
    "quiz",
    "0:p1/gpt-oss-120b 1:p1/gpt-oss-20b",
  ],
  ["pinned Ask-only: no model for a quiz", keys(5), pin("p5/gpt-oss-120b"), "quiz", "model_not_capable"],
  [
    "newest flash of P2: then the same model at P3",
    keys(1, 2, 3),
    pin("p2/gemini-3.8-flash"),
    "ask",
    "0:p2/gemini-3.8-flash 1:p3/gemini-3.8-flash?",
  ],
  ["newest flash of P2: without P3 it stands alone", keys(1, 2), pin("p2/gemini-3.8-flash"), "tutor", "0:p2/gemini-3.8-flash"],
  ["another model of P2: stands alone", keys(1, 2, 3), pin("p2/gemini-3.6-flash"), "ask", "0:p2/gemini-3.6-flash"],
  [
    "newest flash of P2 with fallback: P3's same model before the chain",
    keys(1, 2, 3),
    pin("p2/gemini-3.8-flash", true),
    "ask",
    "0:p2/gemini-3.8-flash 1:p3/gemini-3.8-flash 2:p1/gpt-oss-120b 3:p3/free",
  ],
];

describe("model routing", () => {
  for (const [what, environment, selection, need, expected] of table)
    it(what, () => expect(decide(environment, selection, need)).to.equal(expected));

  it("retries the newest flash model at P3 also when P3 does not list it", () => {
    const models = readTargets(readConfig(keys(2, 3))).models.filter((model) => `${model.provider}/${model.id}` !== "p3/gemini-3.8-flash");
    const routed = route(pin("p2/gemini-3.8-flash"), "ask", models);
    expect(routed.ok && routed.attempts.map(({ model }) => [model.provider, model.serviceId])).to.deep.equal([
      ["p2", "gemini-3.8-flash"],
      ["p3", "google/gemini-3.8-flash"],
    ]);
  });
});
