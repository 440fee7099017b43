import { useState } from "react";
import { readAiKey } from "../../lib/ai/ai-key.ts";
import { readAiChoice, settingsOf } from "../../lib/ai/ai-settings.ts";
import { BROWSER_AI } from "../../lib/ai/browser-ai.ts";
import { testAiKey } from "../../lib/ai/test-ai-key.ts";
import { isoNow } from "../../lib/iso-now.ts";
import { describeProblem } from "../../lib/problem.ts";
import { Button } from "../../ui/button.tsx";

interface KeyTestProps {
  readonly typedKey: string;
  readonly hasKey: boolean;
}

/** Tests the typed key, otherwise the saved one, at the configured provider. */
export function KeyTest({ typedKey, hasKey }: KeyTestProps) {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<{ readonly isGood: boolean; readonly text: string } | null>(
    null,
  );

  async function run(): Promise<void> {
    setBusy(true);
    try {
      const now = () => Date.parse(isoNow());
      const key = typedKey || (readAiKey() ?? "");
      const text = await testAiKey(settingsOf(readAiChoice()), key, { ...BROWSER_AI, now });
      setResult({ isGood: true, text });
    } catch (error) {
      setResult({ isGood: false, text: describeProblem(error).message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        size="small"
        busy={isBusy}
        disabled={typedKey === "" && !hasKey}
        onClick={() => void run()}
      >
        Test key
      </Button>
      <p
        role="status"
        className={`order-last basis-full text-xs ${result?.isGood ? "text-up" : "text-down"}`}
      >
        {result?.text}
      </p>
    </>
  );
}
