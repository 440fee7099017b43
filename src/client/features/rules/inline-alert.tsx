import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/input.tsx";

/** Field that adds an alert from inside a rule and selects it there. */
export function InlineAlert({ onAdd }: { readonly onAdd: (name: string) => void }) {
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    return (
      <Button size="small" tone="ghost" className="self-start" onClick={() => setName("")}>
        <Plus aria-hidden />
        New alert
      </Button>
    );
  }
  const add = () => {
    if (name.trim() === "") return;
    onAdd(name.trim());
    setName(null);
  };
  return (
    <div className="flex items-center gap-2">
      <Input
        autoFocus
        aria-label="Name of the new alert"
        placeholder="Alert name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            add();
          }
          if (event.key === "Escape") {
            event.stopPropagation();
            setName(null);
          }
        }}
      />
      <Button size="small" disabled={name.trim() === ""} onClick={add}>
        Add
      </Button>
    </div>
  );
}
