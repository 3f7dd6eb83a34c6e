import type { TableName } from '#lib/node/nftables/table.ts';

/** The table for network policies. The agent owns it and removes everything that it did not add. */
export const TABLE: TableName = { family: 'inet', name: 'davit-network-policy' };
