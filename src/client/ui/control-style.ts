/** Shared style of text controls; the border has a 3:1 contrast. */
export const CONTROL_STYLE =
  "tint w-full min-w-0 rounded-md border border-line-strong bg-surface text-sm text-ink enabled:hover:border-muted read-only:bg-raised disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-down";
