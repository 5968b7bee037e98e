import { fileURLToPath } from "node:url";
import ts from "typescript";

export interface Field {
  name: string;
  optional: boolean;
  type: string;
  about: string;
}

export interface EventType {
  name: string;
  about: string;
  fields: Field[];
}

export interface Stream {
  name: string;
  about: string;
  events: EventType[];
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = fileURLToPath(new URL("streams.ts", import.meta.url));
/** A type is written out as far as this, in characters. */
const longestType = 160;

/** Reads the kinds of streams and their events from the types of the registry, with the comments there. */
export function readCatalogue(): Stream[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([file], { ...options, noEmit: true, incremental: false });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const streams = source?.statements.find((statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === "Streams");
  if (!source || !streams) throw new Error("streams.ts has no type Streams");
  const about = (symbol: ts.Symbol): string =>
    ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, " ").trim();
  const typeOf = (symbol: ts.Symbol): ts.Type => checker.getTypeOfSymbolAtLocation(symbol, source);
  const fieldOf = (symbol: ts.Symbol): Field => {
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const type = checker.typeToString(
      optional ? checker.getNonNullableType(typeOf(symbol)) : typeOf(symbol),
      streams,
      ts.TypeFormatFlags.NoTruncation,
    );
    return { name: symbol.name, optional, type: type.length > longestType ? `${type.slice(0, longestType)}…` : type, about: about(symbol) };
  };
  return checker
    .getTypeAtLocation(streams)
    .getProperties()
    .map((stream) => ({
      name: stream.name,
      about: about(stream),
      events: typeOf(stream)
        .getProperties()
        .map((event) => ({
          name: event.name,
          about: about(event),
          fields: typeOf(event)
            .getProperties()
            .filter(({ name }) => name !== "schemaVersion")
            .map(fieldOf),
        })),
    }));
}
