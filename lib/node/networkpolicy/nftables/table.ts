import type { TableName } from '#lib/node/nftables/table.ts';

/** The table of network policies. The agent owns it: it removes what it did not put there. */
export const TABLE: TableName = { family: 'inet', name: 'davit-network-policy' };
