import { clsx } from "clsx";

/** A placeholder of the content's own size; it shows only after 200 ms. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={clsx("skeleton block rounded-sm bg-hover", className)} />;
}
