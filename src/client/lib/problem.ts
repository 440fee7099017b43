import { ERRORS, type ErrorCode } from "../../contract/errors.ts";

/** An error answer of our server. `code` is absent when the answer was not in the catalogue's shape. */
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
    this.title = details.title ?? (details.code ? ERRORS[details.code].title : "Error");
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
  return { title: "Error", message: "API request failed" };
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERRORS, value);
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
    ...(isErrorCode(code) && { code }),
    ...(typeof title === "string" && { title }),
    ...(typeof message === "string" && { message }),
    ...(typeof fields === "object" &&
      fields !== null && { fields: fields as Record<string, string> }),
  });
}
