import { readFileSync } from "node:fs";
import { type CatalogModel, type CatalogSlot, type ProviderCatalog, providerCatalog } from "@colloquy/schemas/provider-catalog.ts";
import { type Config, ConfigurationError, demoModelEnabled } from "./config.ts";

const shipped = new URL("./provider-catalog.json", import.meta.url);
const demonstration = new URL("./demo/model/provider-catalog.json", import.meta.url);

/**
 * The slots in force: `PROVIDER_CATALOG` or the catalogue that ships, with `<P>_MODEL_ID`, `<P>_MODEL_NAME` and
 * `<P>_BASE_URL` applied, and with slot P1 bound to the demonstration model when that runs and P1 has no credential.
 * @throws {ConfigurationError} naming what is wrong with the file.
 */
export function loadProviderCatalog(config: Config): CatalogSlot[] {
  const slots = readCatalog(config.PROVIDER_CATALOG ?? shipped).slots.map((slot) => withOverrides(slot, config));
  if (!config.DEMO_MODEL_URL || !demoModelEnabled(config)) return slots;
  const own = slots.find((slot) => slot.slot === "p1");
  if (own && slotCredential(own, config) !== undefined) return slots;
  return [...readCatalog(demonstration).slots, ...slots.filter((slot) => slot.slot !== "p1")];
}

/** Reads and checks one catalogue. @throws {ConfigurationError} */
export function readCatalog(file: string | URL): ProviderCatalog {
  const wrong = (reason: string) => new ConfigurationError(`PROVIDER_CATALOG: ${file instanceof URL ? file.pathname : file}: ${reason}`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrong(whyUnread(error));
  }
  const result = providerCatalog.safeParse(content);
  if (result.success) return result.data;
  throw wrong(result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (error instanceof SyntaxError) return `is no JSON (${error.message}). infra/provider-catalog.json shows what it looks like.`;
  if (code === "ENOENT") return "there is no such file. Name a catalogue, or leave the variable out: then the one that ships is used.";
  if (code === "EISDIR") return "is a folder. Name the catalogue's file in it.";
  return `cannot be read (${typeof code === "string" ? code : error}). See that this user may read it.`;
}

/**
 * What authorises calls to a slot: the credential, `null` when its service needs none, `undefined` when it is missing
 * (the slot is not offered). Never log it and never put it into an error.
 */
export function slotCredential(slot: CatalogSlot, config: Config): string | null | undefined {
  if (slot.credentials.length === 0) return null;
  for (const name of slot.credentials) if (config[name] !== undefined) return config[name];
  return undefined;
}

/** Where a slot's service is, without a trailing slash; undefined when nothing says. */
export function slotAddress(slot: CatalogSlot, config: Config): string | undefined {
  const address = (slot.baseUrlVariable && config[slot.baseUrlVariable]) ?? slot.baseUrl;
  return address?.replace(/\/+$/, "");
}

const upper = (slot: CatalogSlot["slot"]) => slot.toUpperCase() as Uppercase<CatalogSlot["slot"]>;

function withOverrides(slot: CatalogSlot, config: Config): CatalogSlot {
  const name = upper(slot.slot);
  const address = name === "P5" || name === "P6" || name === "P7" ? config[`${name}_BASE_URL`] : undefined;
  return {
    ...slot,
    ...(address && { baseUrl: address, baseUrlVariable: undefined }),
    models: withDefault(slot.models, config[`${name}_MODEL_ID`], config[`${name}_MODEL_NAME`]),
  };
}

/** A known id becomes the default; an unknown one takes the default's place and what it was trusted with. */
function withDefault(models: CatalogModel[], id: string | undefined, name: string | undefined): CatalogModel[] {
  const known =
    id === undefined ? models.find((model) => model.default) : models.find((model) => model.id === id || model.serviceId === id);
  if (known) return models.map((model) => ({ ...model, default: model === known, ...(model === known && name && { name }) }));
  if (id === undefined) return models;
  return models.map((model) => {
    if (!model.default) return model;
    return {
      ...model,
      id: id.replace(/[^A-Za-z0-9._:/@-]/g, "-").slice(0, 160),
      serviceId: id,
      name: name ?? id,
      structuredOutput: "json_object" as const,
      newestFlash: false,
      p3ServiceId: undefined,
    };
  });
}
