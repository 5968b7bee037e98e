import type { Router } from "express";

/** What a router answers, `METHOD path`, routers within routers included; `ALL path` where it takes every method. */
export const routesOf = (router: Router): string[] =>
  router.stack.flatMap(({ route, handle }) => {
    if (!route) return "stack" in handle ? routesOf(handle as unknown as Router) : [];
    const methods = route.stack.map(({ method }) => (method ?? "all").toUpperCase());
    return ([] as string[]).concat(route.path).flatMap((path) => methods.map((method) => `${method} ${path}`));
  });
