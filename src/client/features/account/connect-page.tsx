import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { approveConnection, askConnection } from "../../../contract/connections.ts";
import type { AssistantScope } from "../../../contract/read-tokens.ts";
import type { ResponseOf } from "../../../contract/route.ts";
import { ConnectButton, SignInButton } from "./connect-button.tsx";
import { call } from "../../lib/api.ts";
import { describeProblem } from "../../lib/problem.ts";
import { useOwner } from "../../lib/session.ts";
import { useChange } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { WalletType } from "../../wallet/wallet-state.ts";
import { useWallet } from "../../wallet/wallet.ts";

type Asked = ResponseOf<typeof askConnection>;

const SCOPES: Readonly<Record<AssistantScope, readonly [string, string]>> = {
  read: ["Read", "Your agents, their rules, positions, trades, decisions, ledger and worth."],
  simulate: ["Simulate", "Try conditions and agents on past candles."],
  propose: [
    "Propose",
    "Store agents and changes for you to look at. Each holds only once your wallet has signed it.",
  ],
};

/** Parameters that a program sends its owner with, by the names of the call that checks them. */
const PARAMETERS = {
  clientId: "client_id",
  redirectUri: "redirect_uri",
  responseType: "response_type",
  codeChallenge: "code_challenge",
  codeChallengeMethod: "code_challenge_method",
  scope: "scope",
  state: "state",
  resource: "resource",
} as const;

function requestOf(search: string) {
  const sent = new URLSearchParams(search);
  const parts = Object.entries(PARAMETERS).flatMap(([name, wire]) => {
    const value = sent.get(wire);
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(parts) as Readonly<Record<string, string>>;
}

interface ConnectPageProps {
  readonly onConnect: (type: WalletType) => void;
  readonly onSignIn: () => void;
}

/** Page on which an owner lets an assistant in that signs in here (OAuth 2.1). */
export default function ConnectPage({ onConnect, onSignIn }: ConnectPageProps) {
  const owner = useOwner();
  const isConnected = useWallet(({ status }) => status === "connected");
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center p-4">
      <div className="flex flex-col gap-4 rounded-lg border bg-surface p-6">
        <p className="text-xs font-semibold text-muted">Wheelhouse</p>
        {owner === "" ? (
          <>
            <h1 className="text-lg font-semibold">An assistant wants to connect</h1>
            <p className="text-sm text-muted">
              Sign in with your wallet to see which one, and what it asks for.
            </p>
            <div>
              {isConnected ? (
                <SignInButton onSignIn={onSignIn} />
              ) : (
                <ConnectButton onConnect={onConnect} />
              )}
            </div>
          </>
        ) : (
          <Request key={owner} owner={owner} />
        )}
      </div>
    </main>
  );
}

function Request({ owner }: { readonly owner: string }) {
  const body = requestOf(location.search);
  const asked = useQuery({
    queryKey: [owner, "connection", body],
    queryFn: () => call(askConnection, { body }),
    staleTime: Infinity,
    retry: false,
  });
  if (asked.data) return <Consent asked={asked.data} />;
  if (!asked.isError) return <Spinner label="Checking the assistant..." />;
  return (
    <>
      <h1 className="text-lg font-semibold">This assistant cannot be connected</h1>
      <p role="alert" className="text-sm text-warn">
        {describeProblem(asked.error).message}
      </p>
      <p className="text-sm text-muted">Nothing was given to it. You can close this page.</p>
    </>
  );
}

function Consent({ asked }: { readonly asked: Asked }) {
  const [given, setGiven] = useState<readonly AssistantScope[]>(asked.scopes);
  const approve = useChange(approveConnection, {
    gcTime: 0,
    toast: "failures",
    onDone: ({ redirectTo }) => location.assign(redirectTo),
  });
  const scopes = asked.scopes.filter((scope) => given.includes(scope));
  return (
    <>
      <h1 className="text-lg font-semibold break-words">{asked.name} wants to connect</h1>
      <p className="text-sm break-words text-muted">
        You will be sent back to <strong className="text-ink">{asked.returnsTo}</strong>. The
        program chose its name itself; go on only if you have just asked it to connect.
        {asked.describedBy !== undefined && ` It describes itself at ${asked.describedBy}.`}
      </p>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-medium">It may</legend>
        {asked.scopes.map((scope) => (
          <label key={scope} className="flex cursor-pointer items-start gap-3 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={given.includes(scope)}
              onChange={({ target }) =>
                setGiven(
                  target.checked ? [...given, scope] : given.filter((each) => each !== scope),
                )
              }
            />
            <span>
              {SCOPES[scope][0]}
              <span className="block text-xs text-muted">{SCOPES[scope][1]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="text-xs text-faint">
        It can never trade, move money or change an agent. It stays connected for 90 days, or until
        you end it under Sessions. What it reads goes to its provider.
      </p>
      <div className="flex gap-2">
        <Button
          tone="primary"
          busy={approve.isPending}
          disabled={given.length === 0}
          onClick={() => approve.mutate({ params: { id: asked.id }, body: { scopes } })}
        >
          Connect and sign
        </Button>
        <Button disabled={approve.isPending} onClick={() => location.assign(asked.declineTo)}>
          Decline
        </Button>
      </div>
    </>
  );
}
