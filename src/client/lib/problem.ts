import type { ErrorCode } from "../../contract/errors.ts";

/** Title of an error of which nothing more is known. */
export const PLAIN_TITLE = "Error";

/** An error answer of our server, in the server's words. `code` is absent when the answer was not in the catalogue's shape. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | undefined;
  readonly title: string;
  readonly fields: Readonly<Record<string, string>>;
  constructor(
    status: number,
    details: {
      code?: ErrorCode;
      title?: string;
      message?: string;
      fields?: Record<string, string>;
    },
  ) {
    super(details.message ?? "API request failed");
    this.status = status;
    this.code = details.code;
    this.title = details.title ?? PLAIN_TITLE;
    this.fields = details.fields ?? {};
  }
}

/** Returns whether an error is an ApiError with that code. */
export function isApiError(error: unknown, code?: ErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** Returns whether no answer arrived; fetch reports that as a TypeError. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError;
}

/** Returns title and message for any thrown value. */
export function describeProblem(error: unknown): { title: string; message: string } {
  if (error instanceof ApiError) return { title: error.title, message: error.message };
  if (isNetworkError(error)) {
    return { title: "Server connection offline", message: "Network connection issue. Try again." };
  }
  if (error instanceof Error && "title" in error && typeof error.title === "string") {
    return { title: error.title, message: error.message };
  }
  return { title: PLAIN_TITLE, message: "API request failed" };
}

/** Parses an error answer; bodies in another shape are tolerated. */
export async function readApiError(response: Response): Promise<ApiError> {
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    return new ApiError(response.status, {});
  }
  const { message, code, title, fields } = (body ?? {}) as Record<string, unknown>;
  return new ApiError(response.status, {
    // A newer server's code is equal to none that the page asks for
    ...(typeof code === "string" && { code: code as ErrorCode }),
    ...(typeof title === "string" && { title }),
    ...(typeof message === "string" && { message }),
    ...(typeof fields === "object" &&
      fields !== null && { fields: fields as Record<string, string> }),
  });
}
