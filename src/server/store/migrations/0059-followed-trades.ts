/**
 * Aggregate that follows a market's trades in order and returns the PnL of each closing.
 *
 * `follow_trades` takes traded signal, size, quote total and fee. It returns side (1 long, -1 short), size and worth of the
 * position after the trade, null without one, and PnL and entry of the trade, null unless it closed a known position. The
 * worth is the cost of a long with fees, or the proceeds of a short less fees. A closing that the earlier trades do not
 * account for has no PnL: the position was also changed elsewhere, and any figure would be a guess. An opening replaces the
 * position: the product never opens beside an open position, so the log missed a closing.
 */
export const followedTrades = `
create function follow_trade(held numeric[], signal text, base numeric, quote numeric, fee numeric)
returns numeric[] language plpgsql immutable parallel safe as $$
declare
  side numeric := case when signal like '%SHORT' then -1 else 1 end;
  product numeric;
  gone numeric;
  pnl numeric;
begin
  if starts_with(signal, 'OPEN_') then
    if base <= 0 or fee is null then return array[null, null, null, null, null]::numeric[]; end if;
    return array[side, base, quote + side * fee, null, null];
  end if;
  if not starts_with(signal, 'CLOSE_') and signal <> 'MOVE_ASSET' then
    return array[held[1], held[2], held[3], null, null];
  end if;
  if held[1] is distinct from side or base <= 0 or base > held[2] then
    return array[null, null, null, null, null]::numeric[];
  end if;
  product := held[3] * base;
  gone := sign(product) * div(2 * abs(product) + held[2], 2 * held[2]);
  if signal <> 'MOVE_ASSET' then pnl := side * (quote - gone) - fee; end if;
  if base = held[2] then
    return array[null, null, null, pnl, case when pnl is not null then gone end];
  end if;
  return array[side, held[2] - base, held[3] - gone, pnl, case when pnl is not null then gone end];
end $$;

create aggregate follow_trades(text, numeric, numeric, numeric) (sfunc = follow_trade, stype = numeric[], parallel = safe);
`;
