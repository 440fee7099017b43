import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  /** One sentence about the content that will appear here. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex h-full min-h-40 flex-col items-center justify-center gap-2 p-6 text-center">
      {icon && (
        <span
          aria-hidden
          className="mb-1 inline-flex size-10 items-center justify-center rounded-lg border border-line bg-raised text-faint [&_svg]:size-5"
        >
          {icon}
        </span>
      )}
      <p className="text-base font-medium text-ink">{title}</p>
      {children && <p className="max-w-80 text-sm text-balance text-muted">{children}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}
