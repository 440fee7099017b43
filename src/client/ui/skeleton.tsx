import { clsx } from "clsx";

/** Placeholder of the content's size; appears after 200 ms. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={clsx("skeleton block rounded-sm bg-hover", className)} />;
}
