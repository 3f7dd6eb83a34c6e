import type { Nftables, Remembered } from '#lib/node/nftables/nftables.ts';
import type { TableName } from '#lib/node/nftables/table.ts';
import { rememberedIn } from './remembered.ts';
import { runTool, ToolError } from './run-tool.ts';

/** Maximum bytes of a transaction. A table of 10,000 Services with ten endpoints each takes about ten million. */
const MAX_TRANSACTION = 128 << 20;

/** The nftables of this process's network namespace, with `nft` 1.0.1 or newer. */
export const nft: Nftables = {
  async apply(commands: string): Promise<void> {
    if (commands.length > MAX_TRANSACTION)
      throw new ToolError('nft', `the transaction is longer than ${MAX_TRANSACTION} bytes`);
    await runTool('nft', ['-f', '-'], commands);
  },

  list: ({ family, name }: TableName) => unlessMissing(['-nn', 'list', 'table', family, name]),

  async remembered({ family, name }: TableName): Promise<Remembered> {
    return rememberedIn((await unlessMissing(['-j', 'list', 'sets', 'table', family, name])) ?? '{}');
  },
};

/** The output of nft. Undefined if the queried object does not exist. */
export async function unlessMissing(args: readonly string[]): Promise<string | undefined> {
  try {
    return await runTool('nft', args, '');
  } catch (error) {
    if (error instanceof ToolError && error.reason.includes('No such file or directory')) return undefined;
    throw error;
  }
}
