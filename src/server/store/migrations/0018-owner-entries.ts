/**
 * Adds the owner's own closings and transfers to the trade log. Until now closing on a swap venue moved the asset to
 * the owner's wallet: those are logged as transfers, from the amount each was to move.
 */
export const ownerEntries = `
alter table trade_log add column by_owner boolean not null default false;

update custody_transactions set intent = 'move-assets'
where intent = 'close-positions' and label like 'Move % to your wallet';

insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, by_owner, base_size,
  base_decimals, percentage, quote_decimals, signature, at)
select moved.id, moved.agent_id, agents.chat_id, moved.market, 'MOVE_ASSET', 'transfer', 'other', 'success', true,
  moved.base_size,
  case when moved.market = 'SOL' then 9 when moved.market = 'JUP' then 6 else 8 end,
  100, 6, moved.signature, moved.prepared_at
from (
  select id, agent_id, signature, prepared_at,
    substring(label from '^Move (.+) to your wallet$') as market,
    (select max((effect->>'delta')::numeric) from jsonb_array_elements(expects->'effects') as effect
      where effect->>'kind' = 'token_delta')::bigint as base_size
  from custody_transactions
  where intent = 'move-assets' and state = 'confirmed'
) as moved
join agents on agents.id = moved.agent_id
where moved.base_size > 0;
`;
