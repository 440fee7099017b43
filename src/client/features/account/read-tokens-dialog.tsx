import { KeyRound } from "lucide-react";
import { useState } from "react";
import {
  ASSISTANT_SCOPES,
  type AssistantScope,
  createReadToken,
  listReadTokens,
  revokeReadToken,
} from "../../../contract/read-tokens.ts";
import { useChange, useRead } from "../../queries/read.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TimeText } from "../../ui/time-text.tsx";

const LIVES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "One year" },
];

const USES = [
  { value: "program", label: "Spreadsheet or tool" },
  { value: "assistant", label: "Assistant" },
  { value: "proposer", label: "Assistant that may propose" },
];

const SCOPES: Readonly<Record<string, AssistantScope[]>> = {
  assistant: ["read", "simulate"],
  proposer: [...ASSISTANT_SCOPES],
};

/** Dialog to list, create and revoke tokens that let other programs read the wallet's figures. */
export default function ReadTokensDialog() {
  const [made, setMade] = useState<string | null>(null);
  return (
    <Dialog
      onClose={closeDialog}
      title="Read-only tokens"
      description="A spreadsheet, tax tool or AI client reads your trades, ledger and account value with one. It can change nothing and move no money."
      keepOpenOutside={made !== null}
      footer={<Button onClick={closeDialog}>{made === null ? "Close" : "I have copied it"}</Button>}
    >
      <div className="flex flex-col gap-5">
        {made === null ? <NewToken onMade={setMade} /> : <MadeToken token={made} />}
        <TokenList />
      </div>
    </Dialog>
  );
}

function NewToken({ onMade }: { readonly onMade: (token: string) => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [use, setUse] = useState("program");
  const create = useChange(createReadToken, {
    gcTime: 0,
    toast: "failures",
    onDone: ({ token }) => onMade(token),
  });
  const typed = name.trim();
  const submit = () => {
    if (typed === "" || create.isPending) return;
    const scopes = SCOPES[use] ?? [];
    create.mutate({ body: { name: typed, days: Number.parseInt(days, 10), scopes } });
  };
  return (
    <Form className="grid items-end gap-3 sm:grid-cols-[1fr_180px_130px_auto]" onSubmit={submit}>
      <Field label="Name">
        <Input
          data-first-field
          maxLength={60}
          placeholder="Tax spreadsheet"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label="For">
        <Select value={use} onValueChange={setUse} options={USES} />
      </Field>
      <Field label="Ends after">
        <Select value={days} onValueChange={setDays} options={LIVES} />
      </Field>
      <Button type="submit" tone="primary" busy={create.isPending} disabled={typed === ""}>
        Create
      </Button>
      <p className="text-xs text-faint sm:col-span-4">
        {use !== "program" &&
          "An assistant also reads rules, conditions, received alerts and decisions, and simulates. "}
        {use === "proposer" &&
          "What it proposes waits for you under Proposals, and holds only once your wallet has signed it. "}
        Your wallet is asked to confirm it. Signing moves no funds.
      </p>
    </Form>
  );
}

function MadeToken({ token }: { readonly token: string }) {
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line-strong bg-raised p-3">
      <p className="text-sm font-medium">Copy it now. It is never shown again.</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 grow font-mono text-xs break-all">{token}</code>
        <CopyButton text={token} label="Copy token" />
      </div>
      <p className="text-xs text-faint">
        Send it as the header{" "}
        <code className="font-mono">Authorization: Bearer {token.slice(0, 8)}…</code>. An assistant
        connects to <code className="font-mono break-all">{location.origin}/mcp</code>
      </p>
    </div>
  );
}

function TokenList() {
  const { data, isPending, isError, refetch } = useRead(listReadTokens, {});
  const revoke = useChange(revokeReadToken, {
    toast: { title: "Token revoked", message: "It answers nothing any more." },
  });
  if (isPending) return <Skeleton className="h-12" />;
  if (isError) return <NotLoaded onRetry={refetch}>Tokens could not be loaded.</NotLoaded>;
  if (data.length === 0) {
    return (
      <EmptyState icon={<KeyRound />} title="No tokens">
        Nothing outside this page can read your figures.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Tokens" className="flex flex-col divide-y rounded-md border">
      {data.map(
        ({ id, name, scopes, createdAt, expiresAt, lastUsedAt, limitedAt, connectedFrom }) => (
          <li key={id} className="flex items-center gap-3 px-3 py-2">
            <div className="min-w-0 grow">
              <p className="truncate text-sm font-medium">{name}</p>
              <p className="text-xs text-faint">
                {scopes.length > 0 &&
                  `For an assistant${scopes.includes("propose") ? " that may propose" : ""}. `}
                {connectedFrom === undefined ? "Made" : `Connected from ${connectedFrom}`}{" "}
                <TimeText at={createdAt} as="short" />, ends <TimeText at={expiresAt} as="short" />,{" "}
                {lastUsedAt === undefined ? (
                  "never used"
                ) : (
                  <>
                    last used <TimeText at={lastUsedAt} as="short" />
                  </>
                )}
                {limitedAt !== undefined && (
                  <span className="text-warn">
                    . Used up its calls of a minute <TimeText at={limitedAt} as="short" />
                  </span>
                )}
              </p>
            </div>
            <Button
              size="small"
              tone="caution"
              aria-label={`Revoke ${name}`}
              busy={revoke.isPending && revoke.variables?.params.id === id}
              onClick={() => revoke.mutate({ params: { id } })}
            >
              Revoke
            </Button>
          </li>
        ),
      )}
    </ul>
  );
}
