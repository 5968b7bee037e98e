import type { Config } from "@colloquy/infra/config.ts";
import { loadProviderCatalog, slotAddress, slotCredential } from "@colloquy/infra/provider-catalog.ts";
import { type ModelChoice, type Provider, providers } from "@colloquy/schemas/models.ts";
import type { CatalogModel, CatalogSlot } from "@colloquy/schemas/provider-catalog.ts";

/** A model of a configured slot, with everything but the credential, which only `callDetails` knows. */
export interface ModelTarget extends CatalogModel {
  provider: Provider;
  providerLabel: string;
  automaticRank: 1 | 2 | 3 | 4 | null;
  experimental: boolean;
}

/** How to reach a slot's service. Holds the credential: never log it, never return it. */
export interface CallDetails {
  baseUrl: string;
  apiKey: string | null;
  usageInStream: boolean;
  timeouts: CatalogSlot["timeouts"];
}

export interface Targets {
  /** Every model of every slot that has a credential, in the order of the slots. */
  models: ModelTarget[];
  callDetails(provider: Provider): CallDetails;
}

const ranks: Partial<Record<Provider, 1 | 2 | 3 | 4>> = { p1: 1, p2: 2, p3: 3, p4: 4 };

/** What the configuration makes available. @throws {ConfigurationError} for a catalogue that cannot be used. */
export function readTargets(config: Config): Targets {
  const details = new Map<Provider, CallDetails>();
  const models: ModelTarget[] = [];
  for (const slot of loadProviderCatalog(config).sort((a, b) => providers.indexOf(a.slot) - providers.indexOf(b.slot))) {
    const apiKey = slotCredential(slot, config);
    const baseUrl = slotAddress(slot, config);
    if (apiKey === undefined || baseUrl === undefined) continue;
    details.set(slot.slot, { baseUrl, apiKey, usageInStream: slot.usageInStream, timeouts: slot.timeouts });
    const automaticRank = ranks[slot.slot] ?? null;
    for (const model of slot.models)
      models.push({
        ...model,
        // Slots beyond the automatic order are experiments: what they produce is not trusted with structured output.
        ...(automaticRank === null && { tutor: false, quiz: false }),
        provider: slot.slot,
        providerLabel: slot.label,
        automaticRank,
        experimental: automaticRank === null,
      });
  }
  return {
    models,
    callDetails(provider) {
      const found = details.get(provider);
      if (!found) throw new Error(`slot ${provider} is not configured`);
      return found;
    },
  };
}

/** What a client may see of a model. */
export function publicChoice(model: ModelTarget): ModelChoice {
  return {
    id: `${model.provider}/${model.id}`,
    name: model.name,
    provider: model.provider,
    providerLabel: model.providerLabel,
    default: model.default,
    automaticRank: model.default ? model.automaticRank : null,
    experimental: model.experimental,
    capabilities: { ask: true, tutor: model.tutor, quiz: model.quiz },
  };
}
