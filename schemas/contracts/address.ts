/** What an address is made of, beside its route. */
export interface Named {
  parameters?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
}

/** Path and query of a request to a route such as `GET /courses/:courseId/*slugs`; `*name` stands for several segments. */
export function addressOf(route: string, { parameters = {}, query = {} }: Named): string {
  const [, path = ""] = route.split(" ");
  const filled = path.replaceAll(/([:*])(\w+)/g, (_, kind: string, name: string) => {
    const segments = (parameters[name] ?? "").split(kind === "*" ? "/" : /(?!)/);
    return segments.map(encodeURIComponent).join("/");
  });
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  const search = new URLSearchParams(given).toString();
  return search ? `${filled}?${search}` : filled;
}
