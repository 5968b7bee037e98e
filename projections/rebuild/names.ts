import {
  type CheckConstraintNode,
  type CreateIndexNode,
  type DropConstraintNode,
  type DropIndexNode,
  type ForeignKeyConstraintNode,
  type IdentifierNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimaryKeyConstraintNode,
  type QueryId,
  type SchemableIdentifierNode,
  type UniqueConstraintNode,
} from "kysely";

/** Name of the table that a rebuild fills, and of the replaced table until it is dropped. */
export const shadowOf = (table: string): string => `${table}__shadow`;
export const formerOf = (table: string): string => `${table}__former`;

/**
 * Suffix of indexes and named constraints, on every second generation of a projection's tables: SQLite cannot rename
 * an index, so two generations that exist at the same time need different names.
 */
const suffixOf = (generation: number): string => (generation % 2 === 0 ? "" : "__b");

/** For the live tables: migrations use plain names for the indexes of the current generation. */
export const liveNames = (generation: number): KyselyPlugin => renaming(() => undefined, suffixOf(generation));

/** For a rebuild: the names of `tables` mean their shadow tables, with the index names of the next generation. */
export function shadowNames(tables: readonly string[], generation: number): KyselyPlugin {
  const known = new Set(tables);
  return renaming((table) => (known.has(table) ? shadowOf(table) : undefined), suffixOf(generation + 1));
}

function renaming(tableOf: (table: string) => string | undefined, suffix: string): KyselyPlugin {
  const transformer = new Renaming(tableOf, suffix);
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

class Renaming extends OperationNodeTransformer {
  readonly #tableOf: (table: string) => string | undefined;
  readonly #suffix: string;
  constructor(tableOf: (table: string) => string | undefined, suffix: string) {
    super();
    this.#tableOf = tableOf;
    this.#suffix = suffix;
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode, queryId: QueryId): SchemableIdentifierNode {
    const renamed = this.#tableOf(node.identifier.name);
    const plain = super.transformSchemableIdentifier(node, queryId);
    return renamed === undefined ? plain : { ...plain, identifier: { ...plain.identifier, name: renamed } };
  }

  protected override transformCreateIndex(node: CreateIndexNode, queryId: QueryId): CreateIndexNode {
    return this.#named(super.transformCreateIndex(node, queryId));
  }
  protected override transformDropIndex(node: DropIndexNode, queryId: QueryId): DropIndexNode {
    const plain = super.transformDropIndex(node, queryId);
    return { ...plain, name: { ...plain.name, identifier: this.#suffixed(plain.name.identifier) } };
  }
  protected override transformPrimaryKeyConstraint(node: PrimaryKeyConstraintNode, queryId: QueryId): PrimaryKeyConstraintNode {
    return this.#named(super.transformPrimaryKeyConstraint(node, queryId));
  }
  protected override transformUniqueConstraint(node: UniqueConstraintNode, queryId: QueryId): UniqueConstraintNode {
    return this.#named(super.transformUniqueConstraint(node, queryId));
  }
  protected override transformForeignKeyConstraint(node: ForeignKeyConstraintNode, queryId: QueryId): ForeignKeyConstraintNode {
    return this.#named(super.transformForeignKeyConstraint(node, queryId));
  }
  protected override transformCheckConstraint(node: CheckConstraintNode, queryId: QueryId): CheckConstraintNode {
    return this.#named(super.transformCheckConstraint(node, queryId));
  }
  protected override transformDropConstraint(node: DropConstraintNode, queryId: QueryId): DropConstraintNode {
    const plain = super.transformDropConstraint(node, queryId);
    return { ...plain, constraintName: this.#suffixed(plain.constraintName) };
  }

  #named<Node extends { name?: IdentifierNode }>(node: Node): Node {
    return node.name ? { ...node, name: this.#suffixed(node.name) } : node;
  }
  #suffixed(name: IdentifierNode): IdentifierNode {
    return { ...name, name: `${name.name}${this.#suffix}` };
  }
}
