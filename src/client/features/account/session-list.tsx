import { useState } from "react";
import { listSessions, signOutEverywhere } from "../../../contract/auth.ts";
import { listReadTokens, revokeReadToken } from "../../../contract/read-tokens.ts";
import { useChange, useRead } from "../../queries/read.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TimeText, ZoneNote } from "../../ui/time-text.tsx";

interface SessionListProps {
  /** Called when the server has ended every session, this page's too. */
  readonly onSignedOut: () => void;
}

/** List of the wallet's sessions, with a button that ends all of them. */
export function SessionList({ onSignedOut }: SessionListProps) {
  const { data, isPending, isError, refetch } = useRead(listSessions, {});
  const signOut = useChange(signOutEverywhere, {
    toast: { title: "Signed out everywhere" },
    onDone: onSignedOut,
  });
  const [replaceTokens, setReplaceTokens] = useState(true);
  if (isPending) return <Skeleton className="m-3 h-10" />;
  if (isError)
    return (
      <NotLoaded onRetry={refetch} className="p-3 text-warn">
        Sessions could not be loaded.
      </NotLoaded>
    );
  const tokens = replaceTokens ? "replace" : "keep";
  return (
    <div className="flex flex-col gap-2 p-3">
      <ul className="flex flex-col gap-2">
        {data.map((session, index) => (
          <li key={index} className="text-xs">
            <p className="flex items-center gap-2 text-sm font-medium">
              <span className="min-w-0 truncate">{session.browser}</span>
              {session.isCurrent && <Badge tone="accent">This browser</Badge>}
            </p>
            <p className="text-faint">
              Signed in <TimeText at={session.openedAt} as="short" />, last renewed{" "}
              <TimeText at={session.lastUsedAt} as="short" />
            </p>
          </li>
        ))}
      </ul>
      <ConnectedAssistants />
      <ZoneNote className="text-2xs text-faint" />
      <label className="flex cursor-pointer items-start gap-2 text-xs">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={replaceTokens}
          onChange={(event) => setReplaceTokens(event.target.checked)}
        />
        <span>
          Replace my agents' webhook tokens and end my read tokens too
          <span className="block text-2xs text-faint">
            Your wallet signs for it. Alerts in TradingView then need their new texts.
          </span>
        </span>
      </label>
      <Button
        tone="danger"
        wide
        busy={signOut.isPending}
        onClick={() => signOut.mutate({ body: { tokens } })}
      >
        Sign out everywhere
      </Button>
      <p className="text-2xs text-faint">
        Ends every session of this wallet, this one too, and every connected assistant. Agents that
        are on go on trading.
      </p>
    </div>
  );
}

/** Assistants that the owner let in, each with a button that ends it. */
function ConnectedAssistants() {
  const { data = [] } = useRead(listReadTokens, {});
  const revoke = useChange(revokeReadToken, {
    toast: { title: "Assistant disconnected", message: "It is answered nothing any more." },
  });
  const connected = data.filter(({ connectedFrom }) => connectedFrom !== undefined);
  if (connected.length === 0) return null;
  return (
    <section className="flex flex-col gap-1 border-t pt-2">
      <h3 className="text-xs font-semibold text-muted">Connected assistants</h3>
      <ul className="flex flex-col gap-2">
        {connected.map(({ id, name, connectedFrom, scopes, lastUsedAt }) => (
          <li key={id} className="flex items-center gap-2 text-xs">
            <div className="min-w-0 grow">
              <p className="truncate text-sm font-medium">{name}</p>
              <p className="text-faint">
                From {connectedFrom}, may {scopes.join(", ")},{" "}
                {lastUsedAt === undefined ? (
                  "never used"
                ) : (
                  <>
                    last used <TimeText at={lastUsedAt} as="short" />
                  </>
                )}
              </p>
            </div>
            <Button
              size="small"
              tone="caution"
              aria-label={`Disconnect ${name}`}
              busy={revoke.isPending && revoke.variables?.params.id === id}
              onClick={() => revoke.mutate({ params: { id } })}
            >
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
