import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** Accessible name, for instance "Copy webhook URL". */
  readonly label: string;
  /** Shows the label as text beside the icon. */
  readonly withText?: boolean;
}

export function CopyButton({ text, label, withText }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const icon = copied ? <Check aria-hidden className="text-up" /> : <Copy aria-hidden />;
  return withText ? (
    <Button size="small" className="max-w-full" onClick={() => void copy()}>
      {icon}
      <span className="truncate">{copied ? "Copied" : label}</span>
    </Button>
  ) : (
    <IconButton
      size="small"
      label={copied ? "Copied" : label}
      icon={icon}
      onClick={() => void copy()}
    />
  );
}
