import { useRef, useState } from "react";
import { Input } from "../../ui/input.tsx";

interface ChatNameFieldProps {
  readonly name: string;
  /** Called with a name that differs. */
  readonly onRename: (title: string) => void;
  readonly onBlur: () => void;
  /** Called when the field is left by key, which has to put the focus elsewhere. */
  readonly onLeave: () => void;
}

/** Field for a chat's new name: Enter and blur save it, Escape does not. */
export function ChatNameField({ name, onRename, onBlur, onLeave }: ChatNameFieldProps) {
  const [draft, setDraft] = useState(name);
  // Leaving by key also blurs the field, and that blur must not save
  const hasLeft = useRef(false);

  function commit(): void {
    const title = draft.trim();
    if (title !== "" && title !== name) onRename(title);
  }

  return (
    <Input
      autoFocus
      aria-label={`New name of ${name}`}
      maxLength={120}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={() => {
        if (hasLeft.current) return;
        onBlur();
        commit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Otherwise the button or sidebar would handle the same press
        event.preventDefault();
        event.stopPropagation();
        hasLeft.current = true;
        if (event.key === "Enter") commit();
        onLeave();
      }}
    />
  );
}
