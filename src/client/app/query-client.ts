import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../lib/problem.ts";

/** Creates the query client. Error answers of the server are not retried; requests without an answer are. */
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
