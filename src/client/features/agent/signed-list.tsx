import { listOwnerFacts, type OwnerFact } from "../../../contract/owner-facts.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { downloadFile } from "../../lib/download.ts";
import { useRead } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";
import { NothingLoaded } from "../../ui/not-loaded.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { TimeText } from "../../ui/time-text.tsx";

/** What the owner signed that the agent's signer is held to, newest first, with the texts. */
export function SignedList({ agentId }: { readonly agentId: AgentId }) {
  const { data: facts, isPending, refetch } = useRead(listOwnerFacts, { params: { agentId } });
  if (isPending) return <Spinner label="Loading what you signed..." />;
  if (facts === undefined) {
    return <NothingLoaded title="What you signed could not be loaded" onRetry={refetch} />;
  }
  const save = () => {
    const content = new Blob([JSON.stringify(facts, null, 2)], { type: "application/json" });
    downloadFile(content, `wheelhouse-signed-${agentId.slice(0, 8)}.json`);
  };
  return (
    <section aria-label="Signed by you" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="text-xs text-muted">
          What you signed for this agent. It opens nothing beyond the newest text.
        </p>
        {facts.length > 0 && (
          <Button size="small" onClick={save}>
            Download
          </Button>
        )}
      </div>
      {facts.length === 0 && (
        <p className="text-xs text-muted">
          Nothing yet: the agent keeps the settings it had before texts were kept, until you change
          them.
        </p>
      )}
      {facts.length > 0 && (
        <ol className="divide-y divide-line rounded-md border border-line text-xs">
          {facts.map((fact) => (
            <li key={`${fact.kind} ${fact.at}`} className="flex gap-3 px-3 py-2">
              <TimeText
                at={fact.at}
                as="short"
                className="w-28 shrink-0 whitespace-nowrap text-muted"
              />
              <Signed fact={fact} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Signed({ fact }: { readonly fact: OwnerFact }) {
  switch (fact.kind) {
    case "signed":
      return (
        <details className="min-w-0 grow wrap-break-word">
          <summary className="cursor-pointer">Signed by you: {fact.parts.change}</summary>
          <pre className="mt-2 whitespace-pre-wrap wrap-break-word text-muted">{fact.text}</pre>
          <p className="mt-2 text-muted">Signature: {fact.signature}</p>
        </details>
      );
    case "off":
      return <span>Turned off; turning on again needs your signature</span>;
    case "key_withdrawn":
      return (
        <span className="min-w-0 grow wrap-break-word">
          The operator withdrew the trading key {fact.tradingKey}
        </span>
      );
  }
}
