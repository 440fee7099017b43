import { unitsToText } from "../../lib/format.ts";
import type { Deletion } from "../../queries/custody.ts";

const SOL_DECIMALS = 9;

const sol = (lamports: string): string => `${unitsToText(lamports, SOL_DECIMALS)} SOL`;

/** Merges steps of equal name into one with its number of transactions. */
function countAlike(labels: readonly string[]): readonly string[] {
  return [...new Set(labels)].map((label) => {
    const count = labels.filter((each) => each === label).length;
    return count === 1 ? label : `${label} (${count} transactions)`;
  });
}

/** Facts about a deletion: transactions, recovered and unrecoverable funds. */
export function DeletionFacts({ deletion }: { readonly deletion: Deletion }) {
  if (deletion.refusal !== null) {
    return (
      <p role="alert" className="text-sm">
        {deletion.refusal}
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>The agent, its rules, its log and its chat will be deleted. This cannot be undone.</p>
      {deletion.steps.length > 0 && (
        <>
          <p>Before that you approve in your wallet:</p>
          <ol aria-label="Steps left" className="list-decimal pl-5">
            {countAlike(deletion.steps).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      )}
      <dl className="flex flex-col gap-1 rounded-md border border-line px-3 py-2 text-xs">
        <Line label="Still to come back">{sol(deletion.recoverableLamports)}</Line>
        {deletion.recoveredLamports !== "0" && (
          <Line label="Already recovered">{sol(deletion.recoveredLamports)}</Line>
        )}
        <Line label="Stays in the vault">{sol(deletion.keptLamports)}</Line>
        <Line label="Never recoverable">{sol(deletion.unrecoverableLamports)}</Line>
      </dl>
      {deletion.warnings
        .filter((warning) => !warning.startsWith("Recovered"))
        .map((warning) => (
          <p key={warning} className="text-xs text-warn">
            {warning}
          </p>
        ))}
      <p className="text-xs text-muted">
        You can stop at any step: nothing is lost, and deleting goes on from there.
      </p>
    </div>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
