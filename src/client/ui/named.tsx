import type { ReactNode } from "react";

interface NamedProps {
  readonly term: string;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** One named figure of a description list in a row. */
export function Named({ term, title, children }: NamedProps) {
  return (
    <div className="flex gap-1.5 max-sm:flex-col max-sm:gap-0">
      <dt title={title} className="text-faint">
        {term}
      </dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
