import type { Config } from "@colloquy/infra/config.ts";
import { loadProviderCatalog, slotAddress, slotCredential } from "@colloquy/infra/provider-catalog.ts";
import { catalogSlots, demonstrationModel, type ModelChoice, type Provider } from "@colloquy/schemas/models.ts";
import type { CatalogModel, CatalogSlot } from "@colloquy/schemas/provider-catalog.ts";
import { CallFailure } from "./failures.ts";

/** A model of a configured slot, with everything but the credential, which only `callDetails` knows. */
export interface ModelTarget extends CatalogModel {
  provider: Provider;
  providerLabel: string;
  /** What fails together: the slot, or the program that has a local model. */
  service: string;
  automaticRank: number | null;
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
  /** Every model of every slot that has a credential, in the order of the slots; local models after them. */
  readonly models: ModelTarget[];
  callDetails(model: ModelTarget): CallDetails;
}

/** The local models that are there now. */
interface LocalTargets {
  models(): readonly ModelTarget[];
  callDetails(model: ModelTarget): CallDetails | undefined;
}

const ranks: Partial<Record<Provider, number>> = { p1: 1, p2: 2, p3: 3, p4: 4 };
/** Of the default among the local models: before everything else while P1 to P4 have no credential; after them if that was chosen. */
const localRanks = { first: 0, last: 5 };

/**
 * What the configuration makes available, and the local models that are there now.
 * @throws {ConfigurationError} for a catalogue that cannot be used.
 */
export function readTargets(config: Config, local: LocalTargets | null = null): Targets {
  const details = new Map<Provider, CallDetails>();
  const models: ModelTarget[] = [];
  for (const slot of loadProviderCatalog(config).sort((a, b) => catalogSlots.indexOf(a.slot) - catalogSlots.indexOf(b.slot))) {
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
        service: slot.slot,
        automaticRank,
        experimental: automaticRank === null,
      });
  }
  const hasService = models.some((model) => model.automaticRank !== null && model.id !== demonstrationModel);
  const localRank = hasService ? (config.LOCAL_MODELS === "automatic" ? localRanks.last : null) : localRanks.first;
  return {
    get models() {
      return local ? [...models, ...local.models().map((model) => ({ ...model, automaticRank: localRank }))] : models;
    },
    callDetails(model) {
      const { provider } = model;
      const found = provider === "local" ? local?.callDetails(model) : details.get(provider);
      // A local model may have gone since it was chosen.
      if (!found && provider === "local") throw new CallFailure("unavailable");
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
