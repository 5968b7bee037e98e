/** A browser without eyes, for tests: keeps cookies by host and path, follows no redirect by itself. */
export class Browser {
  readonly cookies = new Map<string, { value: string; path: string }>();

  async go(url: string, init: RequestInit = {}): Promise<Response> {
    const { hostname, pathname } = new URL(url);
    const sent = [...this.cookies].filter(([key, { path }]) => key.startsWith(`${hostname} `) && pathname.startsWith(path));
    const headers = new Headers(init.headers);
    headers.set("accept", "text/html");
    headers.set("cookie", sent.map(([key, { value }]) => `${key.split(" ")[1]}=${value}`).join("; "));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = cookie.split("; ");
      const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? "/";
      const gone = attributes.some((attribute) => /^expires=/i.test(attribute) && Date.parse(attribute.slice(8)) <= Date.now());
      if (gone) this.cookies.delete(`${hostname} ${name} ${path}`);
      else this.cookies.set(`${hostname} ${name} ${path}`, { value, path });
    }
    return response;
  }

  /** Goes on as long as it is sent elsewhere. */
  async follow(url: string, init: RequestInit = {}): Promise<{ response: Response; url: string }> {
    let response = await this.go(url, init);
    let at = url;
    for (let hops = 0; response.status >= 300 && response.status < 400; hops += 1) {
      if (hops > 12) throw new Error(`sent around in circles at ${at}`);
      at = new URL(response.headers.get("location") ?? "", at).href;
      response = await this.go(at);
    }
    return { response, url: at };
  }
}
