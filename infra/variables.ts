import { isOrigin } from "@colloquy/schemas/embed/embed.ts";
import { workerVariables } from "@colloquy/schemas/explainers/worker-settings.ts";
import { modelId } from "@colloquy/schemas/models.ts";
import { z } from "zod";
import { demonstrationCourses } from "./demo/courses.ts";
import { addressError } from "./event-store/address.ts";
import { isProxy } from "./http/trusted-proxies.ts";
import { isKey } from "./object-store/store.ts";
import { dailyLimit, flag, headerList, list, port, serviceUrl, text, variable } from "./variable.ts";

/** The one table of environment variables; `docs/reports/configuration.md` is generated from here by `npm run docs:configuration`. */
export const variables = {
  NODE_ENV: variable(
    z.enum(["development", "production", "test"]).default("development"),
    "`production` refuses all demonstration parts: demonstration accounts, the demonstration model and the embedded identity provider.",
  ),
  PORT: variable(port.default(8080), "Port of the public address."),
  HOST: variable(text.default("127.0.0.1"), "The interface the front door listens on."),
  PUBLIC_URL: variable(
    z.url({ protocol: /^https?$/ }).optional(),
    "The public address, if it differs from `http://localhost:<PORT>`, for example behind a proxy.",
    { shownDefault: "`http://localhost:<PORT>`" },
  ),
  TRUSTED_PROXIES: variable(
    list
      .refine((proxies) => proxies.every(isProxy), "expected addresses or networks such as 10.0.3.7 or 10.42.0.0/16, separated by commas")
      .default([]),
    "Addresses or networks, comma-separated, whose `x-forwarded-…` headers are trusted in addition to this machine's: your TLS proxy, and front doors on other machines. Nobody else may be able to send from there.",
    { shownDefault: "this machine" },
  ),
  ADDRESS_REQUESTS_PER_MINUTE: variable(
    z.coerce.number().int().min(0).max(1_000_000).default(6_000),
    "Requests per minute from one address (for IPv6 one /64); more are answered 429 with `retry-after`. A school behind one address needs about 40 a minute for each open page. Behind a trusted proxy, the address that it names counts. `0` means no limit.",
  ),
  DATA_DIR: variable(text.default(".data"), "Folder of the embedded parts: events, read models, course objects, keys."),
  LOG_LEVEL: variable(z.enum(["debug", "info", "warn", "error", "silent"]).default("info"), "Log level (JSON lines on standard error)."),
  EMBED_ORIGINS: variable(
    list.refine((origins) => origins.every(isOrigin), "expected origins such as https://school.example, separated by commas").default([]),
    "Origins, comma-separated, whose pages may embed our elements. They receive tokens of learners who sign in there. See docs/teach/embedding.md.",
    { shownDefault: "none" },
  ),

  OFFLINE_READING: variable(
    flag.default("on"),
    "Whether browsers store the workspace and the course pages that were read for offline use. `off` also removes what browsers have stored, at their next visit.",
  ),

  REVIEW_REMINDERS: variable(
    flag.default("on"),
    "Whether learners may choose to be reminded of due reviews by web push. Messages go through the push service of the learner's browser, encrypted. Needs HTTPS and `OFFLINE_READING`.",
  ),
  VAPID_SUBJECT: variable(
    z
      .string()
      .regex(/^(?:mailto:\S+@\S+|https:\/\/\S+)$/, "expected mailto:… or https://…")
      .optional(),
    "Where push services can reach the operator.",
    { shownDefault: "`PUBLIC_URL`" },
  ),

  METRICS_TOKEN: variable(
    z.string().min(16).optional(),
    "The bearer token for `GET /metrics`, at least 16 characters. Without it, metrics are public in development and unavailable in production.",
    { secret: true },
  ),

  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    z
      .url({ protocol: /^https?$/ })
      .refine(
        (value) => URL.parse(value)?.username === "" && URL.parse(value)?.password === "",
        "put what signs in into OTEL_EXPORTER_OTLP_HEADERS",
      )
      .transform((value) => value.replace(/\/+$/, ""))
      .optional(),
    "The receiver of traces over OTLP/HTTP (JSON), without `/v1/traces`: a collector, Tempo or Jaeger, for example `http://127.0.0.1:4318`. See docs/run/monitoring.md.",
    { shownDefault: "no traces" },
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    headerList.optional(),
    "Headers for the trace receiver, such as its credentials: `name=value`, comma-separated, values percent-encoded.",
    { secret: true },
  ),
  OTEL_SERVICE_NAME: variable(
    text.optional(),
    "Service name in traces. With the launcher it is a prefix: `school` makes `school-command-api`.",
    { shownDefault: "`command-api`, `front-door` and so on" },
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z.coerce.number().min(0).max(1).default(1),
    "Share of traces that are kept, from 0 to 1. For a trace that a trusted proxy began, the proxy decides.",
  ),

  EVENTSTORE_PORT: variable(port.default(2113), "Port of the embedded event store. `0` picks a free one."),
  EVENTSTORE_EMBEDDED_INSECURE: variable(
    flag.default("off"),
    "`on` runs the embedded event store without TLS and credentials, so that every program on this machine can read and append. Refused in production. See docs/run/stores.md.",
  ),
  EVENTSTORE_EMBEDDED_STRICT: variable(
    z.enum(["off", "on", "faults"]).default("off"),
    "For tests: `on` makes the embedded event store behave as EventStoreDB at its least convenient, `faults` also breaks calls off. See docs/build/checks.md.",
  ),
  EVENTSTORE_URL: variable(
    z
      .string()
      .check(({ value, issues }) => {
        const message = addressError(value);
        if (message) issues.push({ code: "custom", input: "", message });
      })
      .optional(),
    "An EventStoreDB instead of the embedded event store. Production demands TLS and credentials.",
    { shownDefault: "embedded", secret: true },
  ),
  DATABASE_URL: variable(
    z
      .string()
      .regex(/^(postgres(ql)?|sqlite):\/\//, "expected postgres://… or sqlite://<file>")
      .refine(
        (value) => value.startsWith("sqlite:") || URL.canParse(value),
        "cannot be read: percent-encode what is special in the password (: as %3A, @ as %40, / as %2F, # as %23), and check host and port",
      )
      .optional(),
    "The database of the read models: PostgreSQL, or another SQLite file.",
    { shownDefault: "`sqlite://<DATA_DIR>/read-models.db`", secret: true },
  ),
  S3_ENDPOINT: variable(
    z
      .url({ protocol: /^https?$/ })
      .transform((value) => value.replace(/\/+$/, ""))
      .optional(),
    "The address of an S3 service for published courses instead of a folder, without the bucket, for example `https://s3.eu-central-1.amazonaws.com`. It must honour conditional writes; the program refuses one that does not.",
    { shownDefault: "`<DATA_DIR>/objects`" },
  ),
  S3_BUCKET: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/, "expected the name of a bucket")
      .optional(),
    "The bucket; it must exist. Required with `S3_ENDPOINT`.",
  ),
  S3_REGION: variable(text.optional(), "The bucket's region for signing (`auto` for R2).", {
    shownDefault: "`us-east-1`",
  }),
  S3_ACCESS_KEY_ID: variable(text.optional(), "Access key that may get, put, delete and list objects. Required with `S3_ENDPOINT`.", {
    secret: true,
  }),
  S3_SECRET_ACCESS_KEY: variable(text.optional(), "The access key's secret. Required with `S3_ENDPOINT`.", { secret: true }),
  S3_PREFIX: variable(
    z
      .string()
      .transform((value) => value.replaceAll(/^\/+|\/+$/g, ""))
      .refine((value) => value.length <= 100 && isKey(value), "expected letters, digits, `.`, `_`, `-` and `/`, at most 100")
      .optional(),
    "Prefix of every key, so that a bucket can be shared.",
  ),
  S3_ADDRESSING: variable(z.enum(["path", "virtual-host"]).optional(), "Whether the bucket is part of the path or of the host name.", {
    shownDefault: "`virtual-host` at amazonaws.com, else `path`",
  }),

  KAFKA_BROKERS: variable(
    list
      .refine((brokers) => brokers.every((broker) => /^[^\s:/]+:\d{1,5}$/.test(broker)), "expected host:port, separated by commas")
      .optional(),
    "Apache Kafka brokers (`host:port`, comma-separated). If set, a relay copies every event to topics, and any number of projections share the work. See docs/run/kafka.md.",
    { shownDefault: "projections read the event store" },
  ),
  KAFKA_TOPIC_PREFIX: variable(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/, "expected letters, digits, `_` and `-`, at most 40")
      .default("colloquy"),
    "Prefix of topics and consumer groups, such as `<prefix>.conversation`.",
  ),
  KAFKA_PARTITIONS: variable(
    z.coerce.number().int().min(1).max(100).default(6),
    "Partitions of each topic; at most so many processes share a projection. Cannot be changed once the topics exist.",
  ),
  KAFKA_REPLICATION: variable(z.coerce.number().int().min(1).max(10).optional(), "Copies of each partition.", {
    shownDefault: "the brokers' `default.replication.factor`",
  }),
  KAFKA_RETENTION_HOURS: variable(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(24 * 30)
      .default(24),
    "Retention of the topics in hours. A consumer that was away for longer reads the event store.",
  ),
  KAFKA_TLS: variable(flag.default("off"), "Whether to use TLS with the brokers."),
  KAFKA_TLS_CA: variable(text.optional(), "A file with the CA certificates (PEM) of the brokers.", {
    shownDefault: "the system's",
  }),
  KAFKA_SASL_MECHANISM: variable(
    z.enum(["plain", "scram-sha-256", "scram-sha-512"]).optional(),
    "SASL mechanism at the brokers. Needs user name and password.",
    { shownDefault: "no sign-in" },
  ),
  KAFKA_SASL_USERNAME: variable(text.optional(), "User name at the brokers."),
  KAFKA_SASL_PASSWORD: variable(text.optional(), "Password at the brokers.", { secret: true }),

  COMMAND_API_PORT: variable(port.default(0), "Inner port of the command API. `0` picks a free one."),
  QUERY_API_PORT: variable(port.default(0), "Inner port of the query API. `0` picks a free one."),
  IDENTITY_PORT: variable(port.default(0), "Inner port of the embedded identity provider. `0` picks a free one."),
  DEMO_MODEL_PORT: variable(port.default(0), "Inner port of the demonstration model. `0` picks a free one."),
  PROJECTIONS_PORT: variable(port.default(0), "Inner port of the projections' status. `0` picks a free one."),
  RELAY_PORT: variable(port.default(0), "Inner port of the relay's status. `0` picks a free one."),
  FRONT_DOOR_STATUS_PORT: variable(
    port.default(0),
    "Inner port of the front door's health and metrics, which are not available at the public address. `0` picks a free one.",
  ),
  SERVICE_HOST: variable(
    text.default("127.0.0.1"),
    "The interface of inner ports when services are started separately. Use another one than loopback only in a network that nobody else reaches, such as a network of containers. See docs/run/install.md.",
  ),
  COMMAND_API_URL: variable(
    serviceUrl.optional(),
    "The address of the command API, if services run on several machines or in containers, for example `http://command-api:8101`. The launcher uses ports.",
    { shownDefault: "`http://127.0.0.1:<COMMAND_API_PORT>`" },
  ),
  QUERY_API_URL: variable(serviceUrl.optional(), "The address of the query API, likewise.", {
    shownDefault: "`http://127.0.0.1:<QUERY_API_PORT>`",
  }),
  PROJECTIONS_URL: variable(serviceUrl.optional(), "The address of the projections' status, for `/metrics`, likewise.", {
    shownDefault: "`http://127.0.0.1:<PROJECTIONS_PORT>`",
  }),
  RELAY_URL: variable(serviceUrl.optional(), "The address of the relay's status, for `/readyz` and `/metrics`, likewise.", {
    shownDefault: "`http://127.0.0.1:<RELAY_PORT>`",
  }),
  FRONT_DOOR_STATUS_URL: variable(serviceUrl.optional(), "The address of the front door's status, for `/metrics`, likewise.", {
    shownDefault: "`http://127.0.0.1:<FRONT_DOOR_STATUS_PORT>`",
  }),

  SESSION_SECRET: variable(z.string().min(32).optional(), "Signs session cookies. At least 32 characters.", {
    shownDefault: "made once, stored in `<DATA_DIR>/secrets`",
    secret: true,
  }),
  SESSION_HOURS: variable(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(24 * 90)
      .default(24 * 7),
    "How long a sign-in lasts, in hours.",
  ),
  SESSION_IDLE_HOURS: variable(
    z.coerce
      .number()
      .int()
      .min(1)
      .max(24 * 90)
      .default(24 * 3),
    "A sign-in ends earlier in a browser that opened no page and changed nothing for so long, in hours.",
  ),
  ACCOUNT_SECRET: variable(
    z.string().min(32).optional(),
    "The key from which account ids are derived. At least 32 characters, the same on every machine. Never change it: with another value everybody gets a new, empty account.",
    { shownDefault: "made once, stored in `<DATA_DIR>/secrets`", secret: true },
  ),
  LEDGER_KEYS_FILE: variable(
    text.optional(),
    "The file with the signing keys of tutoring ledgers, the same for every command and query API. It must exist. See docs/run/backup.md.",
    { shownDefault: "made once, stored in `<DATA_DIR>/secrets/ledger-keys`" },
  ),
  OIDC_ISSUER: variable(z.url().optional(), "An OpenID provider instead of the embedded one.", { shownDefault: "embedded" }),
  OIDC_CLIENT_ID: variable(text.optional(), "Client id at that provider."),
  OIDC_CLIENT_SECRET: variable(text.optional(), "Client secret at that provider.", { secret: true }),
  OIDC_ROLES_CLAIM: variable(text.default("roles"), "The claim that lists a person's roles (`learner`, `owner`, `auditor`)."),

  CONNECTOR: variable(flag.default("on"), "Whether learners' assistants may connect at `/mcp`. See docs/run/assistants.md."),
  CONNECTOR_AUDIENCE: variable(text.optional(), "The audience that access tokens for `/mcp` must have.", {
    shownDefault: "`<PUBLIC_URL>/mcp`",
  }),
  CONNECTOR_HOSTS: variable(
    list.optional(),
    "Host names, comma-separated and without ports, that `/mcp` accepts. Other names are refused (DNS rebinding).",
    { shownDefault: "that of `PUBLIC_URL`, and `localhost`, `127.0.0.1`, `[::1]`" },
  ),
  CONNECTOR_ORIGINS: variable(
    list
      .refine((origins) => origins.every(isOrigin), "expected origins such as https://assistant.example, separated by commas")
      .default([]),
    "Origins, comma-separated, of assistants that run in a browser. Other programs send no origin.",
    { shownDefault: "none" },
  ),
  CONNECTOR_VERIFIER: variable(
    z.enum(["own", "assistant"]).optional(),
    "Who reviews a plan that an assistant proposes: a model of this installation, or the assistant in a separate call.",
    { shownDefault: "`own` with a provider credential, else `assistant`" },
  ),

  DEMO_MODEL: variable(
    flag.optional(),
    "The demonstration model, which needs no network. On unless a provider credential is set or `NODE_ENV=production`.",
    { shownDefault: "see text" },
  ),
  DEMO_MODEL_WORD_MS: variable(
    z.coerce.number().int().min(0).max(1_000).default(18),
    "Pause between two words of the demonstration model's answers, in milliseconds.",
  ),
  DEMO_MODEL_URL: variable(
    z.url({ protocol: /^https?$/ }).optional(),
    "Inner address of the demonstration model (ending in `/v1`). The launcher serves one and sets this, unless it is set.",
    { shownDefault: "set by the launcher" },
  ),
  DEMO_COURSES: variable(flag.default("on"), "Whether the demonstration courses are published at the first start."),
  SUPPORT_CHECK_MODEL: variable(
    z.union([z.literal("automatic"), modelId], { error: "expected automatic, or a model such as p2/<model>" }).optional(),
    "A model that checks whether the cited passages support an answer's sentences: `automatic`, or one of the catalogue (`p2/<model>`). One call of at most 10 s per answer; if it fails, the comparison of words counts.",
    { shownDefault: "comparison of words only" },
  ),
  PROVIDER_CATALOG: variable(text.optional(), "A JSON file with the services and models of the slots P1 to P7.", {
    shownDefault: "`infra/provider-catalog.json`",
  }),
  P1_API_KEY: variable(text.optional(), "Credential of slot P1; enables its models.", { secret: true }),
  P2_API_KEY: variable(text.optional(), "Credential of slot P2.", { secret: true }),
  P2_ALTERNATE_API_KEY: variable(text.optional(), "Read when `P2_API_KEY` is not set.", { secret: true }),
  P3_API_KEY: variable(text.optional(), "Credential of slot P3.", { secret: true }),
  P4_API_KEY: variable(text.optional(), "Credential of slot P4.", { secret: true }),
  P5_API_KEY: variable(text.optional(), "Credential of slot P5 (experimental, by pin only).", { secret: true }),
  P6_API_KEY: variable(text.optional(), "Credential of slot P6 (experimental, by pin only).", { secret: true }),
  P6_ALTERNATE_API_KEY: variable(text.optional(), "Read when `P6_API_KEY` is not set.", { secret: true }),
  P7_API_KEY: variable(text.optional(), "Credential of slot P7 (experimental, by pin only).", { secret: true }),
  P1_MODEL_ID: variable(text.optional(), "Another default model for P1, and likewise for each slot."),
  P1_MODEL_NAME: variable(text.optional(), "Its name in the picker, and likewise for each slot."),
  P2_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P2_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P3_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P3_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P4_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P4_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P5_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P5_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P6_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P6_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P7_MODEL_ID: variable(text.optional(), "As P1_MODEL_ID."),
  P7_MODEL_NAME: variable(text.optional(), "As P1_MODEL_NAME."),
  P1_DAILY_REQUESTS: variable(
    dailyLimit,
    "The most requests to P1 that one account may cause in a UTC day, and likewise for each slot. An answer can take several. See docs/run/models.md.",
    { shownDefault: "no limit" },
  ),
  P1_DAILY_TOKENS: variable(
    dailyLimit,
    "The most tokens, read and written, of one account at P1 in a UTC day, and likewise for each slot.",
    {
      shownDefault: "no limit",
    },
  ),
  P2_DAILY_REQUESTS: variable(dailyLimit, "As P1_DAILY_REQUESTS."),
  P2_DAILY_TOKENS: variable(dailyLimit, "As P1_DAILY_TOKENS."),
  P3_DAILY_REQUESTS: variable(dailyLimit, "As P1_DAILY_REQUESTS."),
  P3_DAILY_TOKENS: variable(dailyLimit, "As P1_DAILY_TOKENS."),
  P4_DAILY_REQUESTS: variable(dailyLimit, "As P1_DAILY_REQUESTS."),
  P4_DAILY_TOKENS: variable(dailyLimit, "As P1_DAILY_TOKENS."),
  P5_DAILY_REQUESTS: variable(dailyLimit, "As P1_DAILY_REQUESTS."),
  P5_DAILY_TOKENS: variable(dailyLimit, "As P1_DAILY_TOKENS."),
  P6_DAILY_REQUESTS: variable(dailyLimit, "As P1_DAILY_REQUESTS."),
  P6_DAILY_TOKENS: variable(dailyLimit, "As P1_DAILY_TOKENS."),
  P7_DAILY_REQUESTS: variable(dailyLimit, "As P1_DAILY_REQUESTS."),
  P7_DAILY_TOKENS: variable(dailyLimit, "As P1_DAILY_TOKENS."),
  P5_BASE_URL: variable(z.url().optional(), "Another address for P5."),
  P6_BASE_URL: variable(z.url().optional(), "Another address for slot P6."),
  P7_BASE_URL: variable(z.url().optional(), "Another address for slot P7."),

  LOCAL_MODELS: variable(
    z.enum(["off", "on", "automatic"]).optional(),
    "Whether models of Ollama, LM Studio, llama.cpp and vLLM on this machine are found and offered (`on`). They come first in automatic routing while P1 to P4 have no credential; `automatic` asks them after P1 to P4 too. See docs/run/models.md.",
    { shownDefault: "`on` in development or with `LOCAL_MODEL_URL`, else `off`" },
  ),
  LOCAL_MODEL_URL: variable(
    z
      .url({ protocol: /^https?$/ })
      .refine(
        (value) => URL.parse(value)?.username === "" && URL.parse(value)?.password === "",
        "put the credential into LOCAL_MODEL_API_KEY",
      )
      .transform((value) => value.replace(/\/+$/, "").replace(/\/v1$/, ""))
      .optional(),
    "The address of a model server instead of the usual ports of this machine. Questions and course texts are sent there.",
    { shownDefault: "ports 11434, 1234, 8080 and 8000 of 127.0.0.1" },
  ),
  LOCAL_MODEL_API_KEY: variable(text.optional(), "Credential of the server at `LOCAL_MODEL_URL`.", { secret: true }),

  EMBEDDINGS_URL: variable(
    z
      .url({ protocol: /^https?$/ })
      .refine(
        (value) => URL.parse(value)?.username === "" && URL.parse(value)?.password === "",
        "put the credential into EMBEDDINGS_API_KEY",
      )
      .transform((value) => value.replace(/\/+$/, ""))
      .optional(),
    "An OpenAI-compatible embeddings service (ending in `/v1`), for example of a multilingual model. Course texts and questions are sent there. Needs `EMBEDDINGS_MODEL`. See docs/run/search.md.",
    { shownDefault: "the English model that ships with the program" },
  ),
  EMBEDDINGS_MODEL: variable(
    z.string().trim().min(1).max(200).optional(),
    "Model of the embeddings service. After a change, courses are embedded in the background; until then searches use the previous model or words.",
  ),
  EMBEDDINGS_API_KEY: variable(text.optional(), "Credential of the embeddings service.", { secret: true }),
  SEARCH_BY_MEANING: variable(
    flag.default("on"),
    "Whether passages are also found by meaning. `off` saves about 150 MB of memory; searches then use words only.",
  ),

  RENDER_WORKERS: variable(
    workerVariables.RENDER_WORKERS,
    "How many videos the worker beside the program makes at once; `off` if workers run elsewhere. See docs/run/videos.md.",
  ),
  RENDER_WORKER_TOKEN: variable(
    workerVariables.RENDER_WORKER_TOKEN,
    "The token of render workers, the same here and there. At least 32 characters.",
    { shownDefault: "made at each start, for the worker beside the program", secret: true },
  ),
  RENDER_API_URL: variable(
    workerVariables.RENDER_API_URL,
    "For render workers: the address of the program, such as `https://colloquy.example`.",
    {
      shownDefault: "set by the launcher",
    },
  ),
  RENDER_FOLDER: variable(
    workerVariables.RENDER_FOLDER,
    "For render workers: the folder for videos in progress and for drawn scenes; each worker needs its own.",
    { shownDefault: "`<DATA_DIR>/render`" },
  ),
  RENDER_ISOLATION: variable(
    workerVariables.RENDER_ISOLATION,
    "For render workers: `required` renders only under bubblewrap; `preferred` takes the weaker isolation where it does not work. See docs/run/videos.md.",
    { shownDefault: "`required` in production, else `preferred`" },
  ),
  SPEECH_URL: variable(
    workerVariables.SPEECH_URL,
    "For render workers: an OpenAI-compatible speech service (ending in `/v1`). The spoken text is sent there.",
    { shownDefault: "`espeak-ng` if installed, else videos are silent" },
  ),
  SPEECH_TIMES_URL: variable(
    workerVariables.SPEECH_TIMES_URL,
    "Where the speech service also tells when each word begins, as Kokoro-FastAPI does at `/dev/captioned_speech`. See docs/run/videos.md.",
  ),
  SPEECH_API_KEY: variable(workerVariables.SPEECH_API_KEY, "Credential of the speech service.", { secret: true }),
  SPEECH_MODEL: variable(workerVariables.SPEECH_MODEL, "Model of the speech service.", { shownDefault: "`tts-1`" }),
  SPEECH_VOICE: variable(workerVariables.SPEECH_VOICE, "Voice of the speech service.", { shownDefault: "`alloy`" }),
  SPEECH_PIPER_VOICES: variable(
    workerVariables.SPEECH_PIPER_VOICES,
    "For render workers with `piper` and without a speech service: the folder of its voices, such as `de_DE-thorsten-medium.onnx`.",
  ),
  EXPLAINER_COURSE_IDS: variable(
    list.default(() => demonstrationCourses.map(({ courseId }) => courseId)),
    "Courses, comma-separated, whose topics may get explainer videos; `*` means all. See docs/run/videos.md.",
    { shownDefault: "the demonstration courses" },
  ),
  EXPLAINER_VOICES: variable(flag.default("off"), "Whether spoken videos are offered. A worker needs a voice."),

  PUBLICATION_EDITOR_COURSE_IDS: variable(list.optional(), "Courses the editor may publish.", {
    shownDefault: "in development every object-storage course, else none",
  }),
  PUBLIC_OBJECT_STORE_COURSE_IDS: variable(list.optional(), "Courses that are read from the object store.", {
    shownDefault: "in development every object-storage course, else none",
  }),
} as const;
