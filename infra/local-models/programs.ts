import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Ask } from "./exchange.ts";

/** A model of a program on this machine, as the program describes it. */
export interface FoundModel {
  /** What the program calls it. */
  serviceId: string;
  /** The same for display: without control characters, bounded. */
  name: string;
  /** Tells two models apart that had the same name, one after the other: a digest, or sizes. */
  fingerprint: string;
  /** Whether it is in memory, so that it can be asked without being loaded first. */
  loaded: boolean;
  /** The context window that the program gives it, if it says. */
  contextTokens?: number;
  /** Whether it reasons before it answers, if the program says. */
  reasons?: boolean;
}

/** Programs that are looked for; each says which models it has. */
export type ProgramName = "ollama" | "lm-studio" | "llama.cpp" | "vllm" | "server";

/** Reads the models of a server. Null if it is another program. */
type Reader = (ask: Ask) => Promise<FoundModel[] | null>;

/** The most models of one program. */
const mostModels = 40;
/** What Ollama and LM Studio load a model with if nobody says otherwise. */
const usualContext = 4_096;

const count = z.int().min(1).max(100_000_000);
/** Ids that can be a part of ours; others are not offered. */
const serviceId = z.string().min(1).max(200);
const models = <T extends z.ZodType>(model: T) =>
  z.array(z.unknown()).transform((all) => all.slice(0, mostModels).flatMap((one) => model.safeParse(one).data ?? []));

/** Control characters, and marks that change the direction of the text around a name. */
const unprintable = /[\p{C}\u2028\u2029]/gu;
/** Of a path, the name of the file. */
export const displayName = (id: string): string =>
  (id.startsWith("/") ? id.slice(id.lastIndexOf("/") + 1) : id)
    .replace(/\.gguf$/i, "")
    .replaceAll(unprintable, "")
    .trim()
    .slice(0, 80);

const found = (id: string, fingerprint: unknown[], loaded: boolean, contextTokens?: number, reasons?: boolean): FoundModel[] => {
  const name = displayName(id);
  if (name === "") return [];
  return [
    {
      serviceId: id,
      name,
      fingerprint: fingerprint
        .map((part) => String(part ?? ""))
        .join(" ")
        .slice(0, 200),
      loaded,
      ...(contextTokens !== undefined && { contextTokens }),
      ...(reasons !== undefined && { reasons }),
    },
  ];
};

const ollamaTags = z.object({
  models: models(
    z.object({
      name: serviceId,
      size: z.number().optional(),
      digest: z.string().max(200).optional(),
      // Ollama sends these models' prompts to its own service.
      remote_host: z.string().optional(),
      remote_model: z.string().optional(),
    }),
  ),
});
const ollamaLoaded = z.object({ models: models(z.object({ name: serviceId, context_length: count.optional() })) });
/** Of Ollama's description, what is used: a description can be long. */
const ollamaShow = z
  .object({
    capabilities: z.array(z.string()).max(50).optional(),
    parameters: z.string().optional(),
    model_info: z.record(z.string(), z.unknown()).optional(),
  })
  .transform(({ capabilities, parameters, model_info }) => ({
    capabilities,
    window: Number(/^num_ctx\s+(\d{3,9})$/m.exec(parameters ?? "")?.[1]) || undefined,
    trained: count.safeParse(Object.entries(model_info ?? {}).find(([key]) => key.endsWith(".context_length"))?.[1]).data,
  }));
/** By name and digest: a description takes a request and never changes. */
const descriptions = new LRUCache<string, z.output<typeof ollamaShow>>({ max: 200 });

/** Whether a model's prompts leave the machine: Ollama's cloud models. */
const isRemote = (model: { name: string; remote_host?: string | undefined; remote_model?: string | undefined }): boolean =>
  Boolean(model.remote_host || model.remote_model) || /[-:]cloud$/.test(model.name);

const ollama: Reader = async (ask) => {
  const tags = ollamaTags.safeParse(await ask("/api/tags")).data;
  if (!tags) return null;
  const loaded = new Map((ollamaLoaded.safeParse(await ask("/api/ps")).data?.models ?? []).map((one) => [one.name, one.context_length]));
  const describe = async (model: (typeof tags.models)[number]): Promise<FoundModel[]> => {
    const key = `${model.name} ${model.digest}`;
    const shown = descriptions.get(key) ?? ollamaShow.safeParse(await ask("/api/show", { model: model.name })).data;
    if (shown && model.digest) descriptions.set(key, shown);
    const capabilities = shown?.capabilities;
    if (capabilities ? !capabilities.includes("completion") : isEmbedding(model.name)) return [];
    // A prompt beyond the window is cut silently, so the window in force counts, not what the model was trained with.
    const context = loaded.get(model.name) ?? Math.min(shown?.window ?? usualContext, shown?.trained ?? usualContext);
    return found(model.name, [model.digest, model.size], loaded.has(model.name), context, capabilities?.includes("thinking"));
  };
  return (await Promise.all(tags.models.filter((one) => !isRemote(one)).map(describe))).flat();
};

const lmStudioModels = z.object({
  data: models(
    z.object({
      id: serviceId,
      type: z.string(),
      state: z.string(),
      arch: z.string().max(100).optional(),
      quantization: z.string().max(100).optional(),
      max_context_length: count.optional(),
      loaded_context_length: count.optional(),
    }),
  ),
});

const lmStudio: Reader = async (ask) => {
  const data = lmStudioModels.safeParse(await ask("/api/v0/models")).data?.data;
  if (!data) return null;
  return data
    .filter(({ type }) => type === "llm" || type === "vlm")
    .flatMap((model) =>
      found(
        model.id,
        [model.arch, model.quantization, model.max_context_length],
        model.state === "loaded",
        model.loaded_context_length ?? Math.min(model.max_context_length ?? usualContext, usualContext),
      ),
    );
};

const openAiModels = z.object({
  data: models(
    z.object({
      id: serviceId,
      owned_by: z.string().optional(),
      root: z.string().max(300).nullish(),
      // vLLM's window.
      max_model_len: count.nullish(),
      // llama.cpp's description of the file.
      meta: z.object({ n_ctx: count.optional(), n_params: z.number().optional(), size: z.number().optional() }).nullish(),
      status: z.object({ value: z.string() }).optional(),
    }),
  ),
});
const llamaProps = z.object({ default_generation_settings: z.object({ n_ctx: count.optional() }).optional() });

/** @param owner what the program says of itself in its list; without one, any server */
const openAi =
  (owner?: string): Reader =>
  async (ask) => {
    const data = openAiModels
      .safeParse(await ask("/v1/models"))
      .data?.data.filter((model) => owner === undefined || model.owned_by === owner);
    if (!data || (owner !== undefined && data.length === 0)) return null;
    const isLlamaCpp = data.some((model) => model.owned_by === "llamacpp");
    const props = isLlamaCpp ? llamaProps.safeParse(await ask("/props")).data?.default_generation_settings?.n_ctx : undefined;
    return data
      .filter(({ id }) => !isEmbedding(id))
      .flatMap(({ id, root, meta, status, max_model_len: window }) =>
        found(
          id,
          [root, meta?.n_params, meta?.size],
          status === undefined || status.value === "loaded",
          window ?? props ?? meta?.n_ctx ?? undefined,
        ),
      );
  };

const isEmbedding = (id: string): boolean => /embed|(?:^|[/:_-])bge-|rerank/i.test(id);

export interface Program {
  name: ProgramName;
  /** For display. */
  label: string;
  /** Its port if nobody chose another. */
  port?: number;
  read: Reader;
}

/**
 * In the order in which they are asked. On a usual port, a server must say that it is llama.cpp or vLLM: another one may be a gateway to a
 * service elsewhere, and nothing leaves this machine unless `LOCAL_MODEL_URL` names the server.
 */
export const programs: readonly Program[] = [
  { name: "ollama", label: "Ollama", port: 11_434, read: ollama },
  { name: "lm-studio", label: "LM Studio", port: 1_234, read: lmStudio },
  { name: "llama.cpp", label: "llama.cpp", port: 8_080, read: openAi("llamacpp") },
  { name: "vllm", label: "vLLM", port: 8_000, read: openAi("vllm") },
  { name: "server", label: "Model server", read: openAi() },
];
