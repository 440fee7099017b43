import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../lib/problem.ts";

/** Builds the page's cache. Refusals are final; lost answers are asked for again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        refetchIntervalInBackground: false,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status < 500),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
      },
      mutations: { retry: false },
    },
  });
}
