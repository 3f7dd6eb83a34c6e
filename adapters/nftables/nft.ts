import type { Nftables } from '#lib/proxy/nftables/nftables.ts';
import type { TableName } from '#lib/proxy/nftables/table.ts';
import { runTool, ToolError } from './run-tool.ts';

/** Bytes of a transaction: a table of 10,000 Services with ten endpoints each has some ten million. */
const MAX_TRANSACTION = 128 << 20;

/** The nftables of this process's network namespace, by `nft` 1.0.1 or newer. */
export const nft: Nftables = {
  async apply(commands: string): Promise<void> {
    if (commands.length > MAX_TRANSACTION)
      throw new ToolError('nft', `the transaction is longer than ${MAX_TRANSACTION} bytes`);
    await runTool('nft', ['-f', '-'], commands);
  },

  async list({ family, name }: TableName): Promise<string | undefined> {
    try {
      return await runTool('nft', ['-nn', 'list', 'table', family, name], '');
    } catch (error) {
      if (error instanceof ToolError && error.reason.includes('No such file or directory')) return undefined;
      throw error;
    }
  },
};
