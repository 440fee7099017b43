import { clsx } from "clsx";
import { Search } from "lucide-react";
import { Input } from "./input.tsx";

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  readonly className?: string;
}

/** Search field with a magnifying glass. */
export function SearchInput({ label, value, onValueChange, className }: SearchInputProps) {
  return (
    <div className={clsx("relative", className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder="Search"
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        className="pl-8"
      />
    </div>
  );
}
