import { ROUTES } from "../../contract/routes.ts";

const PATTERNS = Object.values(ROUTES).map((route) => ({
  method: route.method,
  pattern: new RegExp(`^${route.path.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`),
}));

/** Returns the contract's methods for a path; empty for an unknown path. */
export function methodsOf(path: string): string[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
