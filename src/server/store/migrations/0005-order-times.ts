/** Orders are planned in the order of time: the last day's are found without reading the others. */
export const orderTimes = `
create index orders_planned on orders using brin (planned_at) with (pages_per_range = 16);
`;
