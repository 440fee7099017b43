/** Who paid a practice transaction's fee, so that the book says whose cost it was. */
export const feePayers = `
alter table practice_transactions add column fee_payer text;
`;
