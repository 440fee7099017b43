/**
 * Equity points of the deposits before an agent's first trade: earlier versions recorded one point for all of them, after
 * the first trades, so that returns left out what those cost. An agent without assets is worth what came in.
 */
export const beginAtTheDeposit = `
insert into equity_points (agent_id, owner, network, at, slot, cause, value, asset, decimals, net_flow, market, entry_seq)
select agent_id, owner, network, at, max(slot), 'flow', (array_agg(paid_in order by seq desc))[1], asset, decimals,
  (array_agg(paid_in order by seq desc))[1], market, max(seq)
from (
  select flow.agent_id, flow.owner, flow.network, flow.at, flow.slot, flow.seq, flow.asset, flow.decimals, point.market,
    sum(flow.amount) over (partition by flow.agent_id order by flow.seq) as paid_in
  from (
    select distinct on (agent_id) * from equity_points order by agent_id, at
  ) as point
  join ledger_entries as flow on flow.agent_id = point.agent_id and flow.seq <= point.entry_seq
    and flow.at < point.at and flow.kind in ('deposit', 'withdrawal', 'external') and flow.place <> 'vault_sol'
  where not exists (
    select from ledger_entries as other
    where other.agent_id = flow.agent_id and (
      other.kind = 'trade' and other.seq < flow.seq
      or other.kind = 'opening'
      or other.kind in ('deposit', 'withdrawal', 'external') and other.place <> 'vault_sol'
        and other.asset <> point.asset and other.seq <= point.entry_seq)
  )
) as flows
group by agent_id, owner, network, at, asset, decimals, market
on conflict (agent_id, at) do nothing;
`;
