import { ArrowUp, Square } from "lucide-react";
import { useRef } from "react";
import { CONTROL_STYLE } from "../../ui/control-style.ts";

interface MessageInputProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isDisabled: boolean;
  readonly isLoading: boolean;
  readonly isAnswering: boolean;
  /** Resolves to whether the text was accepted. */
  readonly onSend: (text: string) => Promise<boolean>;
  readonly onStop: () => void;
}

const BUTTON =
  "tint absolute right-2 bottom-2 inline-flex size-7 items-center justify-center rounded-md";

export function MessageInput(props: MessageInputProps) {
  const { text, onText, isDisabled, isAnswering } = props;
  const isSending = useRef(false);
  const cannotSend = isDisabled || props.isLoading || isAnswering || text.trim() === "";

  async function submit(): Promise<void> {
    if (cannotSend || isSending.current) return;
    isSending.current = true;
    try {
      if (await props.onSend(text)) onText("");
    } finally {
      isSending.current = false;
    }
  }

  return (
    <form
      className="shrink-0 border-t bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="relative">
        <textarea
          rows={2}
          aria-label="Message"
          placeholder={isDisabled ? "Connect wallet to chat..." : "Type your message..."}
          disabled={isDisabled}
          value={text}
          maxLength={100_000}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && isAnswering) props.onStop();
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void submit();
          }}
          className={`${CONTROL_STYLE} block field-sizing-content max-h-48 min-h-14 resize-none py-2 pr-12 pl-3`}
        />
        {isAnswering ? (
          <button
            type="button"
            aria-label="Stop answering"
            onClick={props.onStop}
            className={`${BUTTON} border border-line-strong bg-raised text-ink hover:bg-hover`}
          >
            <Square aria-hidden className="size-3 fill-current" />
          </button>
        ) : (
          <button
            type="submit"
            aria-label="Send message"
            disabled={cannotSend}
            className={`${BUTTON} bg-accent text-accent-ink enabled:hover:bg-accent-hover disabled:cursor-not-allowed disabled:bg-hover disabled:text-faint`}
          >
            <ArrowUp aria-hidden className="size-4" />
          </button>
        )}
      </div>
      <p className="mt-2 text-center text-2xs text-faint">
        AI may provide inaccurate information. Verify before making financial decisions.
      </p>
    </form>
  );
}
