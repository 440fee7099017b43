import { LoaderCircle } from "lucide-react";

export function Spinner({ label }: { readonly label?: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {label}
    </span>
  );
}
