import { readFileSync } from "node:fs";
import type { Config } from "../config.ts";

/** What connecting to Kafka needs, and how the topics are laid out. */
export interface KafkaSettings {
  brokers: string[];
  /** Topics and groups begin with it. */
  prefix: string;
  /** Of each topic; never changes once topics exist. */
  partitions: number;
  /** Copies of each partition; null leaves it to the brokers. */
  replication: number | null;
  retentionHours: number;
  tls: { ca?: string } | null;
  sasl: { mechanism: "plain" | "scram-sha-256" | "scram-sha-512"; username: string; password: string } | null;
}

type KafkaVariables = Pick<Config, Extract<keyof Config, `KAFKA_${string}`>>;

/** The settings, or null where no Kafka is configured. @throws when `KAFKA_TLS_CA` names a file that cannot be read. */
export function kafkaSettings(config: KafkaVariables): KafkaSettings | null {
  if (!config.KAFKA_BROKERS?.length) return null;
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  return {
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_TOPIC_PREFIX,
    partitions: config.KAFKA_PARTITIONS,
    replication: config.KAFKA_REPLICATION ?? null,
    retentionHours: config.KAFKA_RETENTION_HOURS,
    tls: config.KAFKA_TLS === "on" ? (config.KAFKA_TLS_CA ? { ca: readFileSync(config.KAFKA_TLS_CA, "utf8") } : {}) : null,
    sasl: mechanism && username && password ? { mechanism, username, password } : null,
  };
}
