import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { workerFigureLog } from "@colloquy/command-api/explainers/worker-figures.ts";
import "@colloquy/infra/event-store/embedded/paced-stream.ts";
import "@colloquy/infra/http/front-door-metrics.ts";
import { gatherMetrics, mergeMetrics } from "@colloquy/infra/http/metrics.ts";
import { measureRelay } from "@colloquy/infra/kafka/relay/metrics.ts";
import type { RelayStatus } from "@colloquy/infra/kafka/relay/relay.ts";
import { measureProcess, registry } from "@colloquy/infra/telemetry/metrics.ts";
import { measureProjections } from "@colloquy/projections/metrics.ts";
import { measureVectors } from "@colloquy/projections/passages/queries.ts";
import { expect } from "chai";
import { parse } from "yaml";

const folder = fileURLToPath(new URL("../infra/docker/", import.meta.url));

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string };
}
const { groups } = parse(readFileSync(`${folder}alerts.yml`, "utf8")) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const boards = readdirSync(`${folder}grafana`)
  .filter((file) => file.endsWith(".json"))
  .map(
    (file) =>
      JSON.parse(readFileSync(`${folder}grafana/${file}`, "utf8")) as {
        panels: { type: string; title: string; targets?: { expr: string }[] }[];
      },
  );

/** Words of a query that are no figure: functions, keywords, labels and what stands in quotes or braces. */
function figuresOf(query: string): string[] {
  const bare = query
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\b(by|without) \([^)]*\)/g, "");
  return [...bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !["by", "without", "and"].includes(name));
}

describe("alert rules and dashboards", () => {
  let families: Set<string>;
  /** What can be asked for: a histogram has three. */
  let told: Set<string>;
  let labels: Map<string, Set<string>>;
  before(async () => {
    measureProcess("test");
    measureProjections(() => []);
    measureVectors(() => ({ passages: 0, embedded: 0 }));
    measureRelay(
      () => ({ state: "relaying", position: "1", lagMs: 0, eventsPerSecond: 0, relayed: 0, purging: 0 }) as unknown as RelayStatus,
    );
    const text = mergeMetrics([
      await registry.metrics(),
      workerFigureLog().text(),
      ...(await gatherMetrics([{ service: "a", address: "http://127.0.0.1:1" }], "")),
    ]);
    // Prometheus' own figure of whether a target answered.
    told = new Set(["up"]);
    families = new Set();
    for (const [, name = "", kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      families.add(name);
      for (const end of kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""]) told.add(name + end);
    }
    labels = new Map();
    for (const { name, labelNames = [] } of registry.getMetricsAsArray() as { name: string; labelNames?: string[] }[])
      labels.set(name, new Set(labelNames));
  });

  const queries = () => [
    ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
    ...boards.flatMap(({ panels }) => panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr })))),
  ];

  it("use only metrics that the program exports", () => {
    expect(queries()).to.have.length.greaterThan(30);
    for (const { where, expr } of queries()) {
      const figures = figuresOf(expr);
      expect(figures, where).to.not.deep.equal([]);
      for (const figure of figures) expect(told.has(figure), `${where}: ${figure}`).to.equal(true);
    }
    expect(figuresOf('max by (le) (rate(some_thing_total{a="b"}[5m])) > 0.5')).to.deep.equal(["some_thing_total"]);
  });

  it("ask for labels that those figures have", () => {
    const everywhere = ["service", "job", "instance", "le"];
    for (const { where, expr } of queries()) {
      const known = new Set([
        ...everywhere,
        ...figuresOf(expr).flatMap((name) => [...(labels.get(name.replace(/_(bucket|sum|count)$/, "")) ?? [])]),
      ]);
      const asked = [
        ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = ""]) =>
          [...inside.matchAll(/(\w+)(?==|!)/g)].map(([, name = ""]) => name),
        ),
        ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/)),
      ];
      for (const label of asked) expect(known.has(label), `${where}: ${label}`).to.equal(true);
    }
  });

  it("have a summary, a severity and an entry in the operations guide", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).to.equal(rules.length);
    const page = readFileSync(new URL("../docs/run/monitoring.md", import.meta.url), "utf8");
    for (const { alert, labels: marks, annotations } of rules) {
      expect(marks.severity, alert).to.be.oneOf(["page", "ticket"]);
      expect(annotations.summary, alert).to.be.a("string");
      expect(page, `docs/run/monitoring.md says what to do about ${alert}`).to.include(`\`${alert}\``);
    }
    for (const [figure] of page.matchAll(/\b(colloquy|nodejs|process)_[a-z0-9_]+[a-z0-9]/g))
      expect(families.has(figure), figure).to.equal(true);
  });
});
