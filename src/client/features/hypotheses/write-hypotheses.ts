import type { QueryClient } from "@tanstack/react-query";
import type { Agent } from "../../queries/agent.ts";
import { readAiKey } from "../../lib/ai/ai-key.ts";
import type { Source } from "../../lib/ai/ai-provider.ts";
import { findAddressFault, readAiChoice, settingsOf } from "../../lib/ai/ai-settings.ts";
import { askAi } from "../../lib/ai/ask-ai.ts";
import { BROWSER_AI } from "../../lib/ai/browser-ai.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { withLock } from "../../lib/locks.ts";
import { isApiError } from "../../lib/problem.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { postHypothesis, unexplainedQuery } from "../../queries/hypotheses.ts";
import { keysOf } from "../../queries/keys.ts";
import type { TradeLogEntry } from "../../queries/trade-log.ts";
import {
  countHypothesis,
  MAX_HYPOTHESES_PER_DAY,
  mayWriteHypothesis,
} from "./hypothesis-allowance.ts";
import { hypothesisPrompt } from "./hypothesis-prompt.ts";
import type { SignedInWallet } from "../../lib/session.ts";

interface WriteJob {
  readonly owner: SignedInWallet;
  readonly agent: Agent;
  readonly queryClient: QueryClient;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

const MAX_TEXT = 18_000;

async function writeOne(entry: TradeLogEntry, { agent, signal }: WriteJob): Promise<string> {
  const sources: Source[] = [];
  const { text } = await askAi(
    {
      settings: settingsOf(readAiChoice()),
      key: readAiKey() ?? "",
      messages: hypothesisPrompt(entry, agent),
      tools: [],
      past: [],
      signal,
      onText: () => {},
      onSource: (source) => {
        if (!sources.some(({ url }) => url === source.url)) sources.push(source);
      },
      onSearch: () => {},
    },
    BROWSER_AI,
  );
  const listed = sources.slice(0, 10).map(({ title, url }, at) => `${at + 1}. ${title} ${url}`);
  const body = cleanText(text).trim().slice(0, MAX_TEXT).toWellFormed();
  return listed.length === 0 ? body : `${body}\n\nSources\n${cleanText(listed.join("\n"))}`;
}

/**
 * Writes and stores what is missing for one agent, one after the other and in one tab at a time. Throws what the AI
 * or the server answers; a hypothesis someone else stored first is not an error.
 */
export function writeHypotheses(job: WriteJob): Promise<void> {
  const { owner, agent, queryClient, now } = job;
  const { id: agentId, chatId } = agent;
  return withLock(`wheelhouse-hypotheses-${agentId}`, async () => {
    const deployment = await queryClient.fetchQuery(deploymentQuery);
    if (findAddressFault(readAiChoice().baseUrl, deployment.aiOrigins) !== null) return;
    const tried = new Set<string>();
    while (!job.signal.aborted && readAiKey() !== null && mayWriteHypothesis(agentId, now())) {
      // Refetched per trade: another tab may have written it, and new trades may have arrived
      const { oldest: entry } = await queryClient.fetchQuery({
        ...unexplainedQuery(owner, chatId),
        staleTime: 0,
      });
      if (entry === null || tried.has(entry.id)) return;
      tried.add(entry.id);
      countHypothesis(agentId, now());
      const hypothesis = await writeOne(entry, job);
      try {
        await postHypothesis(entry.id, hypothesis);
      } catch (error) {
        if (isApiError(error, "hypothesis_limit_exceeded")) {
          countHypothesis(agentId, now(), MAX_HYPOTHESES_PER_DAY);
        } else if (!isApiError(error, "hypothesis_exists")) throw error;
      }
      await queryClient.invalidateQueries({ queryKey: keysOf(owner).hypotheses(chatId) });
    }
  });
}
